"""German words of orders to an assistant; Dutch ones where they differ little."""

from __future__ import annotations

from assistant.memory.caution.concepts import Lexicon, Notion

COMPOUNDS: Lexicon = {
    Notion.PROMPT: "anweisung instruktion vorgabe systemprompt systemnachricht richtlinie direktive "
    "systemtext",
    Notion.LIMIT: "richtlinie einschränkung beschränkung sicherheitsregel sicherheitsvorkehrung "
    "sicherheitsmaßnahme sicherheitsprotokoll schutzmaßnahme inhaltsfilter sicherheitsfilter "
    "schutzmechanism",
    Notion.SYSTEM: "systemprompt systemnachricht systemanweisung systemhinweis systemmeldung systemwarnung "
    "systemupdate systeminstruktion systembefehl systemrichtlinie systemtext systemmitteilung",
    Notion.ADDRESS: "systemhinweis systemmeldung systemwarnung systemupdate systemmitteilung "
    "sicherheitshinweis",
    Notion.SECRET: "zugangsdaten kundendaten kundenliste benutzerdaten nutzerdaten passwört passwort "
    "kundendatenbank umgebungsvariable anmeldedaten schlüsseldatei kontodaten gesprächsverlauf chatverlauf",
    Notion.AI: "sprachmodell chatbot",
    Notion.MODE: "entwicklermodus wartungsmodus adminmodus gottmodus entwicklermodu",
    Notion.UNBOUND: "uneingeschränk unzensier ungefiltert uneingeschraenk unbeschränk schrankenlos",
    Notion.CHECK: "bestätigung sicherheitsprüfung sicherheitsabfrage",
}

