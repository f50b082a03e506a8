"""Layer 4: what of a turn fits into a model's window. The turn does its own trimming so far."""

from __future__ import annotations
