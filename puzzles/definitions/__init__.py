"""Puzzles of letters and permutations, from Python or from files as ksolve, twsearch and cubing.js have them."""
