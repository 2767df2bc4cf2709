"""Tables: packing, blocks, and their DuckDB files. Knows no puzzle."""
