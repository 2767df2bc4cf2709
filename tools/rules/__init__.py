"""Games given by rules: their states are found from the start, numbered by their keys, and moves may be one-way."""
