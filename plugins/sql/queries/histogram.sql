-- The number of states of one table at each distance, with their share and a bar.
FROM histogram(getvariable('puzzle'));
