-- Run for each table file when it is attached. The variable `puzzle` is its table name, `format` the format number that
-- this version reads.

SELECT if(
    list(format) = [getvariable('format')],
    NULL,
    error('it has format ' || CAST(list(format) AS VARCHAR) || ', this version reads ' || getvariable('format'))
)
FROM query_table(stored_in(getvariable('puzzle'), 'table_info'));

INSERT INTO puzzles
SELECT getvariable('puzzle'), goal, states, reachable, gods_number, stored, digest
FROM query_table(stored_in(getvariable('puzzle'), 'table_info'));

INSERT INTO layers
SELECT getvariable('puzzle'), distance, states
FROM query_table(stored_in(getvariable('puzzle'), 'layer'))
ORDER BY distance;
