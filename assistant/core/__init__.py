"""Shared types and errors of Keepsake. Standard library only."""
