"""Tables: packing, blocks, and the DuckDB files that they lie in. Knows no puzzle."""
