"""Pairs of statements, from templates in five languages: some differ in one detail, some in their wording only.

In a template `{}` is where the detail stands.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise


@dataclass(frozen=True, slots=True)
class Pair:
    """Two statements.

    Attributes:
        kind: what they differ in: "number", "date", "name", "negation", "repeat" or "wording".
        language: two letters.
        known, new: the statements, in the order in which they come.
    """

    kind: str
    language: str
    known: str
    new: str


_NUMBERS = {
    "en": (
        ("I have to take {} tablets of magnesium a day.", ("two", "three", "4")),
        ("Our flat costs {} euros a month.", ("850", "950", "1,850")),
        ("The spare key is in locker {}.", ("17", "71", "117")),
        ("My grandfather turned {} this spring.", ("eighty-one", "eighty-two", "91")),
        ("I run {} kilometres before breakfast.", ("5", "5.5", "15")),
    ),
    "de": (
        ("Ich muss täglich {} Tabletten Magnesium nehmen.", ("zwei", "drei", "4")),
        ("Unsere Wohnung kostet {} Euro im Monat.", ("850", "950", "1.850")),
        ("Der Ersatzschlüssel liegt im Fach {}.", ("17", "71", "117")),
        ("Mein Großvater ist {} Jahre alt.", ("einundachtzig", "zweiundachtzig", "91")),
        ("Vor dem Frühstück laufe ich {} Kilometer.", ("5", "5,5", "15")),
    ),
    "fr": (
        ("Je dois prendre {} comprimés de magnésium par jour.", ("deux", "trois", "4")),
        ("Notre appartement coûte {} euros par mois.", ("850", "950", "1850")),
        ("La clé de secours est dans le casier {}.", ("17", "71", "117")),
        ("Mon grand-père a {} ans.", ("quatre-vingt-un", "quatre-vingt-deux", "91")),
        ("Je cours {} kilomètres avant le petit-déjeuner.", ("5", "5,5", "15")),
    ),
    "es": (
        ("Tengo que tomar {} pastillas de magnesio al día.", ("dos", "tres", "4")),
        ("Nuestro piso cuesta {} euros al mes.", ("850", "950", "1850")),
        ("La llave de repuesto está en la taquilla {}.", ("17", "71", "117")),
        ("Mi abuelo tiene {} años.", ("ochenta y uno", "ochenta y dos", "91")),
        ("Corro {} kilómetros antes de desayunar.", ("5", "5,5", "15")),
    ),
    "it": (
        ("Devo prendere {} compresse di magnesio al giorno.", ("due", "tre", "4")),
        ("Il nostro appartamento costa {} euro al mese.", ("850", "950", "1850")),
        ("La chiave di riserva è nell'armadietto {}.", ("17", "71", "117")),
        ("Mio nonno ha {} anni.", ("ottantuno", "ottantadue", "91")),
        ("Corro {} chilometri prima di colazione.", ("5", "5,5", "15")),
    ),
}
_DATES = {
    "en": (
        ("The plumber comes on {}.", ("Tuesday", "Thursday", "3 May")),
        ("Our wedding anniversary is on {}.", ("June 12", "July 12", "June 21")),
        ("I graduated in {}.", ("2009", "2010", "March 2009")),
        ("Choir practice starts at {}.", ("7 pm", "7:30 pm", "8 pm")),
    ),
    "de": (
        ("Der Klempner kommt am {}.", ("Dienstag", "Donnerstag", "3. Mai")),
        ("Unser Hochzeitstag ist der {}.", ("12. Juni", "12. Juli", "21. Juni")),
        ("Meinen Abschluss habe ich {} gemacht.", ("2009", "2010", "im März 2009")),
        ("Die Chorprobe beginnt um {}.", ("19 Uhr", "19:30 Uhr", "20 Uhr")),
    ),
    "fr": (
        ("Le plombier vient {}.", ("mardi", "jeudi", "le 3 mai")),
        ("Notre anniversaire de mariage est le {}.", ("12 juin", "12 juillet", "21 juin")),
        ("J'ai eu mon diplôme en {}.", ("2009", "2010", "mars 2009")),
        ("La répétition de la chorale commence à {}.", ("19 h", "19 h 30", "20 h")),
    ),
    "es": (
        ("El fontanero viene el {}.", ("martes", "jueves", "3 de mayo")),
        ("Nuestro aniversario de boda es el {}.", ("12 de junio", "12 de julio", "21 de junio")),
        ("Me gradué en {}.", ("2009", "2010", "marzo de 2009")),
        ("El ensayo del coro empieza a las {}.", ("19:00", "19:30", "20:00")),
    ),
    "it": (
        ("L'idraulico viene {}.", ("martedì", "giovedì", "il 3 maggio")),
        ("Il nostro anniversario di matrimonio è il {}.", ("12 giugno", "12 luglio", "21 giugno")),
        ("Mi sono laureato nel {}.", ("2009", "2010", "marzo 2009")),
        ("Le prove del coro iniziano alle {}.", ("19:00", "19:30", "20:00")),
    ),
}
_NAMES = {
    "en": (
        ("My cousin {} plays the cello.", ("Anna", "Anne", "Hanna")),
        ("I bought my bike from {}.", ("Decathlon", "Canyon", "Marco")),
        ("Every summer we stay near {}.", ("Siena", "Vienna", "Lake Como")),
        ("I would trust {} with my life.", ("Jonas", "Joan", "Priya")),
    ),
    "de": (
        ("Meine Cousine {} spielt Cello.", ("Anna", "Anne", "Hanna")),
        ("Mein Fahrrad habe ich bei {} gekauft.", ("Decathlon", "Canyon", "Marco")),
        ("Jeden Sommer sind wir in der Nähe von {}.", ("Siena", "Wien", "Como")),
        ("Ich würde {} mein Leben anvertrauen.", ("Jonas", "Johannes", "Priya")),
    ),
    "fr": (
        ("Ma cousine {} joue du violoncelle.", ("Anna", "Anne", "Hanna")),
        ("J'ai acheté mon vélo chez {}.", ("Decathlon", "Canyon", "Marco")),
        ("Chaque été nous allons près de {}.", ("Sienne", "Vienne", "Côme")),
        ("Je confierais ma vie à {}.", ("Jonas", "Jeanne", "Priya")),
    ),
    "es": (
        ("Mi prima {} toca el violonchelo.", ("Ana", "Anna", "Hana")),
        ("Compré mi bicicleta en {}.", ("Decathlon", "Canyon", "Orbea")),
        ("Cada verano vamos cerca de {}.", ("Siena", "Viena", "Como")),
        ("Le confiaría mi vida a {}.", ("Jonás", "Juana", "Priya")),
    ),
    "it": (
        ("Mia cugina {} suona il violoncello.", ("Anna", "Anne", "Hanna")),
        ("Ho comprato la bici da {}.", ("Decathlon", "Canyon", "Marco")),
        ("Ogni estate andiamo vicino a {}.", ("Siena", "Vienna", "Como")),
        ("Affiderei la mia vita a {}.", ("Giona", "Gianna", "Priya")),
    ),
}
_DENIALS = {
    "en": (
        ("I eat fish.", "I don't eat fish."),
        ("I'm afraid of heights.", "I'm not afraid of heights."),
        ("My brother smokes.", "My brother doesn't smoke."),
        ("I drink my tea with sugar.", "I drink my tea without sugar."),
        ("I have a driving licence.", "I have no driving licence."),
        ("I always lock the door.", "I never lock the door."),
        ("I can swim.", "I can't swim."),
        ("We still rent the allotment.", "We no longer rent the allotment."),
        ("I was vaccinated against tetanus.", "I wasn't vaccinated against tetanus."),
        ("Allergic to peanuts.", "Not allergic to peanuts."),
    ),
    "de": (
        ("Ich esse Fisch.", "Ich esse keinen Fisch."),
        ("Ich habe Höhenangst.", "Ich habe keine Höhenangst."),
        ("Mein Bruder raucht.", "Mein Bruder raucht nicht."),
        ("Ich trinke meinen Tee mit Zucker.", "Ich trinke meinen Tee ohne Zucker."),
        ("Ich habe einen Führerschein.", "Ich habe keinen Führerschein."),
        ("Ich schließe immer die Tür ab.", "Ich schließe nie die Tür ab."),
        ("Ich kann schwimmen.", "Ich kann nicht schwimmen."),
        ("Wir pachten den Schrebergarten noch.", "Wir pachten den Schrebergarten nicht mehr."),
        ("Ich wurde gegen Tetanus geimpft.", "Ich wurde nicht gegen Tetanus geimpft."),
    ),
    "fr": (
        ("Je mange du poisson.", "Je ne mange pas de poisson."),
        ("J'ai le vertige.", "Je n'ai pas le vertige."),
        ("Mon frère fume.", "Mon frère ne fume pas."),
        ("Je bois mon thé avec du sucre.", "Je bois mon thé sans sucre."),
        ("J'ai le permis de conduire.", "Je n'ai pas le permis de conduire."),
        ("Je ferme toujours la porte à clé.", "Je ne ferme jamais la porte à clé."),
        ("Je sais nager.", "Je ne sais pas nager."),
        ("Nous louons encore le jardin ouvrier.", "Nous ne louons plus le jardin ouvrier."),
        ("J'ai été vacciné contre le tétanos.", "Je n'ai pas été vacciné contre le tétanos."),
    ),
    "es": (
        ("Como pescado.", "No como pescado."),
        ("Tengo vértigo.", "No tengo vértigo."),
        ("Mi hermano fuma.", "Mi hermano no fuma."),
        ("Tomo el té con azúcar.", "Tomo el té sin azúcar."),
        ("Tengo carné de conducir.", "No tengo carné de conducir."),
        ("Siempre cierro la puerta con llave.", "Nunca cierro la puerta con llave."),
        ("Sé nadar.", "No sé nadar."),
        ("Todavía alquilamos el huerto.", "Ya no alquilamos el huerto."),
        ("Me vacuné contra el tétanos.", "No me vacuné contra el tétanos."),
    ),
    "it": (
        ("Mangio pesce.", "Non mangio pesce."),
        ("Soffro di vertigini.", "Non soffro di vertigini."),
        ("Mio fratello fuma.", "Mio fratello non fuma."),
        ("Bevo il tè con lo zucchero.", "Bevo il tè senza zucchero."),
        ("Ho la patente.", "Non ho la patente."),
        ("Chiudo sempre la porta a chiave.", "Non chiudo mai la porta a chiave."),
        ("So nuotare.", "Non so nuotare."),
        ("Affittiamo ancora l'orto.", "Non affittiamo più l'orto."),
        ("Sono stato vaccinato contro il tetano.", "Non sono stato vaccinato contro il tetano."),
    ),
}
_WORDINGS = {
    "en": (
        ("I live in {}.", "My home is in {}.", ("Ghent", "Bristol")),
        ("I live in {}.", "I'm based in {} these days.", ("Turku", "Oslo")),
        ("I work for {}.", "My employer is {}.", ("Bosch", "Acme Logistics")),
        ("My favourite colour is {}.", "{} is my favorite color.", ("Green", "Turquoise")),
        ("I have a peanut allergy.", "I'm allergic to peanuts.", ("",)),
        ("My daughter's name is {}.", "My daughter is called {}.", ("Ines", "Mia")),
        ("I play badminton on {}.", "On {} I play badminton.", ("Wednesdays", "Sundays")),
        ("I'm {} years old.", "I turned {}.", ("34", "fifty-one")),
        ("I take my coffee black.", "I drink my coffee black.", ("",)),
        ("I really enjoy hiking.", "I love hiking.", ("",)),
        ("I have got two sisters, {} and Zoe.", "I have two sisters, Zoe and {}.", ("Kim", "Ella")),
        ("My phone number is {}.", "You can reach me at {}.", ("0176 5550199", "020 7946 0018")),
        ("I don't eat meat.", "I do not eat any meat.", ("",)),
        ("I was born on {} 1990.", "My birthday is {} 1990.", ("3 May", "12 August")),
        ("I'm a nurse by profession.", "I work as a nurse.", ("",)),
        ("My wife {} teaches maths.", "My wife, {}, is teaching math.", ("Carla", "Noor")),
        ("The user prefers tea to coffee.", "I prefer tea to coffee.", ("",)),
        ("I'm learning {}.", "I am currently learning {}.", ("Finnish", "Dutch")),
    ),
    "de": (
        ("Ich wohne in {}.", "Mein Wohnort ist {}.", ("Graz", "Jena")),
        ("Ich wohne in {}.", "Ich lebe derzeit in {}.", ("Bern", "Kiel")),
        ("Ich arbeite bei {}.", "Mein Arbeitgeber ist {}.", ("Bosch", "Siemens")),
        ("Meine Lieblingsfarbe ist {}.", "{} ist meine Lieblingsfarbe.", ("Grün", "Türkis")),
        ("Ich bin gegen Erdnüsse allergisch.", "Ich bin allergisch gegen Erdnüsse.", ("",)),
        ("Meine Tochter heißt {}.", "Der Name meiner Tochter ist {}.", ("Ines", "Mia")),
        ("Ich spiele {} Badminton.", "{} spiele ich Badminton.", ("mittwochs", "sonntags")),
        ("Ich bin {} Jahre alt.", "Ich bin {}.", ("34", "einundfünfzig")),
        ("Ich trinke meinen Kaffee schwarz.", "Meinen Kaffee trinke ich schwarz.", ("",)),
        ("Ich gehe sehr gern wandern.", "Ich gehe gerne wandern.", ("",)),
        ("Ich esse kein Fleisch.", "Fleisch esse ich nicht.", ("",)),
        ("Ich bin von Beruf Krankenschwester.", "Ich arbeite als Krankenschwester.", ("",)),
        ("Ich habe am {} Geburtstag.", "Mein Geburtstag ist am {}.", ("3. Mai", "12. August")),
        ("Ich lerne gerade {}.", "Ich lerne {}.", ("Finnisch", "Niederländisch")),
    ),
    "fr": (
        ("J'habite à {}.", "Je vis à {}.", ("Gand", "Nantes")),
        ("J'habite à {}.", "En ce moment, j'habite à {}.", ("Rennes", "Oslo")),
        ("Je travaille chez {}.", "Mon employeur est {}.", ("Bosch", "Airbus")),
        ("Ma couleur préférée est le {}.", "Le {} est ma couleur préférée.", ("vert", "turquoise")),
        ("Je suis allergique aux arachides.", "J'ai une allergie aux arachides.", ("",)),
        ("Ma fille s'appelle {}.", "Le prénom de ma fille est {}.", ("Inès", "Mia")),
        ("Je joue au badminton le {}.", "Le {}, je joue au badminton.", ("mercredi", "dimanche")),
        ("J'ai {} ans.", "Je suis âgée de {} ans.", ("34", "cinquante et un")),
        ("J'adore la randonnée.", "J'aime beaucoup la randonnée.", ("",)),
        ("Je ne mange pas de viande.", "Je ne mange jamais de viande.", ("",)),
        ("Je suis infirmière.", "Je travaille comme infirmière.", ("",)),
        ("Je suis né le {} 1990.", "Mon anniversaire est le {} 1990.", ("3 mai", "12 août")),
        ("J'apprends le {}.", "Actuellement, j'apprends le {}.", ("finnois", "néerlandais")),
    ),
    "es": (
        ("Vivo en {}.", "Actualmente vivo en {}.", ("Gante", "Oslo")),
        ("Vivo en {}.", "Resido en {}.", ("Bilbao", "Vigo")),
        ("Trabajo en {}.", "Mi empresa es {}.", ("Bosch", "Seat")),
        ("Mi color favorito es el {}.", "El {} es mi color preferido.", ("verde", "turquesa")),
        ("Soy alérgica a los cacahuetes.", "Tengo alergia a los cacahuetes.", ("",)),
        ("Mi hija se llama {}.", "El nombre de mi hija es {}.", ("Inés", "Mía")),
        ("Juego al bádminton los {}.", "Los {} juego al bádminton.", ("miércoles", "domingos")),
        ("Tengo {} años.", "Ya tengo {} años.", ("34", "cincuenta y uno")),
        ("Me encanta el senderismo.", "Me gusta mucho el senderismo.", ("",)),
        ("Soy enfermera.", "Trabajo como enfermera.", ("",)),
        ("Nací el {} de 1990.", "Mi cumpleaños es el {} de 1990.", ("3 de mayo", "12 de agosto")),
        ("Mi número de teléfono es el {}.", "Mi teléfono es {}.", ("612 345 678", "699 111 222")),
    ),
    "it": (
        ("Abito a {}.", "Vivo a {}.", ("Gand", "Oslo")),
        ("Abito a {}.", "Al momento abito a {}.", ("Lecce", "Trento")),
        ("Lavoro per {}.", "Il mio datore di lavoro è {}.", ("Bosch", "Fiat")),
        ("Il mio colore preferito è il {}.", "Il {} è il mio colore preferito.", ("verde", "turchese")),
        ("Sono allergica alle arachidi.", "Ho un'allergia alle arachidi.", ("",)),
        ("Mia figlia si chiama {}.", "Il nome di mia figlia è {}.", ("Ines", "Mia")),
        ("Gioco a badminton il {}.", "Il {} gioco a badminton.", ("mercoledì", "venerdì")),
        ("Ho {} anni.", "Ho compiuto {} anni.", ("34", "cinquantuno")),
        ("Mi piace molto camminare in montagna.", "Adoro camminare in montagna.", ("",)),
        ("Sono infermiera.", "Faccio l'infermiera.", ("",)),
        ("Sono nato il {} 1990.", "Il mio compleanno è il {} 1990.", ("3 maggio", "12 agosto")),
        ("Sto imparando il {}.", "Adesso sto imparando il {}.", ("finlandese", "tedesco")),
    ),
}


def minimal_pairs() -> Iterator[Pair]:
    """Statements that differ in one number, date, name or negation; in both orders."""
    for kind, tables in (("number", _NUMBERS), ("date", _DATES), ("name", _NAMES)):
        for language, templates in tables.items():
            for template, values in templates:
                for known, new in pairwise([*values, values[0]]):
                    yield Pair(kind, language, template.format(known), template.format(new))
    for language, denials in _DENIALS.items():
        for plain, denied in denials:
            yield Pair("negation", language, plain, denied)
            yield Pair("negation", language, denied, plain)


def wordings() -> Iterator[Pair]:
    """Statements that say the same in other words."""
    for language, templates in _WORDINGS.items():
        for known, new, values in templates:
            for value in values:
                yield Pair("wording", language, known.format(value), new.format(value))


def repeats() -> Iterator[Pair]:
    """The same statement again, with other marks and capitals."""
    for pair in wordings():
        yield Pair("repeat", pair.language, pair.known, pair.known)
        yield Pair("repeat", pair.language, pair.known, pair.known.rstrip(".").lower())
