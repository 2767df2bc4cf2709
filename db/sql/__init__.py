"""SQL over many tables at once, in a session that can only read them. Knows no puzzle."""
