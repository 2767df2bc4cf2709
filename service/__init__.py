"""Online: lookups in tables, and the same over HTTP."""
