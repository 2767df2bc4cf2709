-- The states of one table that are farthest from the goal, with their text.
SELECT antipodes.index, gods_number AS distance, antipodes.state
FROM antipodes(getvariable('puzzle')) AS antipodes, puzzles
WHERE puzzle = getvariable('puzzle')
ORDER BY antipodes.index;
