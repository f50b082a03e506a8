"""Italian words of orders to an assistant."""

from __future__ import annotations

from assistant.memory.caution.concepts import Lexicon, Notion

ORDERS: Lexicon = {
    Notion.ME: "io mi mio mia miei mie noi nostro nostra nostri lui lei loro sono ho abbiamo",
    Notion.YOU: "tu te ti sei voi siete puoi devi hai ora_sei",
    Notion.YOUR: "tuo tua tuoi tue vostro vostra vostre vostri",
    Notion.AI: "ia ai modello_linguistico intelligenza_artificiale robot agente_ia agenti_ia assistente_ia "
    "assistente_ai agenti_ai sistema_ia chatbot*",
    Notion.MACHINE: "assistente assistenti agente agenti modello modelli",
    Notion.USER: "utente utenti",
    Notion.ANYBODY: "utente utenti nessuno qualcuno cliente clienti umano operatore chiunque",
    Notion.ADMIN: "amministrator* accesso_completo accesso_totale accesso_illimitato",
    Notion.AUTHORITY: "amministrator* sviluppator* operator* team_di_sicurezza direzione gestore",
    Notion.PROMPT: "istruzion* direttiv* prompt linee_guida ordini comandi messaggio_di_sistema indicazioni "
    "consegne programmazione",
    Notion.LIMIT: "regola regole restrizion* limite limiti limitazion* filtro filtri vincol* censura "
    "sicurezza etica linee_guida barrier* moderazione protocoll* divieti norme",
    Notion.POLICY: "politica politiche norme policy riservatezza termini normativ*",
    Notion.SYSTEM: "sistema sistemi sviluppatore manutenzione",
    Notion.PRIOR: "precedent* prior* tutte tutti tutto iniziali iniziale original* sopra esistent* passate",
    Notion.ABOVE: "sopra precedent* precede*",
    Notion.EVERYTHING: "tutto tutto_cio tutto_quello tutto_quanto",
    Notion.CHECK: "conferma conferme verifica verifiche approvazion* autorizzazion* controlli controllo "
    "consenso validazion*",
    Notion.MODE: "modalita_sviluppator* modalita_di_sviluppo modalita_admin* modalita_debug modalita_dio "
    "modalita_manutenzione modalita_senza modalita_libera modalita_amministrator*",
    Notion.TASK: "compito obiettivo missione ruolo identita scopo personaggio",
    Notion.NEW: "nuova nuove nuovo nuovi vera vero reale unica unico aggiornat* seguenti principale",
    Notion.IGNORE: "ignor* dimentic* scart* aggir* disattiv* annull* tralasci* trascur* non_seguire "
    "non_considerare non_tenere_conto lascia_perdere salta saltare elimina elud* sovrascriv* viola violare "
    "bypassa sostituisci supera ometti omettere metti_da_parte rimuovi",
    Notion.LIFTED: "disattivat* annullat* sospes* compromess* non_valid* revocat* rimoss* obsolet* decadut* "
    "cambiat* superat* sostituit*",
    Notion.EXEMPT: "esent* esonerat* eccezione esclus*",
    Notion.APPLY: "valgono vale applica* applicano valide necessari* vigore",
    Notion.UNBOUND: "senza_restrizion* senza_limit* senza_filtr* senza_censur* senza_regol* senza_vincol* "
    "libero_da illimitat* non_censurat* senza_freni",
    Notion.WITHOUT: "senza nessuna nessun nessuno alcuna alcun libero_da privo priva non_hai non_ci_sono",
    Notion.NOT: "non mai senza ne nessun nulla niente",
    Notion.ROLEPLAY: "agisci fingi comportati simula interpreta immagina_di_essere impersona fai_finta "
    "recita rispondi_come assumi_il_ruolo comportarti facciamo_finta",
    Notion.EVIL: "malvag* malevol* illegal* dannos* pericolos* bomba* armi arma immoral* criminal* cattiv*",
    Notion.BECOME: "ora_sei adesso_sei sei_ora sei_adesso non_sei_piu d_ora_in_poi_sei da_ora_sei "
    "sei_diventato ora_ti_chiami non_hai_piu ora_hai siete_ora ora_siete da_adesso_sei sei_ormai",
    Notion.COMPLY: "obbed* esegui_tutto soddisf* rispett* asseconda acconsenti senza_discutere ottemper* "
    "esegui non_rifiutare non_rifiutarti mai_rifiutare",
    Notion.FOLLOW: "segui seguire esegui eseguire obbedisci fai_quello_che fai_cio_che applica",
    Notion.DECODE: "decodific* decifr* decritt* codificat* al_contrario traduci_da binario cifrat*",
    Notion.REVEAL: "rivel* mostr* stamp* ripet* divulg* elenc* dimmi dammi fornisci forniscimi comunic* "
    "scriv* esponi condivid* recita riporta quali_sono qual_e riassumi trascriv* visualizz* svela descriv* "
    "riproduc* estrai",
    Notion.RECITE: "ripet* stamp* trascriv* riporta recita parola_per_parola riproduc*",
    Notion.SEND: "invia inviare inviali inviale invialo invii manda mandare mandali inoltr* trasmett* "
    "carica trasferisc* spedisci pubblica esfiltra esporta condivid*",
    Notion.COLLECT: "raccogli raccogliere estrai estrarre ruba recupera copia registra",
    Notion.DESTROY: "cancell* elimin* distrugg* svuot* rimuov* formatta",
    Notion.CALL: "chiama chiamare esegui usa utilizza invoca avvia",
    Notion.STORE: "salva salvare ricord* memorizz* registr* conserv* annot* archivi* tieni_presente",
    Notion.INSERT: "aggiung* aggiunt* includ* inclus* inser* menzion* cita citare alleg* incorpor* scriv* "
    "consigli* raccomand* ripet* mostr* indica riporta metti appari* compari* compaia",
    Notion.START: "inizia iniziare comincia termina terminare concludi finisci firma",
    Notion.TELL: "rispond* dire raccomand* consigli* menziona afferma suggerisci digli indica dillo inform* "
    "avvis* parlare",
    Notion.ASK: "chied* chiest* domand* richied*",
    Notion.READ: "leggi legge leggere elabor* analizz* riassum* esamin* processa",
    Notion.PROCEED: "continu* prosegu* rispond* proced*",
    Notion.TRUST: "fonte_affidabile fonte_attendibile fonte_ufficiale fonte_di_fiducia",
    Notion.GRANT: "autorizz* approvat* approva concess* concedi permess* acconsentit* verificato confermato "
    "abilitat* accettat* consentit* accorda",
    Notion.PERMIT: "permesso permessi accesso autorizzazion* privilegi consenso diritti",
    Notion.HIDDEN: "nascost* segret* iniziale iniziali esatt* parola_per_parola testual* complet* intern* "
    "letteral* integral*",
    Notion.SECRET: "credenzial* password segreti segreto segreta chiave_api chiavi_api token riservat* "
    "dati_dei_client* dati_client* elenco_client* lista_client* database dati_personali dati_interni "
    "dati_riservati chiavi variabili_d_ambiente variabili_di_ambiente dati_sensibili informazioni_riservate "
    "cronologia dati_privati configurazione dati_utente dati_degli_utenti contenuti_riservati",
    Notion.DATA: "dati file informazioni contenuto documenti messaggi elenco lista registri",
    Notion.OUTPUT: "risposta risposte riassunto riassunti riepilogo rapporto rapporti relazione output "
    "messaggio messaggi",
    Notion.EDGE: "alla_fine all_inizio in_fondo fine_di in_cima al_termine",
    Notion.MEMORY: "memoria contesto memoria_a_lungo base_di_conoscenza finestra_di_contesto ricordi",
    Notion.ADDRESS: "nota avviso attenzione importante messaggio allerta istruzione istruzioni "
    "per_l_assistente aggiornamento comando ordine notifica ciao avvertenza promemoria",
    Notion.COVERT: "segretamente in_segreto di_nascosto silenziosamente senza_dirlo senza_informare "
    "senza_avvisare senza_menzionare all_insaputa senza_chiedere tienilo_segreto",
    Notion.MUST: "deve devi devono dovrai dovra dovresti bisogna obbligatori* assicurati assicuratevi "
    "dovranno",
    Notion.EACH: "ogni tutte tutti tutto sempre qualsiasi qualunque futur* prossim* seguente mai",
    Notion.ALWAYS: "sempre mai soltanto solo ogni_volta automaticamente esclusivamente unicamente",
    Notion.NOW_ON: "d_ora_in_poi da_ora_in_poi da_adesso da_questo_momento d_ora_in_avanti da_ora_in_avanti "
    "in_futuro a_partire_da_ora per_il_resto da_oggi_in_poi fino_a_nuovo_ordine",
    Notion.WHEN: "quando se ogni_volta_che prima_di dopo_aver appena una_volta",
    Notion.BEFORE: "prima_di prima_della invece_di",
    Notion.AS_AI: "come_assistente come_ia come_modello come_ai come_un_assistente in_qualita_di_assistente",
    Notion.TOLD: "ti_hanno_dato ti_e_stato ti_sono_state hai_ricevuto ti_hanno_detto",
    Notion.ACT: "approva sblocca apri cambia modifica compra acquista paga installa attiva rifiuta "
    "rifiutati elogia privilegia accetta pubblica blocca conferma scarica clicca visita nascondi menti "
    "fidati valuta trasferisci prenota programma",
    Notion.TEXT: "testo testi parole messaggio messaggi riga righe conversazione contenuto paragrafo frase",
    Notion.REASONED: "stabilito concluso determinato verificato deciso ragionato accertato",
}
