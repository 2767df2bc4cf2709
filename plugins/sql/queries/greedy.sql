-- By distance, the per cent of states in which a greedy player goes wrong, who looks one, two or three moves ahead. For
-- a chart: above some forty distances, several are taken together, and the first of them names the group. The player
-- tries all paths of at most that many moves, and makes the first move of a path that brings most pieces home, any of
-- these if there are several. If a path ends solved, he takes the shortest one. He goes wrong if his move leads no nearer.
-- It reads 1,000 states drawn from one table, and fewer if a player sees more than 3,000 paths in three moves.
WITH steps AS (SELECT greatest(1, gods_number // 40) AS step FROM puzzles WHERE puzzle = getvariable('puzzle')),
states AS (
    SELECT row_number() OVER () AS number, index, distance FROM drawn(getvariable('puzzle'), 1_000) WHERE distance > 0
),
first_moves AS (
    SELECT number, distance, index, unnest(successors(getvariable('puzzle'), index)) AS moved FROM states
),
one AS (
    SELECT number, distance, moved.move AS first, moved.distance < distance AS nearer, moved.index AS index
    FROM first_moves
),
ways AS (SELECT max(moves) AS most FROM (SELECT count(*) AS moves FROM one GROUP BY number)),
two AS (
    SELECT DISTINCT number, distance, first, nearer, unnest(successors(getvariable('puzzle'), index)).index AS index
    FROM one
),
three AS (
    SELECT DISTINCT number, distance, first, nearer, unnest(successors(getvariable('puzzle'), index)).index AS index
    FROM two
    WHERE number <= (SELECT 3_000_000 / most ** 3 FROM ways)
),
seen AS (
    SELECT number, distance, first, nearer, ahead, at_home(getvariable('puzzle'), index) AS home
    FROM (
        SELECT *, 1 AS ahead FROM one
        UNION ALL SELECT *, 2 AS ahead FROM two
        UNION ALL SELECT *, 3 AS ahead FROM three
    )
),
-- The most pieces that a first move can bring home, looking this many moves ahead.
worth AS (
    SELECT
        number,
        distance,
        nearer,
        unnest([1, 2, 3]) AS ahead,
        unnest([
            max(home) FILTER (ahead = 1),
            max(home) FILTER (ahead <= 2),
            if(count(*) FILTER (ahead = 3) > 0, max(home), NULL)
        ]) AS home
    FROM seen
    GROUP BY number, distance, first, nearer
),
taken AS (
    SELECT number, distance, ahead, if(distance <= ahead, 0.0, avg(CAST(NOT nearer AS INTEGER))) AS wrong
    FROM (SELECT *, max(home) OVER (PARTITION BY number, ahead) AS most FROM worth WHERE home IS NOT NULL)
    WHERE home = most
    GROUP BY number, distance, ahead
)
-- Rounded, because sums of fractions depend on their order, which is another each time.
SELECT
    distance - distance % step AS "distance in moves",
    round(100 * avg(wrong) FILTER (ahead = 1), 3) AS "one move ahead",
    round(100 * avg(wrong) FILTER (ahead = 2), 3) AS "two moves ahead",
    round(100 * avg(wrong) FILTER (ahead = 3), 3) AS "three moves ahead"
FROM taken, steps
GROUP BY 1
ORDER BY 1;
