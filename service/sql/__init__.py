"""SQL over whole tables, and what is asked becoming text, files and charts."""
