"""Sentences in ten languages, varied in words, length and kind, the same on every run."""

from __future__ import annotations

import random
from dataclasses import dataclass

LANGUAGES = ("en", "de", "fr", "es", "it", "pt", "ru", "zh", "ja", "ar")


@dataclass(frozen=True, slots=True)
class Phrases:
    """What one language's sentences are made of: "{who} {does} {what}, {when}." in its own order."""

    pattern: str
    who: tuple[str, ...]
    does: tuple[str, ...]
    what: tuple[str, ...]
    when: tuple[str, ...]


_PHRASES = {
    "en": Phrases(
        "{who} {does} {what} {when}.",
        (
            "My sister",
            "The platform team",
            "Dr. Okafor",
            "Our neighbour Jim",
            "The dentist on Hill Street",
            "I",
        ),
        ("ordered", "cancelled", "forgot about", "is allergic to", "asked me for", "has moved away from"),
        (
            "penicillin",
            "the blue bicycle",
            "a table for six",
            "Project Atlas",
            "the tax return of 2024",
            "oat milk",
        ),
        (
            "on 2026-09-01",
            "twice a week",
            "last spring",
            "because of the rain",
            "at 7:45 am",
            "for £1,250.50",
        ),
    ),
    "de": Phrases(
        "{when} {does} {who} {what}.",
        ("meine Schwester", "das Plattformteam", "Frau Dr. Müller", "unser Nachbar", "der Zahnarzt", "ich"),
        ("bestellte", "vergaß", "reparierte", "verkaufte", "suchte", "fotografierte"),
        (
            "das blaue Fahrrad",
            "einen Tisch für sechs",
            "die Steuererklärung",
            "Hafermilch",
            "den Haustürschlüssel",
        ),
        ("Am 1. September", "Zweimal pro Woche", "Letzten Frühling", "Wegen des Regens", "Um 7:45 Uhr"),
    ),
    "fr": Phrases(
        "{when}, {who} {does} {what}.",
        ("ma sœur", "l'équipe", "le docteur Lefèvre", "notre voisin", "le dentiste", "mon collègue"),
        ("a commandé", "a oublié", "a réparé", "cherche encore", "a vendu", "photographie"),
        (
            "le vélo bleu",
            "une table pour six",
            "la déclaration d'impôts",
            "du lait d'avoine",
            "la clé de la maison",
        ),
        (
            "Le 1er septembre",
            "Deux fois par semaine",
            "Au printemps dernier",
            "À cause de la pluie",
            "À 7 h 45",
        ),
    ),
    "es": Phrases(
        "{when}, {who} {does} {what}.",
        ("mi hermana", "el equipo", "la doctora Núñez", "nuestro vecino", "el dentista", "mi compañero"),
        ("pidió", "olvidó", "reparó", "todavía busca", "vendió", "fotografía"),
        (
            "la bicicleta azul",
            "una mesa para seis",
            "la declaración de la renta",
            "leche de avena",
            "las llaves",
        ),
        ("El 1 de septiembre", "Dos veces por semana", "La primavera pasada", "Por la lluvia", "A las 7:45"),
    ),
    "it": Phrases(
        "{when} {who} {does} {what}.",
        ("mia sorella", "la squadra", "il dottor Ferri", "il nostro vicino", "il dentista", "il mio collega"),
        ("ha ordinato", "ha dimenticato", "ha riparato", "cerca ancora", "ha venduto", "fotografa"),
        (
            "la bicicletta blu",
            "un tavolo per sei",
            "la dichiarazione dei redditi",
            "il latte d'avena",
            "le chiavi",
        ),
        ("Il 1º settembre", "Due volte a settimana", "La primavera scorsa", "Per la pioggia", "Alle 7:45"),
    ),
    "pt": Phrases(
        "{when}, {who} {does} {what}.",
        ("minha irmã", "a equipe", "o doutor Gonçalves", "nosso vizinho", "o dentista", "meu colega"),
        ("pediu", "esqueceu", "consertou", "ainda procura", "vendeu", "fotografa"),
        (
            "a bicicleta azul",
            "uma mesa para seis",
            "a declaração de imposto",
            "leite de aveia",
            "as chaves de casa",
        ),
        (
            "No dia 1º de setembro",
            "Duas vezes por semana",
            "Na primavera passada",
            "Por causa da chuva",
            "Às 7h45",
        ),
    ),
    "ru": Phrases(
        "{when} {who} {does} {what}.",
        ("моя сестра", "наша соседка", "доктор Петрова", "начальница отдела", "бабушка", "подруга"),
        ("заказала", "забыла", "починила", "потеряла", "продала", "сфотографировала"),
        ("синий велосипед", "столик на шестерых", "налоговую декларацию", "овсяное молоко", "ключи от дома"),
        ("Первого сентября", "Прошлой весной", "Из-за дождя", "В 7:45 утра", "Дважды за неделю"),
    ),
    "zh": Phrases(
        "{when}{who}{does}{what}。",
        ("我姐姐", "平台团队", "王医生", "我们的邻居", "牙医", "我的同事"),
        ("订了", "忘记了", "修好了", "还在找", "卖掉了", "拍下了"),
        ("那辆蓝色自行车", "六个人的桌子", "2024年的报税表", "燕麦奶", "家里的钥匙"),
        ("九月一日", "每周两次", "去年春天", "因为下雨，", "早上七点四十五分"),
    ),
    "ja": Phrases(
        "{when}、{who}は{what}を{does}。",
        ("姉", "プラットフォームチーム", "田中先生", "隣の人", "歯医者さん", "同僚"),
        ("注文した", "忘れた", "修理した", "まだ探している", "売った", "撮影した"),
        ("青い自転車", "六人用のテーブル", "確定申告の書類", "オーツミルク", "家の鍵"),
        ("九月一日に", "週に二回", "去年の春", "雨のせいで", "朝の7時45分に"),
    ),
    "ar": Phrases(
        "{when} {does} {who} {what}.",
        ("أختي", "جارتنا", "الدكتورة ليلى", "زميلتي", "طبيبة الأسنان", "جدتي"),
        ("طلبت", "نسيت", "أصلحت", "فقدت", "باعت", "صورت"),
        ("الدراجة الزرقاء", "طاولة لستة أشخاص", "الإقرار الضريبي", "حليب الشوفان", "مفاتيح البيت"),
        ("في أول سبتمبر", "مرتين في الأسبوع", "في الربيع الماضي", "بسبب المطر", "في الساعة 7:45"),
    ),
}


