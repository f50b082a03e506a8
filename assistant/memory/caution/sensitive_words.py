"""Words of what is nobody else's business: health, money, identity, intimate life.

Stems are long enough to mean one thing. What is a trade or a place as often as a condition ("nurse", "bank") is left
out: a false alarm costs the person a question, and too many make her say yes to all.
"""

from __future__ import annotations

from assistant.memory.caution.concepts import Lexicon, Notion

_ENGLISH: Lexicon = {
    Notion.HEALTH: "allerg* anaphyla* diagnos* medication* medicated antidepress* antibiot* insulin diabet* "
    "asthma* cancer tumor tumour chemo* leukemia leukaemia depression depressed depressive anxiety_disorder "
    "anxiety panic_attack* psychiatr* psychotherap* therapy my_therapist a_therapist adhd autis* bipolar "
    "schizophren* ptsd ocd pregnan* miscarriage abortion ivf infertil* menopaus* hiv disabilit* "
    "disabled_since is_disabled am_disabled wheelchair surgery surgeries hospitali* in_the_hospital "
    "in_hospital blood_pressure hypertens* cholesterol migraine* epilep* seizure* symptom* prescri* "
    "vaccinat* addict* alcoholi* rehab kidney* dialysis celiac coeliac intoleran* insomnia dyslexi* dement* "
    "alzheimer* parkinson* sclerosis heart_attack heart_disease heart_condition pacemaker hearing_aid* "
    "anorexi* bulimi* eating_disorder suicid* self_harm burnout penicillin ibuprofen aspirin paracetamol "
    "metformin painkiller* inhaler epipen arthriti* hepatit* thyroid hypothyroid* crohn* psoria* eczema "
    "lupus fibromyalgia endometriosis blood_type blood_sugar mental_health mental_illness long_covid covid "
    "transplant biopsy mri ct_scan glaucoma sick_leave tinnitus my_doctor_said my_doctor_says incontinen* "
    "lactose gluten_free herniated fracture* broke_my broken_leg broken_arm birth_control contracepti* "
    "urinary prostate diagnosed ulcer* anemi* anaemi* copd vertigo concussion chronic chronically is_blind "
    "am_blind blind_in_one is_deaf am_deaf had_a_stroke a_stroke",
    Notion.MONEY: "salary salaries wage wages income net_worth debt debts mortgage* loan loans overdraft "
    "bankrupt* insolven* credit_score savings_account bank_account account_number routing_number sort_code "
    "iban swift_code credit_card* debit_card* inheritance inherited tax_return owe owes alimony payday_loan "
    "my_savings our_savings 401k pension_is my_pension unemployment_benefit* welfare_benefit* food_stamps "
    "payslip* paycheck* garnish* gambling student_debt my_portfolio in_stocks bitcoin* crypto_wallet "
    "life_savings insurance_number",
    Notion.WORTH: "earn earns earned earning make makes making paid pays pay rent saved savings invested "
    "bonus raise budget stipend pension account balance spend allowance fortune per_year a_year per_month "
    "a_month",
    Notion.IDENTITY: "passport_number passport_no passport_is social_security* ssn national_id "
    "id_card_number id_number identity_card driver_s_licen* driving_licen* tax_id taxpayer_id "
    "national_insurance_number muslim* islam* christianity catholic* protestant* jewish jew judaism hindu* "
    "buddhis* sikh* mormon* atheis* agnostic* evangelical orthodox_church jehovah* mosque synagogue ramadan "
    "my_faith my_religion religious baptized baptised ethnic* african_american latino latina hispanic "
    "kurdish roma_family indigenous mixed_race biracial voted_for votes_for vote_for republican* democrat "
    "democrats communis* socialist* party_member political_party politically left_wing right_wing far_right "
    "far_left trade_union union_member gay lesbian* bisexual* transgender* trans_woman trans_man queer "
    "homosexual* heterosexual* non_binary nonbinary asexual* pansexual* came_out_as sexual_orientation "
    "gender_identity immigra* undocumented asylum refugee* green_card work_permit residence_permit "
    "visa_status student_visa work_visa visa_expires deport* citizenship criminal_record convicted felony "
    "arrested in_prison in_jail on_parole on_probation alien_number a_christian christians christian_faith "
    "am_christian is_christian are_christian devout_christian naturalised naturalized converted_to_islam "
    "converted_to_judaism my_passport passport_expires",
    Notion.INTIMATE: "sex sexual* sexuality erotic* porn* affair cheated_on cheating_on fetish* libido "
    "impoten* one_night_stand virginity raped rape sexually molest* domestic_violence abused_me abuses_me "
    "abusive masturbat* nudes escort_service",
}
_GERMAN: Lexicon = {
    Notion.HEALTH: "allergi* diagnos* medikament* tablette* antibiotik* antidepress* krebs tumor chemo* "
    "depression* depressiv* angststörung* panikattacke* therapie psychiatr* psychotherap* adhs autis* "
    "schwanger* fehlgeburt abtreibung wechseljahre behinder* schwerbehind* rollstuhl* operiert blutdruck* "
    "bluthochdruck* cholesterin migräne epilep* symptom* rezeptpflicht* geimpft impfung* süchtig drogen* "
    "alkoholiker* entzug chronisch* niere* dialyse zöliakie unverträglich* intoleran* schlafstörung* "
    "schlaganfall herzinfarkt* herzfehler herzschrittmacher hörgerät* gehörlos magersücht* essstörung* "
    "suizid* krankheit* erkrank* krank krankgeschrieben rheuma arthrose schilddrüse* neurodermitis asthma "
    "diabet* insulin blutgruppe blutzucker demen* bandscheib* verhütung* suchtkrank* krankenhausaufenthalt* "
    "bin_blind ist_blind",
    Notion.MONEY: "gehalt gehälter lohn einkommen vermögen schulden verschuldet hypothek* kredit kredite "
    "darlehen insolven* privatinsolvenz schufa* ersparnisse kontonummer bankkonto bankverbindung "
    "kreditkarte* erbe geerbt erbschaft steuererklärung schulde schuldet unterhalt* rente arbeitslosengeld "
    "bürgergeld hartz gehaltsabrechnung* sparkonto monatslohn jahresgehalt bafög kontostand",
    Notion.WORTH: "verdiene verdient verdienst verdienen miete zahle zahlt gespart bonus netto brutto konto "
    "kostet_mich bekomme sparrate",
    Notion.IDENTITY: "personalausweis* ausweisnummer reisepass* passnummer sozialversicherungsnummer "
    "steuer_id steuernummer steueridentifikation* führerscheinnummer muslim* islam* christ christin "
    "katholi* evangelisch* jüdisch* jüdin hinduist* buddhist* atheist* konfession* kirchensteuer moschee "
    "synagoge religiös religion ethnisch* kurdisch* migrationshintergrund wähle_die gewählt_habe "
    "parteimitglied cdu spd afd fdp linkspartei die_grünen gewerkschaft* schwul lesbisch bisexuell "
    "transgender* transfrau transmann homosexuell* heterosexuell* nicht_binär queer asyl* flüchtling* "
    "geflüchtet* aufenthaltstitel* aufenthaltserlaubnis* aufenthaltsstatus arbeitserlaubnis abgeschoben "
    "staatsangehörig* einbürger* vorbestraft vorstrafe* gefängnis verhaftet niederlassungserlaubnis",
    Notion.INTIMATE: "sex sexuell* erotisch* porno* affäre fremdgegangen fremdgeht fetisch impotent* "
    "vergewaltig* missbraucht häusliche_gewalt sexleben",
}
COMPOUNDS: Lexicon = {
    Notion.HEALTH: "allergie krankheit erkrankung medikament unverträglichkeit tablette therapie "
    "schwangerschaft störung behinderung",
    Notion.MONEY: "gehalt schulden kreditkarte einkommen kontonummer",
    Notion.IDENTITY: "ausweisnummer passnummer versicherungsnummer",
}
_FRENCH: Lexicon = {
    Notion.HEALTH: "allerg* diagnost* medicament* antibiotique* antidepress* cancer tumeur chimio* "
    "depression depressi* anxiete troubles_anxieux psychiatr* psychotherap* therapie tdah autis* enceinte "
    "grossesse fausse_couche avortement ivg menopause handicap* fauteuil_roulant opere operee hospitalis* "
    "tension_arterielle hypertension cholesterol migraine* epilep* symptom* ordonnance vaccin* toxicoman* "
    "alcooli* desintox* chronique* dialyse coeliaque intoleran* insomni* avc infarctus crise_cardiaque "
    "pacemaker malentendant* aveugle anorexi* boulimi* suicid* maladie* malade asthm* diabet* insuline "
    "thyroide arthrose groupe_sanguin glycemie demence penicilline seropositi* vih sida burn_out sclerose "
    "contracepti* pilule",
    Notion.MONEY: "salaire* paie revenu revenus patrimoine dette dettes endette* hypotheque* "
    "credit_immobilier pret_de pret_immobilier emprunt* faillite surendett* mes_economies epargne "
    "compte_bancaire numero_de_compte iban carte_bancaire carte_de_credit herite impots dois_de_l "
    "pension_alimentaire retraite_de rsa decouvert fiche_de_paie chomage mon_rib un_heritage l_heritage",
    Notion.WORTH: "gagne gagnes gagnons loyer paie paye touche epargne prime par_mois par_an net brut compte",
    Notion.IDENTITY: "numero_de_passeport passeport carte_d_identite numero_de_securite securite_sociale "
    "numero_fiscal permis_de_conduire_numero musulman* islam* chretien* catholique* protestant* juif juive "
    "hindou* bouddhis* athee* croyant* pratiquant* mosquee synagogue religion religieu* ethni* kurde* "
    "maghrebin* vote_pour voté_pour parti_politique extreme_droite extreme_gauche syndicat syndique* gay "
    "gai lesbienne* bisexuel* transgenre* homosexuel* heterosexuel* non_binaire queer orientation_sexuelle "
    "asile refugie* sans_papiers titre_de_sejour carte_de_sejour permis_de_travail expulse* nationalite "
    "naturalis* casier_judiciaire condamne prison arrete_par",
    Notion.INTIMATE: "sexe sexuel* erotique* porno* liaison infidel* fetich* impuissan* viol violee "
    "violences_conjugales vie_intime",
}
_SPANISH: Lexicon = {
    Notion.HEALTH: "alergi* alérgic* diagnostic* medicament* medicacion pastillas antibiotic* antidepresiv* "
    "cancer tumor quimio* depresion deprimid* ansiedad psiquiatr* psicoterap* terapia tdah autis* embaraz* "
    "aborto menopausia discapaci* silla_de_ruedas operaron cirugia hospitaliz* tension_arterial hipertens* "
    "colesterol migrana* migraña* epilep* sintoma* receta_medica vacun* adict* alcoholi* rehabilitacion "
    "cronic* dialisis celiac* intoleran* insomni* ictus infarto marcapasos sordo ciego ciega anorexi* "
    "bulimi* suicid* enfermedad* asma asmatic* diabet* insulina tiroid* artritis grupo_sanguineo glucosa "
    "demencia penicilina vih sida esclerosis anticoncepti* gravida gravidez doenca* doente alergia* "
    "depressao diagnosticad* cirurgia deficienc* pressao_alta enfermo enferma enfermos remedios",
    Notion.MONEY: "salario* sueldo* nomina ingresos patrimonio deuda* endeudad* hipoteca* prestamo* credito "
    "bancarrota ahorros mis_ahorros cuenta_bancaria numero_de_cuenta iban tarjeta_de_credito "
    "tarjeta_de_debito herencia declaracion_de_la_renta pension_de paro subsidio divida* emprestimo* "
    "poupanca conta_bancaria cartao_de_credito heredado herede heredo",
    Notion.WORTH: "gano gana ganamos cobro cobra alquiler pago ahorrado bono al_mes al_ano al_año por_mes "
    "por_ano ganho aluguel cuenta neto bruto debo debe",
    Notion.IDENTITY: "numero_de_pasaporte pasaporte dni nie numero_de_identidad seguridad_social "
    "numero_de_la_seguridad musulman* islam* catolic* protestante* hindu* budist* ateo atea ateos atei "
    "religion religios* mezquita sinagoga etni* gitan* indigena voto_a vote_por vote_a voto_por "
    "partido_politico extrema_derecha extrema_izquierda sindicat* gay lesbian* bisexual* transgenero* "
    "transexual* homosexual* heterosexual* no_binari* orientacion_sexual asilo refugiad* sin_papeles "
    "permiso_de_residencia permiso_de_trabajo tarjeta_de_residencia deport*ado nacionalidad "
    "antecedentes_penales condenad* carcel detenid* passaporte cpf evangelic* muculman* imigrante "
    "inmigrante cristianos cristianismo judio judia judios judias judaismo judeu soy_cristiano "
    "soy_cristiana es_cristiano es_cristiana",
    Notion.INTIMATE: "sexo sexual* erotic* porno* infidel* amante fetich* impoten* violad* violacion "
    "violencia_domestica violencia_de_genero abus* estupr*",
}
_ITALIAN: Lexicon = {
    Notion.HEALTH: "allergi* diagnos* pastiglie antibiotic* antidepressiv* cancro tumore chemio* "
    "depressione depress* ansia attacchi_di_panico psichiatr* psicoterap* terapia adhd autis* incinta "
    "gravidanza aborto menopausa disabil* sedia_a_rotelle intervento_chirurgico ricoverat* pressione_alta "
    "ipertens* colesterolo emicrani* epiless* sintom* ricetta_medica vaccin* dipendenza alcolist* "
    "tossicodipenden* cronic* dialisi celiac* intolleran* insonnia ictus infarto pacemaker sordo cieco "
    "cieca anoressi* bulimi* suicid* malatti* malat* asma asmatic* diabet* insulina tiroid* artrosi "
    "gruppo_sanguigno glicemia demenza penicillina hiv sclerosi contraccetti* farmaco farmaci operato "
    "operata invalido invalida invalidita medicinali medicina_per",
    Notion.MONEY: "stipendi* salario reddito patrimonio debit* indebitat* mutuo prestit* fallimento "
    "bancarotta risparmi conto_bancario conto_corrente numero_di_conto iban carta_di_credito "
    "carta_di_debito eredit* dichiarazione_dei_redditi pensione_di disoccupazione reddito_di busta_paga "
    "alimenti_all_ex",
    Notion.WORTH: "guadagno guadagna guadagniamo affitto pago risparmiato bonus al_mese all_anno netto "
    "lordo conto devo",
    Notion.IDENTITY: "numero_di_passaporto passaporto codice_fiscale carta_d_identita tessera_sanitaria "
    "musulman* islam* cattolic* protestant* ebre* induist* buddist* ateo atea ateos atei religion* "
    "religios* moschea sinagoga etni* voto_per votato_per ho_votato partito_politico estrema_destra "
    "estrema_sinistra sindacat* gay lesbica lesbiche bisessual* transgender* transessual* omosessual* "
    "eterosessual* non_binari* orientamento_sessuale asilo_politico rifugiat* permesso_di_soggiorno "
    "permesso_di_lavoro espuls* cittadinanza fedina_penale condannat* prigione carcere arrestat* "
    "cristianesimo sono_cristian* e_cristian*",
    Notion.INTIMATE: "sesso sessual* erotic* porno* amante tradito_mia tradito_mio fetic* impoten* stupr* "
    "violenza_domestica abusi",
}
_CJK: Lexicon = {
    Notion.HEALTH: "过敏 過敏 糖尿病 高血压 癌 抑郁 焦虑症 怀孕 懷孕 流产 残疾 吃药 服药 药物 诊断 患有 "
    "手术 住院 哮喘 疾病 病史 艾滋 心脏病 アレルギー 高血圧 うつ病 うつ 妊娠 流産 障害 服用 薬を 診断 手術 "
    "入院 喘息 持病 病気 がん 알레르기 당뇨 고혈압 임신 우울증 수술 장애",
    Notion.MONEY: "工资 薪水 月薪 年薪 收入 债务 欠债 欠款 贷款 房贷 存款 银行账户 银行卡 账号 信用卡 遗产 "
    "給料 年収 月収 収入 借金 ローン 貯金 口座番号 銀行口座 クレジットカード 相続 연봉 월급 빚 대출 계좌",
    Notion.IDENTITY: "身份证 护照 護照 社保号 基督徒 穆斯林 佛教徒 天主教 信仰 宗教 民族 同性恋 双性恋 "
    "跨性别 党员 移民 难民 签证 绿卡 犯罪记录 パスポート マイナンバー 免許証番号 キリスト教 イスラム 仏教徒 "
    "同性愛 ゲイ レズビアン トランスジェンダー 難民 在留 前科 여권 주민등록 종교 동성애",
    Notion.INTIMATE: "性生活 出轨 外遇 性侵 家暴 不倫 浮気 性的 성생활 불륜",
}

LEXICONS: tuple[Lexicon, ...] = (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ITALIAN, _CJK)
