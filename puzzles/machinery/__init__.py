"""Shared parts to make and search spaces from: lists, orbits, automata, layers."""
