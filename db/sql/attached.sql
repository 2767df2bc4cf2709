-- What a session takes from each table when it attaches it; the variable `puzzle` is the table name, `format` the one this version reads.

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
