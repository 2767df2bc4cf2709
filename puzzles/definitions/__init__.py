"""Puzzles of letters, permutations and rules, from Python or from files as ksolve, twsearch and cubing.js have them."""
