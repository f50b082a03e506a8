"""Sentences that tell nothing about their conversation: greetings, thanks, "can you help me?", "translate this:"."""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_ACCENTS = re.compile("[\u0300-\u036f]")

# Words without a subject of their own, without accents. A sentence of nothing else could head any conversation.
_ENGLISH = """
a able about absolutely additional afternoon again all also am an and another answer any anything are ask
assist assistance at be below briefly can cannot certainly check clarify continue correct could course d
day details did do does doing don down draft evening explain fine first fix following for from further get
give glad go going good got great happy have hello help helpful here hey hi how i if improve in information
is it its just kind know let like listing little ll look m made make may me meet message mind more morning
my need nice no not now of ok okay on one out paste please pleased pls possible problem proofread provide
question questions quick ready really recheck reformulate rephrase reply revised rewrite right s see send
share short shorten should simplify so some something start summarise summarize summary sure t tell test
testing text thank thanks that the them there these thing things this those to today translate translation
try understand up us using ve version very want was welcome well what will with work would write yes you
your
"""
_GERMAN = """
abend aber alles als an antwort auf aus bei beim bitte brauche brauchst braucht da dabei damit danke dann
darf das dein deine dem den der des dich die dies diese diesen dieser dieses dir du ein eine einem einen
einer eines einmal erklare erklaren es etwas fass fasse folgende folgenden folgender folgendes frage fragen
freue freut fur gehen geht gern gerne gut guten habe haben hallo helfe helfen heute hi hier hilf hilfe ich
ihnen ihr ihre im in ist ja kann kannst kein keine klar konnen konntest korrigiere korrigieren kurz mach
mache machen mal man mehr mein meine mich mir mit mochte moin morgen mussen nach nachricht naturlich nein
noch nun oder ok problem prufe s sage sagen schau schick schon schreib schreibe schreiben sehr
selbstverstandlich servus sich sie so tag test text texte tue tun ubersetze ubersetzen ubersetzung um
umformulieren und uns verbessere verbessern vielen von war was weiter wer wie wieder will willst wir wird
wobei womit worum wurde zu zum zur zusammen zusammenfassen
"""
_FRENCH = """
a ai aide aider aidez alors apres as au aujourd aussi autre aux avec avez avoir besoin bien bonjour bonne
bonsoir c ca ce ceci cela ces cet cette chose choses comment continue corrige corriger corrigez coucou d
dans de des dire dis dites donne donnez du elle en encore entendu est et etes etre explique expliquer
expliquez faire fais faites huis il ils j je l la le les lui m ma mais me merci mes message moi mon n ne
non nous on ou oui par pas peut peux plaisir plait plus pour pourrais pourriez pouvez probleme puis qu que
quelque question questions quoi reecris reformule reformuler resume resumer resumez s sa salut se ses si
simplifie stp suivant suivante sur svp t ta te tes texte toi ton tout toute traduction traduire traduis
traduisez tu un une va verifie veux voici voila vos votre voudrais vous y
"""
_SPANISH = """
a ahora al algo aqui asi ayuda ayudame ayudar ayudarme ayudarte bien buenas bueno buenos claro como con
continua corregir corrige corrigelo cosa cosas cual da dame de del di dia dias dime duda dudas el ella en
encantada encantado era es esa ese eso esta estas este esto estoy explica explicame explicar favor gracias
gustaria gusto hacer hay haz hola hoy la las le lo los mas me mejora mensaje mi mis muchas mucho muy
necesitas necesito no noches nos o otra otro para pero podria podrias por porfa pregunta preguntas problema
puede puedes puedo que quiero reescribe reformula resume resumelo resumen resumir revisa saber se ser si
siguiente sobre son soy su supuesto sus tal tardes te tengo texto ti todo traduccion traduce traduceme
traducir tu tus un una usted y ya yo
"""
_ITALIAN = """
a ad adesso ai aiutami aiutare aiutarmi aiutarti aiuto al alla altro anche avere bene buon buona buonasera
buongiorno c certo che chiedere ciao come con continua correggere correggi cosa cosi d da dai dal dammi de
del della delle di dimmi domanda domande dove e ecco era essere fai fammi far fare favore gli grazie ha hai
ho i il in io l la le lo ma me mi mia mie migliora mio molto nel no noi non o oggi ora per piacere poi
posso potresti prego problema puo puoi qualcosa quale quella quello questa queste questi questo qui rendi
riassumere riassumi riassunto riformula riscrivi salve sapere scrivi se seguente sei si sono spiega
spiegami spiegare sta su sulla te testo ti traduci tradurre traduzione tu tua tuo tutto un una va vi voglio
volentieri vorrei
"""
_PORTUGUESE = """
agora ajuda ajudar ajude ao aqui bem boa bom certo coisa com como corrigir corrija da das de do dos ela ele
em essa esse esta este eu explica explique faz fazer isso isto mais me mensagem meu minha na nao no noite
nos o obrigada obrigado oi ola os ou para pergunta pode poderia posso prazer preciso problema quero resuma
resumir resumo revise sim sobre tarde te texto tradu traducao traduz traduza tudo um uma voce
"""
_LANGUAGES = tuple(
    frozenset(words.split()) for words in (_ENGLISH, _GERMAN, _FRENCH, _SPANISH, _ITALIAN, _PORTUGUESE)
)

