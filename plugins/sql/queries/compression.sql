-- The blocks of one table by base and width: their number, and their bits for each distance.
SELECT
    base,
    width,
    count(*) AS blocks,
    sum(n) AS distances,
    sum(bytes) AS bytes,
    8.0 * sum(bytes) / sum(n) AS bits_per_distance,
    min(8.0 * bytes / n) AS fewest_bits,
    max(8.0 * bytes / n) AS most_bits
FROM blocks(getvariable('puzzle'))
GROUP BY base, width
ORDER BY base, width;
