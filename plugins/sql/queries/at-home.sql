-- The mean, the least and the largest distance by the number of pieces at home, for a chart.
-- It reads all states of one table, or 100,000 drawn from a larger one.
SELECT
    at_home(getvariable('puzzle'), index) AS "pieces at home",
    avg(distance) AS mean,
    min(distance) AS least,
    max(distance) AS largest
FROM drawn(getvariable('puzzle'), 100_000)
WHERE distance IS NOT NULL AND at_home(getvariable('puzzle'), index) IS NOT NULL
GROUP BY 1
ORDER BY 1;
