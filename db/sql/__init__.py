"""SQL over many tables at once: a session that can only read."""
