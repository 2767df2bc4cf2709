"""Sources of distances: tables, searches,
and those of plugins, with their files in the data folder.
"""
