-- How many states of one table lie at each distance, to be drawn.
SELECT distance AS "distance in moves", states FROM histogram(getvariable('puzzle'));
