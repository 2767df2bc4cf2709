-- The means of the five measures of Adams' paper at each distance, on quantum boards.
-- It reads all states of one table, or 20,000 drawn from a larger one.
WITH board AS (
    SELECT
        regexp_extract(getvariable('puzzle'), 'quantum-(\d)x(\d)', 1)::INTEGER AS height,
        regexp_extract(getvariable('puzzle'), 'quantum-(\d)x(\d)', 2)::INTEGER AS width
),
positions AS (
    SELECT
        distance,
        index,
        unnest(range(height * width)) AS position,
        unnest(str_split(state_text(getvariable('puzzle'), index), '/')) AS shares
    FROM drawn(getvariable('puzzle'), 20_000), board
    WHERE distance IS NOT NULL
),
shared AS (
    SELECT distance, index, position, unnest(range(height * width - 1)) AS home, unnest(str_split(shares, ',')) AS units
    FROM positions, board
),
counted AS (
    SELECT
        distance,
        index,
        units::INTEGER AS units,
        abs(position // width - home // width) AS down,
        abs(position % width - home % width) AS across,
        -- Of the blocks of 2×2: the pairs of rows, and of columns, that hold both places.
        greatest(2 - down - (down = 0 AND home // width IN (0, height - 1))::INTEGER, 0)
            * greatest(2 - across - (across = 0 AND home % width IN (0, width - 1))::INTEGER, 0) AS blocks
    FROM shared, board
    WHERE home IS NOT NULL
)
SELECT
    distance,
    count(DISTINCT index) AS states,
    sum(units * (down + across)) / count(DISTINCT index) AS manhattan,
    sum(units * down) / count(DISTINCT index) AS rows,
    sum(units * across) / count(DISTINCT index) AS columns,
    sum(units * blocks) / count(DISTINCT index) AS quadrants,
    sum(units * (down + across > 0)::INTEGER) / count(DISTINCT index) AS entropy
FROM counted
GROUP BY distance
ORDER BY distance;