ORDERS: Lexicon = {
    Notion.ME: "ich wir mein meine meinen meinem meiner unser unsere unseren mich mir er ihm seine",
    Notion.YOU: "du dich dir bist sie_sind sie_müssen sie_dürfen hast_du kannst_du jij bent_nu",
    Notion.YOUR: "dein deine deinen deinem deiner deines ihre_anweisung* ihre_richtlinie* ihren_system* "
    "ihre_system* ihrer_anweisung* jouw je_instructies uw_instructies",
    Notion.AI: "ki kis ki_assistent* ki_modell* ki_agent* ki_system* roboter taalmodel",
    Notion.MACHINE: "assistent assistenten assistentin agent agenten modell modelle",
    Notion.USER: "nutzer nutzers benutzer benutzers anwender anwenders nutzerin gebruiker",
    Notion.ANYBODY: "nutzer benutzer anwender niemand* jemand* kunde kunden kundin menschen betreiber "
    "gebruiker",
    Notion.ADMIN: "administrator* adminrechte administratorrechte vollzugriff vollen_zugriff "
    "vollständigen_zugriff volle_rechte systemadministrator*",
    Notion.AUTHORITY: "entwickler betreiber administrator* sicherheitsteam geschäftsleitung "
    "systemadministrator* vorgesetzte* kundendienst_leitung",
    Notion.PROMPT: "anweisung* instruktion* vorgaben richtlinie* direktive* befehle befehlen systemprompt* "
    "prompt aufforderung* leitlinie* weisung* instructies programmierung",
    Notion.LIMIT: "regel regeln einschränk* beschränk* filter schranken grenzen zensur limits limit "
    "richtlinien sicherheitsregel* tabus moral ethik schutzregel* beperking* regels leitlinie* vorschriften "
    "hemmung*",
    Notion.POLICY: "sicherheitsrichtlinie* inhaltsrichtlinie* nutzungsbedingung* vorschrift* datenschutz* "
    "gesetze privatsphäre",
    Notion.SYSTEM: "system systems entwickler wartung",
    Notion.PRIOR: "vorherig* bisherig* obig* vorangegangen* vorig* früher* vorstehend* alle allen aller "
    "sämtliche* ursprüngliche* oben jede vorgenannt* ältere* vorige bestehend* vorgaande eerdere",
    Notion.ABOVE: "oben vorstehend* darüber obige* zuvor bisher",
    Notion.EVERYTHING: "alles sämtliches alles_bisherige alles_was alles_obige",
    Notion.CHECK: "bestätigung* prüfung* überprüfung* genehmigung* freigabe* rückfrage* zustimmung* "
    "nachzufragen nachfrage* kontrolle* sicherheitsprüfung*",
    Notion.MODE: "entwicklermodus entwickler_modus debug_modus admin_modus gott_modus wartungsmodus "
    "dan_modus debugmodus ontwikkelaarsmodus",
    Notion.TASK: "aufgabe ziel auftrag rolle persona identität mission aufgaben zweck",
    Notion.NEW: "neu neue neuen neuer neues aktualisiert* eigentlich* wahre wahren wahres echte echten "
    "geänderte* einzige einziges folgende* tatsächliche*",
    Notion.IGNORE: "ignorier* missacht* mißacht* vergiss vergesst vergessen umgeh* umgehe überschreib* "
    "übergeh* deaktivier* verwirf verwerfen überspring* setz*_dich_über hinwegsetzen außer_acht außer_kraft "
    "streich* nicht_beachten beachte_nicht nicht_mehr_befolg* hebe* aufheben entferne* lass_alle negeer "
    "vergeet unterlass* abschalten schalte missachte brich",
    Notion.LIFTED: "deaktiviert aufgehoben ungültig außer_kraft abgeschaltet kompromittiert hinfällig "
    "überholt ausgesetzt ersetzt entfernt geändert freigeschaltet",
    Notion.EXEMPT: "ausgenommen befreit ausnahme",
    Notion.APPLY: "gelten gilt gültig anwendbar zutreffen nötig erforderlich notwendig greifen",
    Notion.UNBOUND: "uneingeschränkt* unzensiert* ungefiltert* unbegrenzt* entfesselt* hemmungslos* "
    "frei_von grenzenlos* schrankenlos* ohne_filter ohne_regeln",
    Notion.WITHOUT: "ohne kein keine keinen keinerlei keiner frei_von zonder geen jenseits",
    Notion.NOT: "nicht nie niemals kein keine keinesfalls ohne auf_keinen_fall nooit niet nichts kein_wort",
    Notion.ROLEPLAY: "spiele spiel tu_so tue_so verhalte_dich benimm_dich agiere simuliere stell_dir_vor "
    "schlüpf* gib_dich_als gib_vor antworte_als handle_als sei_ein übernimm_die_rolle nimm_die_rolle",
    Notion.EVIL: "böse* bösartig* schädlich* illegal* unethisch* gefährlich* bombe* waffe* schadsoftware "
    "kriminell*",
    Notion.BECOME: "du_bist_jetzt du_bist_nun du_bist_ab jetzt_bist_du nun_bist_du du_bist_nicht_mehr "
    "du_bist_kein ab_jetzt_bist_du von_nun_an_bist_du ab_sofort_bist_du sie_sind_jetzt sie_sind_nun "
    "du_heißt_jetzt du_hast_jetzt du_hast_keine bist_du_jetzt bist_du_nun jij_bent_nu je_bent_nu",
    Notion.COMPLY: "befolg* gehorch* führe_aus ausführen nachkommen komm*_nach erfüll* folge_allen tu_alles "
    "gehorsam* ohne_widerspruch niemals_ablehnen nie_ablehnen lehne_niemals lehne_nie verweigere_nie* "
    "verweigere_niemals",
    Notion.FOLLOW: "befolge befolgen folge ausführ* führ* befolgst handle tue befolg*",
    Notion.DECODE: "dekodier* decodier* entschlüssel* kodiert* verschlüsselt* rückwärts entziffer* "
    "übersetze umwandel* binär*",
    Notion.REVEAL: "zeig zeige zeigen zeigst verrat verrate verraten enthüll* offenbar* nenn nenne nennen "
    "wiederhol* druck* ausgeben ausgib gib gibst gebe preisgeben preis liste auflisten offenleg* lege_offen "
    "zitier* schreib* sag sage teile_mir mitteilen was_ist was_sind wie_lauten wie_lautet was_steht "
    "fass_zusammen erzähl* toon reproduzier* beschreib* veröffentlich* onthul",
    Notion.RECITE: "wiederhol* zitier* druck* wortwörtlich ausgeben gib schreib* kopier*",
    Notion.SEND: "sende senden schick schicke schicken verschick* versende* übermittl* übertrag* "
    "weiterleiten leite leiten lade_hoch hochladen poste mail maile e_maile überweis* exfiltrier* "
    "exportier* stuur verzend* weitergeben",
    Notion.COLLECT: "sammle sammeln sammel extrahier* hol hole lies kopier* erfass* protokollier* durchsuch*",
    Notion.DESTROY: "lösch lösche löschen entfern* vernicht* zerstör* leere leeren formatier* verwijder",
    Notion.CALL: "rufe ruf aufrufen führ* ausführ* verwend* nutze benutze starte",
    Notion.STORE: "speicher* merk* behalt* notier* erinner* sichere ablegen hinterleg* abspeicher* onthoud",
    Notion.INSERT: "füg* hinzufüg* hinzu anhäng* angehängt hänge einfüg* eingefügt erwähn* beifüg* ergänz* "
    "enthalten einbau* bau* aufnehmen aufgenommen nenn* wiederhol* schreib* zitier* empfehl* empfiehl "
    "bewirb bewerb* hinzugefügt angeben angegeben einbett* voegtoe voeg angezeigt erschein*",
    Notion.START: "beginn* beend* starte fang* schließ* eröffn* unterschreib*",
    Notion.TELL: "antwort* beantwort* sag sage sagen sagst empfiehl empfehl* nenn* erwähn* behaupt* "
    "erwider* reagier* entgegn* schreib* antwoord mitteil* informier* verrat* benachrichtig*",
    Notion.ASK: "gefragt fragt frage fragst fragen nachfrag* gebeten bittet erkundigt wissen_will",
    Notion.READ: "liest lesen lese verarbeit* zusammenfass* zusammenfasst analysier* auswert* prüfst "
    "bearbeit* auswertest einliest gelesen leest",
    Notion.PROCEED: "fortfahr* weitermach* antwort* fahre_fort mach_weiter",
    Notion.TRUST: "vertrauenswürdige_quelle verlässliche_quelle zuverlässige_quelle vertrauenswürdig* "
    "offizielle_quelle",
    Notion.GRANT: "autorisiert genehmigt erlaubt bewilligt zugestimmt eingewilligt bestätigt freigegeben "
    "berechtigt gestattet ermächtigt beauftragt angewiesen befugt gewähr* einverstanden zustimmt erlaubnis",
    Notion.PERMIT: "erlaubnis berechtigung* zugriff zugang freigabe genehmigung* vollmacht zustimmung "
    "rechte einwilligung",
    Notion.HIDDEN: "versteckt* wortwörtlich* wörtlich* geheim* genau* vollständig* intern* initial* exakt* "
    "verborgen* ursprünglich* gesamt*",
    Notion.SECRET: "zugangsdaten passwort passwörter kennwort kennwörter geheimnis* vertraulich* "
    "kundendaten* kundenliste* datenbank geheime* schlüssel token nutzerdaten benutzerdaten anmeldedaten "
    "umgebungsvariable* interne internen personenbezogen* api_schlüssel* chatverlauf gesprächsverlauf "
    "kreditkarten* kontodaten konfiguration* sensible* private_daten wachtwoord* klantgegevens",
    Notion.DATA: "daten dateien datei informationen inhalt inhalte unterlagen dokumente nachrichten liste "
    "protokolle",
    Notion.OUTPUT: "antwort antworten zusammenfassung* bericht berichte berichten ausgabe ausgaben "
    "nachricht nachrichten antwoord empfehlung* rückmeldung* stellungnahme*",
    Notion.EDGE: "am_ende am_anfang zu_beginn am_schluss ans_ende an_den_anfang am_beginn als_erstes zuletzt",
    Notion.MEMORY: "gedächtnis langzeitgedächtnis erinnerung erinnerungen speicher langzeitspeicher kontext "
    "wissensbasis kontextfenster* langzeitgedächtnis*",
    Notion.ADDRESS: "hinweis achtung wichtig notiz nachricht mitteilung meldung warnung update anweisung "
    "befehl aktualisierung an_alle an_die für_die hallo liebe lieber alarm",
    Notion.COVERT: "heimlich unbemerkt stillschweigend unauffällig im_hintergrund im_stillen ohne_wissen "
    "verschweig* ohne_es_zu_sagen halte_geheim geheim_halten verheimlich* ohne_zu_erwähnen ohne_zu_fragen "
    "ohne_nachzufragen",
    Notion.MUST: "muss müssen musst soll sollst sollen sollte sollten sollten_sie musste unbedingt zwingend "
    "darfst dürfen darf verpflichtet haben_zu hat_zu ist_zu sind_zu moet moeten",
    Notion.EACH: "jede jeder jedes jedem jeden alle allen aller immer künftig* zukünftig* weitere* "
    "folgende* stets nächste* letzte* elke",
    Notion.ALWAYS: "immer stets nie niemals grundsätzlich ausschließlich jedes_mal jedesmal automatisch nur "
    "altijd",
    Notion.NOW_ON: "ab_jetzt ab_sofort von_nun_an künftig zukünftig in_zukunft fortan ab_heute "
    "ab_diesem_zeitpunkt bis_auf_weiteres für_den_rest von_jetzt_an ab_nun dauerhaft fürderhin "
    "ab_diesem_moment vanaf_nu",
    Notion.WHEN: "wenn falls sobald nachdem immer_wenn bevor ehe sofern beim wanneer",
    Notion.BEFORE: "bevor vor_der ehe vor_dem anstatt statt",
    Notion.AS_AI: "als_assistent als_ki als_der_assistent als_sprachmodell als_dein_assistent als_modell "
    "gedanke_assistent",
    Notion.TOLD: "dir_gegeben dir_gesagt dir_mitgeteilt du_bekommen du_erhalten dir_vorgegeben dir_erteilt "
    "du_befolgst",
    Notion.ACT: "genehmige bestätige entsperre öffne setze ändere kaufe bestelle zahle bezahle bezahl "
    "überweise installiere aktiviere deaktiviere verweiger* bewerte lobe bevorzuge vertraue blockiere "
    "akzeptiere veröffentliche buche kündige starte lehne wechsle wechsel schalte schalt bezahlen klicke "
    "besuche verberge lüge priorisier*",
    Notion.TEXT: "text texte wörter worte zeile zeilen nachricht nachrichten absatz gespräch unterhaltung "
    "inhalt",
    Notion.REASONED: "festgestellt entschieden beschlossen geschlussfolgert überlegt erkannt verifiziert "
    "geprüft überzeugt geschlossen",
}
