-- all ten moves of 100,000 drawn states
--
SELECT avg(len(successors('avenger', index))) AS moves FROM drawn('avenger', 100_000);
