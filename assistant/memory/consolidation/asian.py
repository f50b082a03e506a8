"""Chinese, Japanese and Korean: statements are compared by their characters, without pronouns and polite endings."""

from __future__ import annotations

import re

HAN = re.compile(r"[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
KANA = re.compile(r"[\u3040-\u30ff]")
HANGUL = re.compile(r"[\uac00-\ud7af]")

_DIGITS = str.maketrans("〇一二两兩三四五六七八九", "012223456789")
_DIGIT_RUN = re.compile(r"[一二两兩三四五六七八九]?十[一二三四五六七八九]?")
_SPACE = re.compile(r"[\s、。，．！？!?,.・「」『』“”\"'：:；;（）()]+")

_OPENING = {
    "zh": re.compile(
        r"^(?:其实|对了|另外|顺便说一下)?(?:现在|目前|如今)?"
        r"(?:我的|我们的|我们|我|用户)?(?:现在|目前|如今|已经)?(?:是)?"
    ),
    "ja": re.compile(
        r"^(?:実は|今は|今|現在)?(?:私|僕|俺|わたし|ぼく|ユーザー)?(?:たち)?"
        r"(?:は|の|が|も)?(?:今は|今|現在)?"
    ),
    "ko": re.compile(
        r"^(?:지금은|지금|현재)?(?:저는|나는|제|내|저의|나의|우리는|우리)?(?:지금은|지금|현재)?"
    ),
}
_ENDING = {
    "zh": re.compile(r"(?:了|的|呢|啊|哦|啦)$"),
    "ja": re.compile(r"(?:んです|のです|です|だよ|だね|だ|よ|ね|なんです)$"),
    "ko": re.compile(r"(?:입니다|이에요|예요|이다)$"),
}
_FORMS = {
    "zh": (("居住在", "住在"), ("喜爱", "喜欢"), ("名字叫", "叫"), ("上班", "工作"), ("今年", "")),
    "ja": (
        ("住んでいます", "住んでいる"),
        ("住んでます", "住んでいる"),
        ("住んでる", "住んでいる"),
        ("暮らしています", "住んでいる"),
        ("引っ越しました", "引っ越した"),
        ("働いています", "働いている"),
        ("働いてます", "働いている"),
        ("勤めています", "働いている"),
        ("あります", "ある"),
        ("います", "いる"),
        ("食べません", "食べない"),
        ("飲みません", "飲まない"),
        ("大好き", "好き"),
        ("ではありません", "ではない"),
        ("じゃありません", "ではない"),
        ("じゃない", "ではない"),
        ("と言います", "という"),
        ("と申します", "という"),
        ("といいます", "という"),
    ),
    "ko": (
        ("살고있습니다", "산다"),
        ("살고있어요", "산다"),
        ("살아요", "산다"),
        ("삽니다", "산다"),
        ("일해요", "일한다"),
        ("일합니다", "일한다"),
        ("일하고있어요", "일한다"),
        ("좋아해요", "좋아한다"),
        ("좋아합니다", "좋아한다"),
        ("이사했어요", "이사했다"),
        ("이사했습니다", "이사했다"),
        ("있어요", "있다"),
        ("있습니다", "있다"),
    ),
}

OVER = re.compile(r"不再|再也不|已经不|もう(?=.*(?:ない|ません))|더이상|이제(?=.*(?:안|않|없))")
DENIAL = re.compile(r"不(?!久|同|少|错)|没|沒|未|无|ない|なかった|ません|ぬ$|안(?=[가-힣])|않|못|없|아니")

FACTS = {
    "zh": (
        r"(?:住在|定居在|(?:刚刚|刚|最近)?搬(?:家)?(?:到|去)了?)(?P<residence>.+?)(?:了|生活)?",
        r"(?:从.+?)?搬(?:家)?(?:到|去)了?(?P<residence>.+?)(?:了)?",
        r"在(?P<employer>.+?)工作",
        r"(?:换到|跳槽到|加入)了?(?P<employer>.+?)(?:工作)?",
        r"叫(?:做)?(?P<name>.+?)|名字(?:是|叫)(?P<name>.+?)",
        r"(?P<age>\d{1,3})岁",
        r"对(?P<allergy>.+?)过敏",
        r"喜欢(?P<likes>.+?)|讨厌(?P<dislikes>.+?)",
        r"(?:手机|电话)(?:号码?)?(?:是|换成了?|改成了?)(?P<phone>[\d+-]+)",
        r"最喜欢的(?P<favourite_of>.+?)是(?P<favourite>.+?)",
    ),
    "ja": (
        r"(?P<residence>.+?)に(?:住んでいる|引っ越した|引っ越してきた|移住した)",
        r"(?:.+?から)(?P<residence>.+?)に引っ越した",
        r"(?P<employer>.+?)(?:で|に)(?:働いている|転職した|就職した)",
        r"(?:名前は)?(?P<name>.+?)という|名前は(?P<name>.+?)",
        r"(?:年齢は)?(?P<age>\d{1,3})歳(?:になった|になりました)?",
        r"(?P<allergy>.+?)(?:の)?アレルギー(?:がある|を持っている)?",
        r"(?P<likes>.+?)が好き|(?P<dislikes>.+?)が(?:嫌い|苦手)",
        r"(?:好きな|一番好きな)(?P<favourite_of>.+?)は(?P<favourite>.+?)",
        r"電話番号は(?P<phone>[\d+-]+)",
    ),
    "ko": (
        r"(?P<residence>.+?)에(?:서)?산다",
        r"(?P<residence>.+?)(?:으로|로)이사했다",
        r"(?P<employer>.+?)에서일한다",
        r"이름은(?P<name>.+?)",
        r"(?P<age>\d{1,3})살",
        r"(?P<allergy>.+?)알레르기가있다",
        r"(?P<likes>.+?)(?:을|를)좋아한다",
    ),
}
"""Patterns of whole statements (see frames), against `plain` text."""


def script_language(text: str) -> str | None:
    """ "ja", "ko" or "zh" for a text in one of their scripts, else None."""
    if KANA.search(text):
        return "ja"
    if HANGUL.search(text):
        return "ko"
    return "zh" if HAN.search(text) else None


def plain(folded: str, language: str) -> str:
    """A statement without spaces, marks, the pronoun of who speaks, and polite endings; numbers in digits."""
    text = _SPACE.sub("", folded)
    text = _DIGIT_RUN.sub(_ten, text).translate(_DIGITS)
    text = _OPENING[language].sub("", text)
    for form, usual in _FORMS[language]:
        text = text.replace(form, usual)
    return _ENDING[language].sub("", text)


def _ten(found: re.Match[str]) -> str:
    before, _, after = found[0].translate(_DIGITS).partition("十")
    return f"{before or 1}{after or 0}"
