-- How many states lie at each distance, with their share and a bar.
SELECT
    distance,
    states,
    states / sum(states) OVER () AS share,
    bar(states, 0, max(states) OVER (), 40) AS bar
FROM layer
ORDER BY distance;
