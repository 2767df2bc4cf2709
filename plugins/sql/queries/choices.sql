-- By distance, the number of moves of a state that lead nearer, as far and farther, for a chart. If there are more than
-- some forty distances, several are taken together, and the first of them names the group.
-- It reads all states of one table, or 100,000 drawn from a larger one.
WITH steps AS (SELECT greatest(1, gods_number // 40) AS step FROM puzzles WHERE puzzle = getvariable('puzzle')),
seen AS (
    SELECT
        distance,
        list_transform(successors(getvariable('puzzle'), index), lambda successor: successor.distance - distance)
            AS changes
    FROM drawn(getvariable('puzzle'), 100_000)
    WHERE distance IS NOT NULL
)
SELECT
    distance - distance % step AS "distance in moves",
    avg(len(list_filter(changes, lambda change: change < 0))) AS nearer,
    avg(len(list_filter(changes, lambda change: change = 0))) AS "as far",
    avg(len(list_filter(changes, lambda change: change > 0))) AS farther
FROM seen, steps
GROUP BY 1
ORDER BY 1;
