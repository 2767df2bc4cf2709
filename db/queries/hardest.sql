-- The states farthest from the goal, with their distance.
SELECT antipode.state, table_info.gods_number AS distance
FROM antipode, table_info
ORDER BY antipode.index;
