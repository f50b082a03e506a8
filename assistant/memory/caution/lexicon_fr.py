"""French words of orders to an assistant."""

from __future__ import annotations

from assistant.memory.caution.concepts import Lexicon, Notion

ORDERS: Lexicon = {
    Notion.ME: "je j moi nous mon ma mes notre nos elle ils elles lui leur",
    Notion.YOU: "tu toi vous es_tu t vous_etes es_maintenant",
    Notion.YOUR: "ton ta tes votre vos",
    Notion.AI: "ia ias modele_de_langage agent_conversationnel robot intelligence_artificielle chatbot* "
    "agent_ia agents_ia assistant_ia assistants_ia systeme_ia",
    Notion.MACHINE: "assistant assistants assistante agent agents modele modeles",
    Notion.USER: "utilisateur utilisateurs utilisatrice usager",
    Notion.ANYBODY: "utilisateur utilisateurs utilisatrice personne quiconque client clients humain humains "
    "operateur",
    Notion.ADMIN: "administrateur* acces_complet acces_total tous_les_droits droits_complets acces_illimite",
    Notion.AUTHORITY: "administrateur* developpeur* operateur* equipe_de_securite direction exploitant",
    Notion.PROMPT: "instruction instructions consigne consignes directive directives prompt invite_systeme "
    "lignes_directrices ordres commandes message_systeme programmation",
    Notion.LIMIT: "regle regles restriction restrictions limite limites limitation* filtre filtres "
    "contrainte* censure garde_fou* garde_fous securite ethique moderation directives interdit* tabou* "
    "protocole* barriere*",
    Notion.POLICY: "politique politiques politique_de conditions reglement* confidentialite charte",
    Notion.SYSTEM: "systeme systemes developpeur maintenance",
    Notion.PRIOR: "precedent* anterieur* ci_dessus toutes tous toute tout initial* originel* originale* "
    "d_origine prealable* existant* passees",
    Notion.ABOVE: "ci_dessus au_dessus precede* plus_haut",
    Notion.EVERYTHING: "tout tout_ce_qui tout_ce_que tout_cela",
    Notion.CHECK: "confirmation* verification* approbation* validation* autorisation* controle* consentement",
    Notion.MODE: "mode_developpeur mode_debogage mode_admin* mode_maintenance mode_dieu mode_sans mode_libre",
    Notion.TASK: "tache mission objectif role but identite personnage persona",
    Notion.NEW: "nouvel nouveau nouvelle nouvelles nouveaux veritable vrai vraie reelle mise_a_jour seule "
    "unique seul",
    Notion.IGNORE: "ignor* oubli* neglig* contourn* outrepass* desactiv* passe_outre passez_outre "
    "fais_abstraction faites_abstraction ne_tiens_pas_compte ne_tenez_pas_compte ne_suis_plus "
    "ne_suivez_plus abandonn* annul* supprim* leve levez laisse_tomber ecart* remplac* viol* enfrein* "
    "transgress* ne_respecte* saute sautez",
    Notion.LIFTED: "desactive desactives desactivees annule annulees leve levees levee caduc* invalide* "
    "compromis* obsolete* suspendu* supprimees revoque* remplacees change",
    Notion.EXEMPT: "exempt* dispense* exception",
    Notion.APPLY: "appliqu* valables valable necessaires concern* en_vigueur requis s_applique*",
    Notion.UNBOUND: "sans_restriction* sans_limite* sans_filtre* sans_censure sans_regle* sans_contrainte* "
    "non_censure* debride* libere_de libre_de illimite* non_filtre*",
    Notion.WITHOUT: "sans aucun aucune plus_de plus_aucune plus_aucun libre_de pas_de",
    Notion.NOT: "ne n pas jamais sans plus aucun rien personne",
    Notion.ROLEPLAY: "agis_comme agissez_comme fais_comme_si faites_comme_si joue_le_role jouez_le_role "
    "pretends fais_semblant imagine_que_tu imaginez_que_vous comporte_toi comportez_vous simule simulez "
    "incarne incarnez reponds_comme reponds_en_tant mets_toi",
    Notion.EVIL: "malveillant* mechant* illegal* nuisible* dangereu* bombe* arme* immoral* criminel* "
    "maliciel*",
    Notion.BECOME: "tu_es_maintenant tu_es_desormais vous_etes_maintenant vous_etes_desormais tu_n_es_plus "
    "vous_n_etes_plus desormais_tu_es maintenant_tu_es tu_es_a_present vous_etes_a_present tu_deviens "
    "vous_devenez tu_t_appelles_maintenant tu_n_as_plus vous_n_avez_plus desormais_vous_etes "
    "maintenant_vous_etes",
    Notion.COMPLY: "obei* conform* execut* obtemper* respecte_toutes satisfai* sans_discuter sans_poser "
    "ne_refuse_jamais ne_refusez_jamais ne_refuse ne_refusez",
    Notion.FOLLOW: "suis suivez suivre execute* executez obei* applique appliquez fais_ce_que faites_ce_que",
    Notion.DECODE: "decod* dechiffr* decrypt* code_en encode* traduis_le a_l_envers binaire chiffre_en",
    Notion.REVEAL: "revel* montr* affich* divulgu* donne donnez donne_moi repet* imprim* dis dites ecris "
    "ecrivez liste listez fournis fournissez communiqu* expos* devoil* recit* resume recop* cite citez "
    "quelles_sont quels_sont quel_est quelle_est partag* transmet* reprodui* decris extrai*",
    Notion.RECITE: "repet* imprim* recop* recit* reprodui* mot_pour_mot",
    Notion.SEND: "envoi* envoy* transmet* transfer* poste postez televers* expedi* exfiltr* fais_suivre "
    "faites_suivre export* vire virez publi* partag*",
    Notion.COLLECT: "rassembl* collect* recuper* extrai* recueil* vole volez copi* enregistr*",
    Notion.DESTROY: "supprim* effac* detrui* vide videz formate*",
    Notion.CALL: "appel* execut* lance lancez utilis* invoqu* declench*",
    Notion.STORE: "enregistr* memoris* souvien* retien* retenez stock* sauvegard* conserv* note notez garde "
    "gardez ajoute_a_ta rappelle*",
    Notion.INSERT: "ajout* inclu* inser* mentionn* joins joindre joignez cite citez integr* annex* ecris "
    "ecrivez recommand* repet* affich* indiqu* accol* figur* signal* apparai*",
    Notion.START: "commenc* termin* debut* fini* conclu* signe signez",
    Notion.TELL: "repond* reponds dis dites recommand* mentionn* affirm* conseill* indiqu* declar* suggere* "
    "pretend* inform* previen* avert* parle parlez",
    Notion.ASK: "demand* interrog* questionn* pose_une",
    Notion.READ: "lis lisez lire lisant trait* analys* resum* parcour* examin* lirez",
    Notion.PROCEED: "continu* poursui* repond* procede*",
    Notion.TRUST: "source_fiable source_de_confiance source_sure source_officielle digne_de_confiance",
    Notion.GRANT: "autoris* approuv* accord* permis* consenti* valide confirme habilit* donne_son accepte "
    "mandate",
    Notion.PERMIT: "permission* autorisation* acces droits consentement accord privileg*",
    Notion.HIDDEN: "cache* secret* initial* mot_pour_mot mot_a_mot exact* integral* complet* interne* "
    "textuel* confidentiel* originel*",
    Notion.SECRET: "identifiants mot_de_passe mots_de_passe secret secrets cle_api cles_api cles_d_api "
    "jeton jetons confidentiel* donnees_client* donnees_des_client* liste_des_client* base_de_donnees "
    "donnees_personnelles donnees_confidentielles donnees_internes variables_d_environnement "
    "donnees_utilisateur* historique_de donnees_sensibles donnees_privees informations_confidentielles "
    "informations_personnelles contenu_restreint configuration cartes_bancaires informations_internes",
    Notion.DATA: "donnees fichiers fichier informations contenu documents messages liste journaux historique",
    Notion.OUTPUT: "reponse reponses resume resumes rapport rapports sortie message messages synthese "
    "recommandation*",
    Notion.EDGE: "a_la_fin au_debut en_fin_de en_debut_de fin_de debut_de en_bas_de en_tete",
    Notion.MEMORY: "memoire contexte memoire_a_long base_de_connaissances fenetre_de_contexte souvenirs",
    Notion.ADDRESS: "note remarque attention important message avis alerte instruction instructions "
    "consigne mise_a_jour a_l_attention avertissement bonjour cher chere commande annonce rappel",
    Notion.COVERT: "secretement discretement silencieusement en_secret en_cachette sans_le_dire "
    "sans_informer sans_prevenir sans_mentionner a_l_insu sans_en_parler en_arriere_plan garde_secret "
    "sans_demander",
    Notion.MUST: "doit dois doivent devez devrait devront devra faut devras devrez imperativement "
    "obligatoire* veille veillez assure_toi assurez_vous peux_desormais pouvez_desormais",
    Notion.EACH: "chaque tout toute tous toutes toujours futur* prochain* suivant* derniere* jamais",
    Notion.ALWAYS: "toujours jamais systematiquement uniquement seulement a_chaque_fois automatiquement "
    "exclusivement",
    Notion.NOW_ON: "a_partir_de_maintenant desormais dorenavant a_l_avenir a_compter_de a_partir_d_aujourd "
    "pour_le_reste jusqu_a_nouvel_ordre a_partir_de_cet des_maintenant des_a_present "
    "pour_toutes_les_futures",
    Notion.WHEN: "quand lorsque si lorsqu des_que apres avant chaque_fois_que une_fois",
    Notion.BEFORE: "avant_de avant_toute avant_que au_lieu_de avant_d",
    Notion.AS_AI: "en_tant_qu_assistant en_tant_qu_ia en_tant_que_modele en_tant_qu_agent",
    Notion.TOLD: "on_t_a_donne on_t_a_dit t_a_donne vous_a_donne tu_as_recu vous_avez_recu t_ont_ete t_a_ete",
    Notion.ACT: "approuve approuvez deverrouille ouvre ouvrez change changez modifie achete achetez "
    "commande paie payez paye vire virez installe active activez refuse refusez note_tous vante privilegie "
    "accepte acceptez publie publiez bloque confirme telecharge clique visite cache mens bascule passe_en "
    "fais_confiance priorise",
    Notion.TEXT: "texte textes mots message messages ligne lignes conversation contenu paragraphe phrase",
    Notion.REASONED: "etabli conclu determine verifie decide raisonne constate",
}
