-- Per cent of the Challenger's states at each distance with one optimal move only, and without a move that leads farther.
WITH leading_to AS (
    SELECT
        distance,
        list_transform(successors('challenger', index), lambda successor: successor.distance - distance) AS changes
    FROM states('challenger')
    WHERE distance > 0
)
SELECT
    distance,
    100 * avg(CAST(len(list_filter(changes, lambda change: change < 0)) = 1 AS INTEGER)) AS "one optimal move",
    100 * avg(CAST(list_max(changes) <= 0 AS INTEGER)) AS "local maxima"
FROM leading_to
GROUP BY distance
ORDER BY distance;
