"""Between services and widgets: run tasks, turn results into calls and signals."""
