"""Plugins on top of the core: each folder is one,
and gives its hooks as PLUGIN. See puzzlebase/hooks.py.
"""
