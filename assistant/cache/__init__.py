"""Layer 3: answers that can be given again. Nothing is cached yet."""

from __future__ import annotations
