-- All that the catalog of the database $name has: kind, schema, name, and the statement that makes a table.
SELECT 'table', schema_name, table_name, sql FROM duckdb_tables() WHERE database_name = $name
UNION ALL SELECT 'view', schema_name, view_name, '' FROM duckdb_views() WHERE database_name = $name AND NOT internal
UNION ALL SELECT 'type', schema_name, type_name, '' FROM duckdb_types() WHERE database_name = $name AND NOT internal
UNION ALL SELECT 'sequence', schema_name, sequence_name, '' FROM duckdb_sequences() WHERE database_name = $name
UNION ALL SELECT 'index', schema_name, index_name, '' FROM duckdb_indexes() WHERE database_name = $name
UNION ALL SELECT 'schema', schema_name, '', '' FROM duckdb_schemas() WHERE database_name = $name AND NOT internal;