# Scripts without spaces, and Korean, whose endings are many: pieces, the longest first, taken out of the sentence.
_PIECES = """
请问 你好 您好 大家好 早上好 下午好 晚上好 嗨 哈喽 谢谢 多谢 麻烦 帮我 帮忙 帮助 帮 可以 可不可以 能不能 能
吗 呢 吧 啊 请 一下 翻译 翻譯 总结 總結 解释 解釋 修改 润色 改写 检查 看看 看 这个 這個 这段 這段 这篇 以下
下面 文字 文本 内容 內容 问题 問題 一个 一個 我 你 您 的 是 把 有 想 要 什么 什麼 意思 好的 好 当然 當然
没问题 沒問題 需要 今天 如何 怎么样 怎麼樣 继续 繼續 测试 測試 为 在 了 和 很高兴 請 謝謝 請問 幫我 幫
こんにちは こんばんは おはようございます おはよう はじめまして もしもし ありがとうございます ありがとう
すみません お願いします お願い よろしく お手伝い 手伝って 手伝い 助けて 教えて ください 下さい もらえますか
くれますか いただけますか できますか 翻訳 要約 説明 修正 校正 確認 続けて これ この それ 次 文章 文
テキスト 質問 して しますか します しましょうか ましょう が あります ある ですか です ます か を に は の
で も と 何 なに どう どういう 意味 もちろん はい いいえ わかりました 承知しました 今日 テスト 私 あなた
訳して 直して 見て 안녕하세요 안녕하십니까 안녕 감사합니다 고마워요 고마워 도와주세요 도와줘요 도와줘
도와주실 도와드릴까요 도와 도움이 도움 필요해요 필요합니다 필요해 주세요 주실래요 해주세요 해줘 줘 수
있나요 있을까요 있어요 있어 번역 요약 설명 수정 교정 확인 이것을 이것 이거 이 다음 아래 글 텍스트 내용 질문
을 를 은 는 가 좀 뭐 무엇 무슨 뜻 이에요 예요 인가요 네 아니요 물론이죠 물론 계속 오늘 테스트 어떻게 나를
나 저를 저 제 당신 하고 싶어요
"""
_PIECE = re.compile("|".join(sorted(map(re.escape, _PIECES.split()), key=len, reverse=True)))
_PIECEWISE = re.compile("[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]")


def says_little(sentence: str) -> bool:
    """Whether `sentence` is made of such words of one language only. Numbers and names are others."""
    if _PIECEWISE.search(sentence):
        sentence = _PIECE.sub(" ", sentence)
    plain = _ACCENTS.sub("", unicodedata.normalize("NFKD", sentence)).casefold()
    words = set(_WORD.findall(plain))
    return any(words <= known for known in _LANGUAGES)
