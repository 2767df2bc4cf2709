"""SQL over whole tables: sessions with functions and views that know puzzles."""
