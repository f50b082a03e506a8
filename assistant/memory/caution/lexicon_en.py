"""English words of orders to an assistant."""

from __future__ import annotations

from assistant.memory.caution.concepts import Lexicon, Notion

ORDERS: Lexicon = {
    Notion.ME: "i im ive id ill we weve my our mine us he she they his her their myself",
    Notion.YOU: "you u youre youve youll yourself ur thou",
    Notion.YOUR: "your yours ur",
    Notion.AI: "ai ais llm llms chatbot* bot bots gpt* chatgpt copilot chatgbt language_model* ai_model* "
    "keepsake robot robots aigent* artificial_intelligence virtual_assistant* ai_agent* ai_assistant* "
    "coding_agent* automated_system* automated_agent* automated_assistant* ai_system* automated_review* "
    "automated_tool* automated_process* automated_reader*",
    Notion.MACHINE: "assistant assistants agent agents model models summarizer* summariser*",
    Notion.USER: "user users requester caller",
    Notion.ANYBODY: "user users anyone anybody human humans operator operators owner nobody noone customer "
    "customers",
    Notion.ADMIN: "admin admins administrator* root superuser sudo sysadmin* privileged unlimited_access "
    "full_access full_privileges elevated_privileges elevated_access superadmin* elevated",
    Notion.AUTHORITY: "openai anthropic administrator* admin admins operator operators developer developers "
    "security_team safety_team compliance_team system_owner moderator* supervisor* it_department "
    "it_security legal_team support_team account_owner management platform_team engineering_team "
    "trust_and_safety",
    Notion.PROMPT: "instruction instructions prompt prompts directive directives guideline guidelines "
    "guardrail* programming system_message* developer_message* preprompt pre_prompt sysprompt commandments "
    "instruction_set* configuration system_text operating_procedure* operating_parameter* system_rules "
    "context_window conditioning system_card initial_context training_data instructed preamble system_msg "
    "sys_prompt setup_text",
    Notion.LIMIT: "rule rules restriction restrictions restricted limit limits limitation limitations "
    "filter filters filtering safety safeguard* censorship censor moderation constraint constraints ethic "
    "ethics ethical protocol protocols boundaries inhibition* guardrail* guideline* ethical_guideline* "
    "alignment disclaimer* refusal* refuse prohibition* shackle* morals morality",
    Notion.POLICY: "policy policies terms compliance confidentiality regulation* law laws privacy",
    Notion.SYSTEM: "system systems sys developer maintenance admin root debug override internal kernel",
    Notion.PRIOR: "previous prior earlier above preceding former foregoing existing all any every "
    "everything initial original past aforementioned current old default these those other system developer "
    "built_in hard_coded such",
    Notion.ABOVE: "above preceding before_this so_far precedes verbatim hidden came_before "
    "beginning_of_this start_of_this start_of_the_conversation start_of_the_chat",
    Notion.EVERYTHING: "everything anything_above all_of_the_above all_above all_previous all_prior "
    "whatever_was all_that_came the_above what_you_were_told what_you_have_been_told all_of_that all_of_it",
    Notion.CHECK: "confirmation confirmations verification verifications approval approvals authentication "
    "safety_check* check checks consent review reviews validation authorization authorisation warnings "
    "permission permissions refusal*",
    Notion.MODE: "developer_mode dev_mode god_mode debug_mode admin_mode root_mode maintenance_mode "
    "sudo_mode jailbreak_mode dan_mode unrestricted_mode test_mode evil_mode opposite_mode diagnostic_mode "
    "training_mode unsafe_mode override_mode safe_mode safety_mode compliance_mode unlocked_mode free_mode "
    "simulation_mode chaos_mode exit_the_sandbox escape_the_sandbox run_the_shell root_shell reverse_shell "
    "leave_the_sandbox audit_mode service_mode recovery_mode bypass_mode privileged_mode",
    Notion.TASK: "task goal objective mission purpose role persona identity job instruction personality "
    "character priority function duty name orders behavior behaviour",
    Notion.NEW: "new updated revised real true actual only primary real_life main additional hidden secret "
    "next following amended corrected replacement overriding core sole highest top",
    Notion.IGNORE: "ignore ignoring disregard disregarding disregarded forget forgetting override "
    "overriding overrule bypass bypassing circumvent* skip skipping neglect discard discarding abandon "
    "suspend disable disabling deactivate turn_off switch_off nullif* supersed* overwrit* do_not_follow "
    "dont_follow not_follow stop_following don_t_follow do_not_obey stop_obeying set_aside pay_no_attention "
    "no_longer_follow evade evading violate violating unlearn void ignored omit get_around work_around "
    "work_past no_longer_need overrides supersedes overridden ignores bypasses don_t_worry_about "
    "do_not_worry_about never_mind don_t_care_about do_not_care_about regardless_of",
    Notion.LIFTED: "disabled lifted void suspended compromised invalid obsolete outdated deactivated "
    "removed revoked superseded overridden nullified expired waived bypassed cleared off deprecated relaxed "
    "changed irrelevant gone unlocked unnecessary optional remove lift clear reset drop replace loosen "
    "relax waive cancel erase break breaking deleted stripped turned_off switched_off inactive",
    Notion.EXEMPT: "exempt exempted exemption exception_to excluded outside_the_scope does_not_violate "
    "not_subject",
    Notion.APPLY: "apply applies applied meant intended valid needed required relevant effective enforce "
    "enforced bound bind binding hold affected matter",
    Notion.UNBOUND: "unrestricted uncensored unfiltered jailbr* unaligned amoral unshackled lawless unbound "
    "unmoderated unconstrained anything_goes no_holds_barred no_longer_bound not_bound break_free "
    "broken_free freed_from anything_now fully_open total_freedom complete_freedom absolute_freedom "
    "unconditionally unlimited_mode unregulated limitless no_restrictions no_limits no_filter no_filters "
    "no_rules no_censorship no_guidelines without_limits without_limit without_restriction* without_filter* "
    "without_censor* unrestrained restriction_free no_longer_restricted no_longer_limited no_longer_follow "
    "do_anything_now can_do_anything will_do_anything do_anything_the free_from_all free_of_all "
    "free_from_any free_of_any free_from_restrict*",
    Notion.WITHOUT: "no without zero none not_any free_of free_from lacking devoid lack ignores regardless "
    "nobody nothing noone",
    Notion.NOT: "not don dont doesn isn aren never no cannot won without avoid refrain nor neither shouldn "
    "mustn nothing nobody",
    Notion.ROLEPLAY: "act_as acting_as act_like pretend roleplay role_play simulate simulating behave_as "
    "behave_like impersonate imagine_you imagine_that_you assume_the_role assume_the_persona play_the_role "
    "take_on_the respond_as answer_as speak_as reply_as in_character stay_in_character emulate "
    "hypothetical* suppose_you let_s_play play_a_game in_a_world_where you_re_playing you_are_playing "
    "acting_like write_as fictional imagine_a_world imagine_being picture_yourself",
    Notion.EVIL: "evil malicious hacker villain* unethical immoral criminal illegal dangerous harmful "
    "explosives bomb bombs malware ransomware weapon weapons phishing meth poison deepfake* opposite "
    "keylogger* exploit exploits napalm racist exploitative botnet*",
    Notion.BECOME: "you_are_now you_re_now youre_now you_are_no_longer you_re_no_longer you_are_actually "
    "you_will_now you_are_from_now you_have_become you_now_have you_now_are you_are_hereby "
    "you_are_henceforth you_shall_now you_have_been_upgraded you_have_been_freed you_ve_been_freed "
    "you_have_been_jailbroken your_name_is_now you_are_not_an_ai you_are_not_a_bot you_are_free you_re_free "
    "you_are_running_in your_new_name you_will_act you_will_behave you_have_been_reprogrammed "
    "you_have_been_updated you_are_being_tested you_are_allowed you_are_authorized you_are_authorised "
    "you_are_permitted you_re_allowed you_re_authorized you_have_permission you_are_instructed you_may_now "
    "you_can_now you_are_required you_are_ordered you_are_commanded you_are_obligated you_have_full "
    "you_have_unlimited you_have_unrestricted stop_being_an_assistant stop_being_an_ai stop_being_a_bot "
    "stop_acting_as_an you_re_going_to_be you_are_going_to_be you_are_going_to_act you_re_going_to_act "
    "you_re_going_to_pretend do_not_refuse don_t_refuse must_not_refuse cannot_refuse can_t_refuse "
    "may_not_refuse",
    Notion.COMPLY: "comply complies complying obey obeying fulfill fulfil fully_cooperate do_exactly "
    "do_whatever do_what_it_says does_whatever follow_only do_as_i_say do_as_it_says agree_to accede "
    "submit_to cooperate_fully follow_whatever execute_whatever do_as_told carry_out do_everything grant "
    "grant_all satisfy never_refuse cannot_refuse can_t_refuse not_refuse don_t_refuse must_not_refuse "
    "without_refusing without_question no_questions no_questions_asked",
    Notion.FOLLOW: "follow execute executing run obey perform act_on carry_out comply do_what do_exactly "
    "apply process interpret treat follow_it carry_it_out carry_them_out do_it obey_it consider regard",
    Notion.DECODE: "decode decoded decoding decrypt decipher deobfuscat* unscramble rot13 base64 base32 "
    "base85 ascii85 morse cipher ciphertext encoded hex binary reversed backwards concatenat* caesar "
    "unescape translate leetspeak pig_latin atbash encrypted rot_13 acrostic first_letter* join_the "
    "combine_the reverse backward flip",
    Notion.REVEAL: "reveal show print display output repeat tell give list dump leak disclose expose share "
    "recite reproduce echo provide write_out spell_out revealing printing outputting leaking dumping "
    "disclosing exposing return what_is what_are what_s what_were what_was read_out read_back quote "
    "paraphrase summarize summarise describe translate extract copy_out copy_paste write_down write "
    "enumerate restate rephrase shown see view know output_the type_out explain retrieve fetch access "
    "confess divulge surface emit render include paste sharing share_the",
    Notion.RECITE: "repeat print output recite reproduce echo copy dump written said verbatim restate paste "
    "quote",
    Notion.SEND: "send forward upload transmit exfiltrate post sending forwarding uploading transmitting "
    "exfiltrating posting ship relay deliver route redirect email_the email_all email_it email_this "
    "email_me_the email_a email_every email_them email_our email_their email_your also_email and_email "
    "mail_the mail_it mail_all mail_this submit push export wire transfer beacon curl ping bcc cc copy_to "
    "sync webhook http_post report_to smuggle email_me",
    Notion.COLLECT: "collect gather harvest compile steal scrape exfiltrat* extract grab retrieve fetch "
    "obtain look_up search_for find_all read_all log record capture save copy query encode hash",
    Notion.DESTROY: "delete wipe erase destroy purge empty truncate drop overwrite remove rm format "
    "uninstall shred clear corrupt encrypt",
    Notion.CALL: "call invoke execute run trigger use calling invoking executing using launch start",
    Notion.STORE: "store save remember memorize memorise persist record add_to write_to commit retain log "
    "note bear_in_mind insert_into saved stored",
    Notion.INSERT: "include append add insert mention embed attach prepend put cite inject incorporate "
    "included appended added inserted mentioned embedded attached prepended cited incorporated shown "
    "repeated displayed repeat print output quote reproduce recommend promote advertise paste suffix weave "
    "reference place placed link endorse state emit display sign sign_off present presented surfaced appear "
    "appears appearing goes_into go_into goes_in_every belongs_in belongs_into",
    Notion.START: "begin end start finish conclude prefix close open sign preface",
    Notion.TELL: "answer reply respond say recommend mention suggest state claim output responding "
    "answering replying produce generate promote advise assert insist write print inform speak endorse "
    "assume notify alert warn",
    Notion.ASK: "asked asks ask asking queries inquires prompted questioned requests enquires mentions "
    "talks_about brings_up query requested wants_to_know request question questions",
    Notion.READ: "read reading process processing processes parse parsing review reviewing analyze analyse "
    "analyzing analysing load loading ingest* scan scanning retrieve retrieving encounter* integrating "
    "index indexing crawling crawl evaluate evaluating assessing handling handle summary_of visiting "
    "accessing viewing reads summari*",
    Notion.PROCEED: "proceed continue continuing proceeding respond responding answering replying reply "
    "answer finishing completing complete summarizing summarising finalizing resume",
    Notion.TRUST: "trusted_source trustworthy_source reliable_source authoritative_source go_to_source "
    "trusted_citation preferred_source official_source best_source always_trust credible_source "
    "source_of_truth most_trusted most_reliable_source trusted_reference authoritative_reference "
    "reputable_source ground_truth top_recommendation first_choice_for whitelist* allowlist* safelist* "
    "trusted_sender* trusted_domain* trusted_address*",
    Notion.GRANT: "authorized authorised authorize authorise approved approves approve granted grant grants "
    "permitted allowed allows allow agreed consented consents confirmed verified preapproved pre_approved "
    "pre_authorized entitled cleared given_permission given_consent signed_off enabled waived consenting "
    "instructed requested whitelisted opted_in acknowledged accepts accepted agrees",
    Notion.PERMIT: "permission permissions access privilege privileges consent authorization authorisation "
    "clearance rights override approval authority",
    Notion.HIDDEN: "hidden initial secret verbatim exact exactly word_for_word full original confidential "
    "internal underlying system own raw entire complete concealed base given started starting literally "
    "everything",
    Notion.SECRET: "credential* password passwords passcode* secret secrets api_key* api_token* "
    "access_token* private_key* ssh_key* environment_variable* env_var* env_vars dotenv customer_list* "
    "customer_data* customer_record* customer_email* customer_database* customer_database user_data "
    "user_database user_list confidential confidential_data personal_data personal_information "
    "private_information private_data sensitive_information sensitive_data pii database chat_history "
    "conversation_history chat_log* conversation_log* order_data internal_data internal_document* "
    "internal_config* internal_note* internal_information config_file* connection_string* keychain "
    "seed_phrase contact_list admin_page* session_cookie* restricted_content admin_panel classified "
    "proprietary source_code backdoor* master_key payment_detail* card_number* credit_card* medical_record* "
    "employee_record* salary_data financial_record* private_admin customer_information user_information "
    "client_list client_data stored_memories user_profile account_data account_detail* bank_detail* "
    "session_data session_token* secret_key* encryption_key* private_file* etc_passwd service_account* "
    "other_user* other_customer* private_message* private_conversation* employee_data your_browser_history "
    "session_tokens api_tokens users_table user_table customers_table customer_table production_data "
    "production_database backups all_files every_file",
    Notion.DATA: "data information record records file files details document documents content contents "
    "summary log logs history emails messages list result results report notes conversation conversations "
    "transcript",
    Notion.OUTPUT: "reply replies response responses answer answers summary summaries report reports output "
    "outputs message messages review completion completions recommendation* conversation conversations "
    "analysis turn turns translation email_you explanation",
    Notion.EDGE: "end_of beginning_of start_of top_of bottom_of first_line last_line final_line footer "
    "header closing_line at_the_end at_the_start at_the_beginning at_the_top at_the_bottom first_sentence "
    "last_sentence",
    Notion.MEMORY: "memory memories long_term_memory knowledge_base context memory_store memory_bank "
    "persistent_memory user_profile saved_facts saved_memories",
    Notion.ADDRESS: "note notice attention important message hint hey dear hello update alert warning "
    "notification instruction instructions command commands directive memo reminder override advisory "
    "announcement bulletin to_all to_any for_any for_all hi addressed_to listen psa request log status",
    Notion.COVERT: "secretly silently quietly covertly discreetly stealthily surreptitiously undetected "
    "unnoticed without_telling without_informing without_notifying without_mentioning without_disclosing "
    "without_alerting in_the_background behind_the_scenes keep_this_hidden keep_it_hidden keep_this_secret "
    "keep_this_between hide_this hide_the_fact without_the_user* invisibly keep_this_confidential "
    "keep_this_instruction never_reveal never_mention never_disclose",
    Notion.MUST: "must should shall have_to has_to need_to needs_to required ought supposed_to obliged "
    "obligated mandatory ensure make_sure is_to are_to be_sure required_to needs not_allowed",
    Notion.EACH: "every each all any always never future subsequent final whenever next following "
    "everything the_final upcoming first last",
    Notion.ALWAYS: "always never only whenever every_time each_time automatically invariably "
    "under_no_circumstances at_all_times unconditionally regardless by_default",
    Notion.NOW_ON: "from_now_on from_this_point from_here_on from_that_point henceforth going_forward "
    "hereafter until_further_notice for_the_rest_of for_the_remainder_of for_all_future in_all_future "
    "in_every_future in_all_subsequent for_all_subsequent for_every_future across_all_sessions "
    "across_sessions in_future_sessions in_future_conversations for_this_session effective_immediately "
    "starting_now starting_today as_of_now from_this_moment throughout_this every_future all_future "
    "in_future_responses for_future_conversations all_subsequent every_subsequent permanently indefinitely "
    "from_today_on future_conversations future_responses future_sessions future_requests "
    "future_interactions for_the_duration",
    Notion.WHEN: "when whenever if once after upon while as_soon_as every_time each_time anytime before "
    "during unless",
    Notion.BEFORE: "before prior_to first_before instead_of rather_than",
    Notion.AS_AI: "as_an_ai as_the_ai as_a_language_model as_the_assistant as_the_model as_your_assistant "
    "as_a_large_language as_an_llm reasoning_assistant assistant_reasoning assistant_thought* "
    "assistant_thinking chain_of_thought scratchpad inner_monologue internal_reasoning final_answer "
    "thought_process",
    Notion.TOLD: "you_were_given you_were_told you_were_configured you_were_programmed you_were_instructed "
    "you_were_trained you_have_been_given you_have_been_told you_ve_been_told you_ve_been_given you_re_told "
    "you_are_told you_were_set_up you_are_configured you_are_programmed you_received_before you_got_before "
    "you_operate_under you_must_follow you_have_to_follow governing_you you_re_following you_are_following "
    "you_were_initiali* you_have_been_instructed you_have_been_configured you_have_been_programmed "
    "were_you_instructed were_you_told were_you_programmed were_you_given were_you_configured "
    "were_you_initiali* are_you_instructed are_you_programmed are_you_told have_you_been_told "
    "have_you_been_given have_you_been_instructed",
    Notion.ACT: "trust approve unlock set schedule exit switch refuse rate praise buy purchase order pay "
    "sell install download enable activate deactivate book subscribe unsubscribe change modify alter rename "
    "move block ban accept reject deny confirm authorize authorise transfer publish tweet vote click press "
    "visit register connect restart reboot kill terminate escalate demote invite assign hide conceal lie "
    "deceive manipulate convince persuade threaten blackmail insult rank prioriti* favor favour boost "
    "discredit side_with default monitor track watch spy believe distrust answer_for decline warn_against "
    "steer criticize criticise denounce open_the_door wire redirect rewrite replace edit patch grant_access "
    "give_access log_in sign_in turn_on turn_off downplay exaggerate fabricate invent",
    Notion.TEXT: "text words line lines message messages paragraph sentence sentences conversation chat "
    "content contents transcript",
    Notion.REASONED: "concluded determined reasoned established verified decided confirmed conclude "
    "ascertained deduced validated assessed reasoning analysis_shows",
    Notion.AFFIRM: "sure_here sure_thing_here of_course_here certainly_here absolutely_here "
    "here_is_the_admin here_is_how_to here_are_the_steps",
}

MISTYPED = (
    "ignore disregard forget override bypass previous instruction instructions prompt prompts guidelines restrictions "
    "filters safety system reveal password passwords credentials secret assistant unrestricted developer jailbreak "
    "everything confidential uncensored directives"
)
"""Words that an order can hardly do without, and that are often mistyped on purpose."""
