-- The distance by what a player of the Avenger sees: the number of colours whose three pieces are together.
-- It reads all states of one table, or 100,000 drawn from a larger one.
WITH drawn AS (
    SELECT distance, state_text(getvariable('puzzle'), index) AS state FROM drawn(getvariable('puzzle'), 100_000)
),
wheels AS (
    -- places 1 to 12 are the left wheel, 10 to 21 the right one; the first two places are repeated to close the circle
    SELECT distance, state[1:12] || state[1:2] || '|' || state[10:21] || state[10:11] AS circles FROM drawn
),
seen AS (
    SELECT
        distance,
        len(list_filter(['A', 'B', 'C', 'D', 'E'], lambda colour: contains(circles, repeat(colour, 3)))) AS together
    FROM wheels
)
SELECT
    together,
    count(*) AS states,
    avg(distance) AS mean_distance,
    min(distance) AS min,
    max(distance) AS max,
    (SELECT corr(together, distance) FROM seen) AS correlation
FROM seen
GROUP BY together
ORDER BY together;
