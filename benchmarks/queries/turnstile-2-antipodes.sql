-- antipodes with their text
--
SELECT index, state_text('turnstile', index) AS state FROM states('turnstile') WHERE distance = 17;
