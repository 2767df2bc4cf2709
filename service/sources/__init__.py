"""Sources of distances: tables, searches, and those of tools, with their files in the data folder."""
