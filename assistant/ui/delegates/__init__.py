"""Painters of list rows."""
