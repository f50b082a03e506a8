"""The version of Keepsake; pyproject.toml takes it from here."""

from __future__ import annotations

VERSION = "0.1.0"
