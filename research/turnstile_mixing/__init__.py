"""Exact mixing of the color wheels by random turns,
on orbits in place of states: the Turnstile in 10.6 GB.
"""
