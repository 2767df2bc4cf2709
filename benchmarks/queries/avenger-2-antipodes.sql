-- antipodes with their text
-- ≤ 2
SELECT index, state_text('avenger', index) AS state FROM states('avenger') WHERE distance = 15;
