-- By distance, the share of states with only one optimal move, and the mean number of optimal moves.
-- It reads all states of one table, or 100,000 drawn from a larger one.
WITH counted AS (
    SELECT
        distance,
        len(list_filter(
            successors(getvariable('puzzle'), index), lambda successor: successor.distance = distance - 1
        )) AS optimal
    FROM drawn(getvariable('puzzle'), 100_000)
    WHERE distance > 0
)
SELECT
    distance,
    count(*) AS states,
    count(*) FILTER (optimal = 1) AS with_one,
    with_one / states AS share,
    avg(optimal) AS optimal_moves
FROM counted
GROUP BY distance
ORDER BY distance;
