"""Repeatable measurements: `python -m benchmarks.NAME [--json FILE]` prints a table."""
