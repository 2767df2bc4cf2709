-- count of all states by distance
-- ≤ 5
SELECT distance, count(*) AS states FROM states('avenger') GROUP BY 1 ORDER BY 1;
