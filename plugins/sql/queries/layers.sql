-- The number of states of one table at each distance, for a chart.
SELECT distance AS "distance in moves", states FROM histogram(getvariable('puzzle'));
