-- How many states of one table lie at each distance, with their share and a bar.
FROM histogram(getvariable('puzzle'));
