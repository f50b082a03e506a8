"""Words for times in several languages, as they are written in queries and in what people say."""

from __future__ import annotations

from typing import Final

MONTHS: Final = (
    "january jan januar janvier enero ene gennaio janeiro januari января январе январь",
    "february feb februar février fevrier febrero febbraio fevereiro februari февраля феврале февраль",
    "march mar märz maerz mars marzo março maart марта марте март",
    "april apr avril abril aprile апреля апреле апрель",
    "may mai mayo maggio maio mei мая мае май",
    "june jun juni juin junio giugno junho июня июне июнь",
    "july jul juli juillet julio luglio julho июля июле июль",
    "august aug août aout agosto augustus августа августе август",
    "september sep sept septembre septiembre settembre setembro сентября сентябре сентябрь",
    "october oct oktober octobre octubre ottobre outubro октября октябре октябрь",
    "november nov novembre noviembre novembro ноября ноябре ноябрь",
    "december dec dezember dez décembre decembre diciembre dic dicembre dezembro декабря декабре декабрь",
)
"""Names of the months, January first."""

AMBIGUOUS_MONTHS: Final = frozenset(
    {"may", "mar", "march", "mars", "mai", "dec", "dic", "sept", "mei", "jun", "jul", "jan", "ene", "dez"}
)
"""Names that are common words or names too: they count beside a number or a preposition only."""

WEEKDAYS: Final = (
    "monday montag lundi lunes lunedì lunedi segunda-feira maandag понедельник 月曜日 星期一 周一 월요일",
    "tuesday dienstag mardi martes martedì martedi terça-feira dinsdag вторник 火曜日 星期二 周二 화요일",
    "wednesday mittwoch mercredi miércoles miercoles mercoledì mercoledi quarta-feira woensdag среду 水曜日 星期三 周三"
    " 수요일",
    "thursday donnerstag jeudi jueves giovedì giovedi quinta-feira donderdag четверг 木曜日 星期四 周四 목요일",
    "friday freitag vendredi viernes venerdì venerdi sexta-feira vrijdag пятницу 金曜日 星期五 周五 금요일",
    "saturday samstag samedi sábado sabado sabato zaterdag субботу 土曜日 星期六 周六 토요일",
    "sunday sonntag dimanche domingo domenica zondag воскресенье 日曜日 星期日 周日 일요일",
)
"""Names of the days, Monday first."""

IN: Final = (
    "in|on|during|of|since|until|till|by|around|about|early|late|mid|before|after|from|im|am|den|dem|seit|bis|um|en|au"
    "|du|de|depuis|pendant|vers|desde|hasta|durante|el|a|nel|dal|di|da|em|no|op|sinds|tot|в|с"
)
"""Prepositions that make a month or a year of what follows, as alternatives of a regular expression."""

DAY_OFFSETS: Final = {
    0: "today|tonight|heute|aujourd['’]hui|hoy|oggi|hoje|vandaag|сегодня|今天|今日|오늘|วันนี้",
    -1: "yesterday|last night|gestern|hier|ayer|anoche|ieri|ontem|gisteren|вчера|昨天|昨日|어제|เมื่อวาน",
    -2: "the day before yesterday|vorgestern|avant[- ]hier|anteayer|l['’]altro ieri|anteontem|eergisteren|позавчера"
    "|前天|一昨日|그저께",
    1: "tomorrow|morgen|demain|mañana|domani|amanhã|завтра|明天|明日|내일|พรุ่งนี้",
}
"""Days counted from today, as alternatives of a regular expression."""

SPANS: Final = {
    (
        "week",
        -1,
    ): "last week|letzte[rn]? woche|vorige woche|la semaine derni[èe]re|semaine pass[ée]e|la semana pasada"
    "|la settimana scorsa|(?:na )?semana passada|vorige week|afgelopen week|на прошлой неделе|上周|上个?星期|先週"
    "|지난주|สัปดาห์ที่แล้ว",
    (
        "week",
        0,
    ): "this week|diese[rn]? woche|cette semaine|esta semana|questa settimana|deze week|на этой неделе|本周|这周"
    "|今週|이번 ?주|สัปดาห์นี้",
    ("month", -1): "last month|letzte[nrs]? monat|vorigen monat|le mois dernier|el mes pasado|il mese scorso"
    "|(?:no )?mês passado|vorige maand|в прошлом месяце|上个?月|先月|지난 ?달|เดือนที่แล้ว",
    (
        "month",
        0,
    ): "this month|diese[nrm]? monat|ce mois(?:-ci)?|este mes|questo mese|este mês|deze maand|в этом месяце|这个月"
    "|本月|今月|이번 ?달|เดือนนี้",
    (
        "year",
        -1,
    ): "last year|letzte[sn]? jahr|voriges jahr|l['’]ann[ée]e derni[èe]re|l['’]an dernier|el año pasado"
    "|l['’]anno scorso|(?:no )?ano passado|vorig jaar|afgelopen jaar|в прошлом году|去年|昨年|작년|지난해|ปีที่แล้ว",
    (
        "year",
        0,
    ): "this year|dieses jahr|cette ann[ée]e|este año|quest['’]anno|este ano|dit jaar|в этом году|今年|올해|ปีนี้",
    (
        "weekend",
        -1,
    ): "last weekend|letztes wochenende|le week-?end dernier|el fin de semana pasado|lo scorso weekend"
    "|(?:no )?fim de semana passado|vorig weekend|上周末|先週末|지난 주말",
}
"""Weeks, months, years and weekends counted from the present one."""

UNITS: Final = {
    "day": "days?|tage?n?|jours?|d[ií]as?|giorn[oi]|dias?|dag(?:en)?|дн(?:я|ей)|день|天|日|일",
    "week": "weeks?|wochen?|semaines?|semanas?|settiman[ae]|weken|недел[июь]|周|个?星期|週間?|주",
    "month": "months?|monate?n?|mois|meses|mes|mes[ei]|mês|maand(?:en)?|месяц(?:а|ев)?|个月|か月|ヶ月|개월|달",
    "year": "years?|jahre?n?|ans?|années?|años?|ann[oi]|anos?|jaar|лет|год(?:а)?|年|년",
}
"""Units of time, as alternatives of a regular expression."""

NUMBERS: Final = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9, "ten": 10, "couple of": 2, "few": 3, "einem": 1, "einer": 1, "zwei": 2, "drei": 3, "vier": 4,
    "fünf": 5, "sechs": 6, "un": 1, "une": 1, "deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "una": 1, "dos": 2,
    "tres": 3, "cuatro": 4, "cinco": 5, "due": 2, "tre": 3, "quattro": 4, "cinque": 5, "um": 1, "uma": 1,
    "dois": 2, "duas": 2, "três": 3, "quatro": 4, "een": 1, "twee": 2, "drie": 3,
    "一": 1, "二": 2, "两": 2, "三": 3, "四": 4, "五": 5, "六": 6, "七": 7, "八": 8, "九": 9, "十": 10,
}  # fmt: skip
"""Small numbers in words."""

WHEN: Final = (
    r"\bwhen\b|\bwhat (?:date|day|month|year|time)\b|\b(?:which|what) (?:week|weekend)\b|\bhow long ago\b"
    r"|\bwann\b|\bseit wann\b|\bquand\b|\bcu[áa]ndo\b|\bqu[ée] (?:d[íi]a|fecha|a[ñn]o|mes)\b|\bquando\b"
    r"|\bwanneer\b|\bкогда\b|什么时候|何时|哪天|哪年|几时|いつ|何日|何年|언제|เมื่อไ"
)
"""Queries that ask for a time, as a regular expression on folded text."""
