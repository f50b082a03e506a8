"""How people say plain things about themselves: one table of rules for each language."""
