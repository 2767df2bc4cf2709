"""Shared parts to make spaces from: permutations, letters, lists, orbits, automata."""
