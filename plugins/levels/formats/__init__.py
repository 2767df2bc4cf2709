"""Formats of levels, a module each,
named after the ending of the files that it reads; its FORMAT says how.
"""
