-- States and God's numbers of the puzzles whose names differ from one table's only in the last number, for a chart.
WITH named AS (
    SELECT *, split_part(puzzle, '@', 1) AS name, split_part(puzzle, '@', 2) AS goal_key FROM puzzles
),
sized AS (
    SELECT
        *,
        CAST(regexp_extract(name, '([0-9]+)[^0-9]*$', 1) AS INTEGER) AS size,
        regexp_replace(name, '[0-9]+([^0-9]*)$', '#\1') AS pattern
    FROM named
    WHERE regexp_matches(name, '[0-9]')
)
SELECT size, states, gods_number AS "God's number"
FROM sized
WHERE (pattern, goal_key) = (SELECT (pattern, goal_key) FROM sized WHERE puzzle = getvariable('puzzle'))
ORDER BY size;
