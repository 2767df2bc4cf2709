"""Shared parts to make spaces from: lists, orbits, automata."""
