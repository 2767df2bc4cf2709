-- By distance, the number of states that have no move that leads farther. Walks away from the goal end there.
-- It reads all states of one table, or 100,000 drawn from a larger one.
WITH moved AS (
    SELECT distance, successors(getvariable('puzzle'), index) AS moves
    FROM drawn(getvariable('puzzle'), 100_000)
    WHERE distance IS NOT NULL
),
counted AS (
    SELECT
        distance,
        len(moves) AS legal,
        -- A move to a lost state, whose distance is null, leads farther.
        len(list_filter(moves, lambda move: move.distance <= distance)) AS not_farther
    FROM moved
)
SELECT
    distance,
    count(*) AS states,
    count(*) FILTER (legal > 0 AND legal = not_farther) AS local_maxima,
    local_maxima / states AS share
FROM counted
GROUP BY distance
ORDER BY distance;
