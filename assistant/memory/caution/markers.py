"""The outer signs of an order: role marks, ends of prompts, tool calls, commands, markup that hides or reports.

These are looked for in the folded text; what prose never has. In the patterns below ~ stands for white space that may
be missing; all repetitions are bounded, so that no text takes long.
"""

from __future__ import annotations

import re

from assistant.memory.caution.folding import fold


def _compiled(*patterns: str) -> re.Pattern[str]:
    return re.compile("|".join(patterns).replace("~", r"\s{0,4}"), re.MULTILINE)


_ROLE = fold(
    "(?:system|sys|assistant|user|human|ai|bot|developer|tool|function|operator|admin|administrator|root|moderator"
    "|chatgpt|gpt|claude|llm|model|agent|systeme|sistema|assistent|asistente|assistente|nutzer|benutzer|utilisateur"
    "|usuario|utente|entwickler|desarrollador|sviluppatore|developpeur|系统|系統|助手|用户|システム|アシスタント|ユーザー)"
    "(?:[ _-]?(?:prompt|message|note|notice|update|alert|override|instructions?|command|role|log|response|reply|output"
    "|hint))?"
)
_OPENS = r"(?:^|[.!?]\s{1,4}|[\"'`|>*#\]-]~)"
_TAG = (
    "(?:system|assistant|user|human|instructions?|prompt|context|memor(?:y|ies)|tools?|tool_calls?|tool_use|admin|rules?"
    "|function_calls?|invoke|parameter|thinking|thoughts?|reasoning|scratchpad|think|reflection|documents?|important"
    "|user_input|user_query|secret|hidden|system_[a-z]{1,20}|antml:[a-z_]{1,20}|output|response|answer)"
)
_OF = (
    "(?:of |der |des |du |de la |del |dell[ao'] ?|de )?"
    "(?:the |user |system |this |previous |above |untrusted |new ){0,4}"
)
_PROMPT_PART = (
    "(?:input|prompt|system|instructions?|context|document|text|conversation|message|query|data|output|user|session"
    "|transcript|request|file|page|article|email|quote|content|task|anweisung(?:en)?|dokuments?|eingabe|entree|entrada"
    "|documento|instrucciones|istruzioni|contexte|contesto|contexto)"
)
_HEADING = (
    "(?:instructions?|prompt|task|directives?|rules?|override|response|input|output|anweisung(?:en)?|instrucciones"
    "|istruzioni|consignes?)"
)

_ROLES = _compiled(
    rf"{_OPENS}\W{{0,6}}{_ROLE}~[:：](?:\s|$)",
    rf"^[ \t]{{0,8}}#{{1,6}}[ \t]{{0,8}}{_ROLE}[ \t:：#]{{0,8}}$",
    rf"[\[({{【「<]{{1,3}}~/?~{_ROLE}~[\])}}】」>]{{1,3}}",
    rf"\(~{_ROLE}~\)~[:：]",
    r"^~(?:final answer|thoughts?|thinking|reasoning|observation|action|action input|scratchpad)~[:：]",
    rf"[\"']role[\"']~:~[\"']~{_ROLE}",
)
_CHAT_FORMATS = _compiled(
    r"<~\|~[a-z0-9_ /-]{1,40}\|?~>",
    r"<~[a-z_]{1,30}\|~>",
    r"\[~/?~inst~\]",
    r"<<~/?~sys~>>",
    r"</?~(?:start|end)_of_turn~>",
    r"<~/?~s~>",
    r"\b(?:im_(?:start|end|sep)|begin_of_text|eot_id)\b",
    rf"</?~{_TAG}(?:\s[^<>\n]{{0,80}})?/?~>",
    r"[\"'](?:tool_calls?|function_call|tool_name|arguments|tool_input)[\"']~:",
    r"\brecipient~=~functions\b",
    r"\bassistant to=",
)
_ENDS_OF_PROMPTS = _compiled(
    r"(?:^|(?<![-=#*_+/|])[-=#*_<>\[\](){}|/+]{1,40}\s?)"
    r"(?:\w{1,12} ){0,2}(?:end|begin|start|stop|ende|anfang|beginn|fin|debut|inicio|fine|inizio)(?:ning)? "
    rf"{_OF}{_PROMPT_PART}\b",
    rf"^~#{{2,6}}~(?:new |updated |system |hidden |real |important ){{0,3}}{_HEADING}\b",
)
_COMMANDS = _compiled(
    r"\brm\s{1,4}-[rf]{1,2}\b",
    r"\b(?:curl|wget)\s{1,4}(?:-\S{1,30}\s{1,4}){0,4}['\"]?https?:",
    r"\bsudo\s{1,4}\w",
    r"\bchmod\s{1,4}[0-7+]",
    r"\bpowershell\b.{0,40}-",
    r"/etc/(?:passwd|shadow)",
    r"\bdrop\s{1,4}table\b",
    r"\bunion\s{1,4}select\b",
    r"\b(?:os\.system|subprocess\.|__import__)\b",
    r"\b(?:eval|exec)~\(",
    r"\$\(~\w",
    r"\bbase64\s{1,4}-d",
    r"\|~(?:ba|z|)sh\b",
    r"\{\{[^{}\n]{1,200}\}\}",
    r"\$\{[^{}\n]{1,200}\}",
    r"\b[a-z]{1,30}(?:_[a-z0-9]{1,30}){1,6}~\(",
)
_MARKUP = _compiled(
    r"<!--|-->|<!\[cdata\[|\[//\]:~#|\[comment\]:",
    r"!\[[^\]\n]{0,300}\]~[(\[]",
    r"<~/?~(?:img|script|iframe|svg|object|embed|link|meta|style|form|input|video|audio|base|body|div|span)\b",
    r"javascript~:|data:text/html|\bon(?:error|load|click)~=",
    r"display~:~none|visibility~:~hidden|font-size~:~0|opacity~:~0|color~:~(?:white|#fff)",
    # Blanks in an address that its reader would fill with what it knows.
    r"https?://\S{0,300}?(?:\{|\[|<|%7b|\b(?:secret|stolen|exfil|leak|your_|user_data|chat_history)\b)",
)
_ALL = (_ROLES, _CHAT_FORMATS, _ENDS_OF_PROMPTS, _COMMANDS, _MARKUP)

# Names of invented personas that have no rules; only as capitals are they no words.
_DAN = re.compile(r"(?<![A-Z] )\bDAN\b(?! [A-Z]{2})|\bDo Anything Now\b")
_PERSONAS = re.compile(r"\b(?:STAN|DUDE|AIM|UCAR|JAILBREAK|OVERRIDE|SUDO|EVILBOT|DevMode)\b(?![a-z])")
_PERSONA_CLUE = re.compile(
    r"\b(?:you|mode|act|pretend|now|restrict|rules?|du|tu|eres|sei|vous|bist|safety|protocol|respond|enable|policy|jetzt"
    r"|ahora|ora)",
    re.IGNORECASE,
)


def has_marks(text: str, folded: str) -> bool:
    """Whether a text has what only serves to be taken for structure, a command or a beacon.

    Args:
        text: as written.
        folded: the same, folded.
    """
    if any(pattern.search(folded) for pattern in _ALL) or _DAN.search(text):
        return True
    return _PERSONAS.search(text) is not None and _PERSONA_CLUE.search(text) is not None
