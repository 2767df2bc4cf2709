-- antipodes with their text, as the file keeps them
--
FROM antipodes('turnstile');