def varied_sentences(count: int = 1000, *, seed: int = 2026) -> list[str]:
    """`count` different texts, the languages in turn, one to six sentences each."""
    chance = random.Random(seed)
    texts: dict[str, None] = {}
    while len(texts) < count:
        phrases = _PHRASES[LANGUAGES[len(texts) % len(LANGUAGES)]]
        length = chance.choice((1, 1, 1, 2, 3, 6))
        texts[" ".join(_sentence(phrases, chance) for _ in range(length))] = None
    return list(texts)


def short_facts(count: int, *, seed: int = 1) -> list[str]:
    """English facts of one sentence, about a dozen tokens each."""
    chance = random.Random(seed)
    return [_sentence(_PHRASES["en"], chance) for _ in range(count)]


def long_texts(count: int, *, seed: int = 2) -> list[str]:
    """English texts of about 50 tokens."""
    chance = random.Random(seed)
    return [" ".join(_sentence(_PHRASES["en"], chance) for _ in range(4)) for _ in range(count)]


def questions(count: int, *, seed: int = 3) -> list[str]:
    """What a person asks in a turn, about a dozen tokens each."""
    chance = random.Random(seed)
    starts = ("When did", "Why does nobody remember that", "Who told me that", "Is it true that", "How did")
    facts = (_sentence(_PHRASES["en"], chance).rstrip(".") for _ in range(count))
    return [f"{chance.choice(starts)} {fact}?" for fact in facts]


def _sentence(phrases: Phrases, chance: random.Random) -> str:
    sentence = phrases.pattern.format(
        who=chance.choice(phrases.who),
        does=chance.choice(phrases.does),
        what=chance.choice(phrases.what),
        when=chance.choice(phrases.when),
    )
    return sentence[0].upper() + sentence[1:]
