"""Tools on top of the core: each folder is one, and gives its hooks as TOOL. See puzzlebase/plugins.py."""
