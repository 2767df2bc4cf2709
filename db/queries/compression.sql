-- Blocks by base and width: how many, and how many bits a stored distance takes compressed.
SELECT
    base,
    width,
    count(*) AS blocks,
    sum(n) AS distances,
    sum(octet_length(data)) AS bytes,
    8.0 * sum(octet_length(data)) / sum(n) AS bits_per_distance,
    min(8.0 * octet_length(data) / n) AS fewest_bits,
    max(8.0 * octet_length(data) / n) AS most_bits
FROM block
GROUP BY base, width
ORDER BY base, width;
