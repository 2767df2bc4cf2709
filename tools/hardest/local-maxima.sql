-- By distance, the number of states that have no move that leads farther. Walks away from the goal end there.
-- It reads all states of one table, or 100,000 drawn from a larger one.
WITH farthest AS (
    SELECT
        distance,
        list_max(list_transform(successors(getvariable('puzzle'), index), lambda successor: successor.distance))
            AS reached
    FROM drawn(getvariable('puzzle'), 100_000)
    WHERE distance IS NOT NULL
)
SELECT
    distance,
    count(*) AS states,
    count(*) FILTER (reached <= distance) AS local_maxima,
    local_maxima / states AS share
FROM farthest
GROUP BY distance
ORDER BY distance;
