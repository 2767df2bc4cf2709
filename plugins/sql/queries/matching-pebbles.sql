-- The distance by what a player of Panguru sees: the number of pebbles on plates of their colour.
-- It reads all states of one table, or 20,000 drawn from a larger one.
WITH goal AS (
    SELECT state_text(getvariable('puzzle'), index) AS goal FROM states(getvariable('puzzle')) WHERE distance = 0
),
drawn AS (
    SELECT distance, state_text(getvariable('puzzle'), index) AS state FROM drawn(getvariable('puzzle'), 20_000)
),
seen AS (
    SELECT
        distance,
        len(list_filter(range(1, length(goal) + 1), lambda place: state[place] = goal[place] AND state[place] <> '-'))
            AS matching
    FROM drawn, goal
)
SELECT
    matching,
    count(*) AS states,
    avg(distance) AS mean_distance,
    min(distance) AS min,
    max(distance) AS max,
    (SELECT corr(matching, distance) FROM seen) AS correlation
FROM seen
GROUP BY matching
ORDER BY matching;
