"""SQL over whole tables: sessions that know puzzles, the prompt, and results as text."""
