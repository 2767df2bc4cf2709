-- Per cent of all states at each distance, of the color wheels side by side.
PIVOT (
    SELECT distance, puzzle, 100 * states / sum(states) OVER (PARTITION BY puzzle) AS percent
    FROM layers
    WHERE puzzle IN ('novice', 'challenger', 'avenger', 'turnstile')
)
ON puzzle IN ('novice', 'challenger', 'avenger', 'turnstile')
USING first(percent)
ORDER BY distance;
