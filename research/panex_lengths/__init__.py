"""The words, types and lengths of pieces of Panex, from the rules."""
