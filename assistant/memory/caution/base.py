"""What the gate says about a statement that must not be kept without the person's word."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reason = Literal["health", "money", "identity", "credentials", "intimate", "instruction"]


@dataclass(frozen=True, slots=True)
class Caution:
    """Why a statement must be asked about.

    Attributes:
        reason: see Reason.
        phrase: the same in plain words, as the end of "This waits because …".
    """

    reason: Reason
    phrase: str
