"""Words for times in statements."""

from __future__ import annotations

from types import MappingProxyType

from assistant.memory.consolidation.language import words
from assistant.memory.recall.time_words import AMBIGUOUS_MONTHS, MONTHS, WEEKDAYS

MONTH_OF = MappingProxyType(
    {name: f"month-{number:02}" for number, line in enumerate(MONTHS, 1) for name in line.split()}
)
"""Names of months to one name each."""

DAY_OF = MappingProxyType(
    {
        form: f"day-{number}"
        for number, line in enumerate(WEEKDAYS, 1)
        for name in line.split()
        # What happens on each of them: "Tuesdays", "dienstags", "los sábados".
        for form in (name, f"{name}s")
        if name.isascii() or len(name) > 3
    }
)
"""Names of days of the week to one name each."""

AMBIGUOUS = AMBIGUOUS_MONTHS

PARTS = words(
    "morning mornings afternoon afternoons evening evenings night nights noon midnight morgens vormittags "
    "mittags nachmittags "
    "abends nachts matin matins soir soirs nuit midi mañana mañanas tarde tardes noche noches mattina "
    "pomeriggio sera notte "
    "today tomorrow yesterday tonight heute gestern demain hier hoy ayer oggi ieri domani daily weekly "
    "monthly yearly "
    "täglich wöchentlich monatlich jährlich quotidiennement weekend weekends wochenende wochenenden spring "
    "summer winter "
    "frühling sommer herbst printemps été automne hiver primavera verano otoño invierno estate autunno inverno"
)
"""Parts of a day or a year, and days counted from today."""

BETWEEN = words(
    "on in at every each the of am im an jeden jede um au le la les en el los de por il la di ogni a nel "
    "tous chaque todos "
    "cada tutti del"
)
"""Small words that may stand in a time ("on the 3rd of May")."""

BOUNDS = words(
    "from to until till before after since between by von bis vor nach seit zwischen ab avant après depuis "
    "jusqu entre du à au "
    "desde hasta antes después a dal da fino prima dopo tra"
)
"""Words that make an order of two times matter."""
