"""What a table is and where it lies: packing, blocks, the DuckDB files. Knows no puzzle."""
