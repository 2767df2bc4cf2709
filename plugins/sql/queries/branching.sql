-- By distance, the mean number of moves of a state, and of those that lead nearer, as far and farther.
-- It reads all states of one table, or 100,000 drawn from a larger one.
WITH seen AS (
    SELECT
        distance,
        list_transform(successors(getvariable('puzzle'), index), lambda successor: successor.distance - distance)
            AS changes
    FROM drawn(getvariable('puzzle'), 100_000)
    WHERE distance IS NOT NULL
)
SELECT
    distance,
    count(*) AS states,
    avg(len(changes)) AS moves,
    avg(len(list_filter(changes, lambda change: change < 0))) AS nearer,
    avg(len(list_filter(changes, lambda change: change = 0))) AS as_far,
    avg(len(list_filter(changes, lambda change: change > 0))) AS farther
FROM seen
GROUP BY distance
ORDER BY distance;
