-- The puzzles that differ from one table's in the last number of their names alone: states and God's number, to be drawn.
SELECT
    CAST(regexp_extract(puzzle, '([0-9]+)[^0-9]*$', 1) AS INTEGER) AS size,
    states,
    gods_number AS "God's number"
FROM puzzles
WHERE
    regexp_matches(puzzle, '[0-9]')
    AND regexp_replace(puzzle, '[0-9]+([^0-9]*)$', '#\1')
    = regexp_replace(getvariable('puzzle'), '[0-9]+([^0-9]*)$', '#\1')
ORDER BY size;
