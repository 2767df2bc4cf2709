-- The correlation of the distance with the number of pieces at home; -1 would determine the distance.
-- It reads all states of one table, or 100,000 drawn from a larger one.
SELECT corr(at_home(getvariable('puzzle'), index), distance) AS correlation, count(*) AS states
FROM drawn(getvariable('puzzle'), 100_000)
WHERE distance IS NOT NULL AND at_home(getvariable('puzzle'), index) IS NOT NULL;
