"""Windows and dialogs; they know widgets, not services."""
