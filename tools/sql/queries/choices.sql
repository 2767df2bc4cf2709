-- By distance, how many moves of a state lead nearer, as far and farther, to be drawn. Where there are more than some
-- forty distances, several are taken together and named by the first of them.
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
