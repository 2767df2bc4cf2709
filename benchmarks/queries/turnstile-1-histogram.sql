-- histogram
--
FROM histogram('turnstile');
