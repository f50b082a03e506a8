"""Rows for views and the values that widgets show; no services."""
