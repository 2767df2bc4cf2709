-- For each table the mean distance, the standard deviation, and God's number divided by the mean.
SELECT
    puzzle,
    sum(states) AS states,
    sum(distance * states) / sum(states) AS mean,
    sqrt(sum(distance ** 2 * states) / sum(states) - (sum(distance * states) / sum(states)) ** 2) AS deviation,
    arg_max(distance, states) AS commonest,
    max(distance) AS gods_number,
    max(distance) / mean AS gods_number_to_mean
FROM layers
GROUP BY puzzle
ORDER BY puzzle;
