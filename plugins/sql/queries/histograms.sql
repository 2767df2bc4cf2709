-- The histograms of all tables side by side, in thousandths of the states.
PIVOT (
    SELECT distance, puzzle, round(1000 * states / sum(states) OVER (PARTITION BY puzzle), 3) AS thousandths
    FROM layers
)
ON puzzle
USING first(thousandths)
ORDER BY distance;
