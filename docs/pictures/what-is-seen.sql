-- Mean distance of Avenger states by the number of colours together, the fewest that any of them needs, and the most.
WITH drawn AS (
    SELECT distance, state_text('avenger', index) AS state FROM drawn('avenger', 1_000_000)
),
wheels AS (
    SELECT distance, state[1:12] || state[1:2] || '|' || state[10:21] || state[10:11] AS circles FROM drawn
),
seen AS (
    SELECT
        distance,
        len(list_filter(['A', 'B', 'C', 'D', 'E'], lambda colour: contains(circles, repeat(colour, 3)))) AS together
    FROM wheels
)
SELECT together AS "colours together", avg(distance) AS mean, min(distance) AS min, max(distance) AS max
FROM seen
GROUP BY together
ORDER BY together;
