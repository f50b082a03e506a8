"""Parts of windows; they know no service."""
