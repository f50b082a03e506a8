"""Texts in twenty scripts, made from everyday words, with the things between them that trip tokenizers."""

from __future__ import annotations

import random
from collections.abc import Iterator

WORDS: dict[str, str] = {
    "Latin": "the weather tomorrow naïve façade Straße żółw don't we'll São Paulo İstanbul tiếng Việt coöperate",
    "Cyrillic": "завтра утром поезд приходит вовремя ѓаволе їжак ґрунт ў щасце бабушка подъезд",
    "Greek": "αύριο το πρωί θα έρθει η γιαγιά μου ἀρχῇ λόγος ψάρι όμορφο",
    "Armenian": "վաղը առավոտյան գնացքը կգա ժամանակին տատիկ և հաց",
    "Hebrew": "מחר בבוקר הרכבת תגיע בזמן סבתא שָׁלוֹם עולם",
    "Arabic": "غدا صباحا يصل القطار في الموعد جدتي مُحَمَّد العربيّة پنجشنبه",
    "Devanagari": "कल सुबह रेलगाड़ी समय पर आएगी दादी क्षत्रिय ज्ञान हिन्दी",
    "Bengali": "আগামীকাল সকালে ট্রেন সময়মতো আসবে দাদি বাংলা ভাষা",
    "Gurmukhi": "ਕੱਲ੍ਹ ਸਵੇਰੇ ਰੇਲ ਗੱਡੀ ਸਮੇਂ ਸਿਰ ਆਵੇਗੀ ਦਾਦੀ ਪੰਜਾਬੀ",
    "Gujarati": "આવતીકાલે સવારે ટ્રેન સમયસર આવશે દાદી ગુજરાતી",
    "Tamil": "நாளை காலை ரயில் சரியான நேரத்தில் வரும் பாட்டி தமிழ்",
    "Telugu": "రేపు ఉదయం రైలు సమయానికి వస్తుంది అమ్మమ్మ తెలుగు",
    "Kannada": "ನಾಳೆ ಬೆಳಿಗ್ಗೆ ರೈಲು ಸಮಯಕ್ಕೆ ಬರುತ್ತದೆ ಅಜ್ಜಿ ಕನ್ನಡ",
    "Malayalam": "നാളെ രാവിലെ തീവണ്ടി കൃത്യസമയത്ത് വരും മുത്തശ്ശി മലയാളം",
    "Sinhala": "හෙට උදේ දුම්රිය වේලාවට පැමිණේ ආච්චි සිංහල",
    "Thai": "พรุ่งนี้เช้า รถไฟจะมาตรงเวลา คุณยาย น้ำ ภาษาไทย",
    "Burmese": "မနက်ဖြန် မနက် ရထား အချိန်မှန် ရောက်မည် အဖွား မြန်မာ",
    "Khmer": "ព្រឹកស្អែក រថភ្លើង មកដល់ ទាន់ពេល ជីដូន ភាសាខ្មែរ",
    "Georgian": "ხვალ დილით მატარებელი დროულად მოვა ბებია ქართული",
    "Ethiopic": "ነገ ጠዋት ባቡሩ በሰዓቱ ይመጣል አያት አማርኛ",
    "Han": "明天早上 火車準時到達 外婆 天气很好 龘 我们去图书馆",
    "Kana": "あした の あさ でんしゃ が きます おばあちゃん コーヒー ﾊﾝｶｸ っ",
    "Hangul": "내일 아침 기차가 제시간에 온다 할머니 한국어 ㅋㅋㅋ",
}
"""Words by script."""

_BETWEEN = (
    " ",
    " ",
    " ",
    "  ",
    "\n",
    "\n\n",
    "\t",
    "\r\n",
    ", ",
    ". ",
    "-",
    "_",
    "/",
    "",
    "\u00a0",
    "\u3000",
    "\u200d",
)
_ODDITIES = (
    "1", "42", "2026-11-29", "3.14159", "1,000,000", "٣٤٥", "१२३", "x²", "½", "'s", "'LL", "’re", "!!!", "...", "…",
    "```python\nfor i in range(10):\n    print(i)\n```", "{\"a\": [1, 2]}", "<|endoftext|>", "<|im_start|>system",
    "http://example.com/a?b=c#d", "e\u0301", "👩‍👩‍👧‍👦", "🇺🇦", "👍🏽", "🙂", "\u202e", "\ufeff", "CamelCaseWord",
    "SHOUTING", "    ", "\n\n\n", "§", "€5", "#tag", "@name", "$x^2$", "\x00", "\x7f", "𝒳", "𓀀", "\U0010ffff",
)  # fmt: skip


def script_texts(count: int, source: random.Random) -> Iterator[tuple[str, str]]:
    """`count` pairs of a script's name and a text in it, the scripts in turn.

    Args:
        source: decides everything else, so that the same seed gives the same texts.
    """
    names = list(WORDS)
    for number in range(count):
        name = names[number % len(names)]
        yield name, _text(name, source)


def _text(name: str, source: random.Random) -> str:
    words = WORDS[name].split(" ")
    parts: list[str] = []
    for _ in range(source.randint(0, 40)):
        kind = source.random()
        if kind < 0.08:
            parts.append(source.choice(_ODDITIES))
        elif kind < 0.12:
            parts.append(source.choice(WORDS[source.choice(list(WORDS))].split(" ")))
        elif kind < 0.16:
            parts.append("".join(source.sample("".join(words), 3)))
        else:
            parts.append(source.choice(words))
        parts.append(source.choice(_BETWEEN))
    return "".join(parts)
