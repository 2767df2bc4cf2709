-- The hardest states of a table, of four kinds: README.md. A row for each kind, with null for what is not known.
-- It reads all states, or so many of a larger table as the variable `most` says, and names so many as `named` says.
WITH RECURSIVE
layer AS (
    SELECT distance, states FROM layers WHERE puzzle = getvariable('puzzle')
),
whole AS (
    SELECT states, gods_number, states <= getvariable('most') AS complete
    FROM puzzles
    WHERE puzzle = getvariable('puzzle')
),
moved AS (
    SELECT index, distance, successors(getvariable('puzzle'), index) AS moves
    FROM drawn(getvariable('puzzle'), getvariable('most'))
    WHERE distance IS NOT NULL
),
counted AS (
    SELECT
        index,
        distance,
        len(moves) AS legal,
        -- A move to a lost state, whose distance is null, leads farther.
        len(list_filter(moves, lambda move: move.distance <= distance)) AS not_farther,
        list_transform(
            list_filter(moves, lambda move: move.distance < distance), lambda move: move.index
        ) AS nearer
    FROM moved
),
-- `next` is the state after the only optimal move; it is null without one, or with several.
examined AS MATERIALIZED (
    SELECT
        index,
        distance,
        if(len(nearer) = 1, nearer[1], NULL) AS next,
        legal > 1 AS others,
        legal > 0 AND legal = not_farther AS maximum
    FROM counted
),
-- The states from which the next 1, 2, 4, 8, ... moves are each the only optimal one, and the state after these. A
-- solved state is after itself. States with one shortest solution are still there once the moves are God's number.
forced AS (
    SELECT index, distance, coalesce(next, index) AS after, 1 AS moves
    FROM examined
    WHERE (next IS NOT NULL OR distance = 0) AND (SELECT complete FROM whole)
    UNION ALL
    SELECT forced.index, forced.distance, onwards.after, 2 * forced.moves
    FROM forced JOIN forced AS onwards ON forced.after = onwards.index
    WHERE forced.moves < (SELECT gods_number FROM whole)
),
found AS MATERIALIZED (
    SELECT 'one-solution' AS kind, index, distance
    FROM forced
    WHERE distance > 0 AND moves >= (SELECT gods_number FROM whole)
    UNION ALL
    SELECT 'one-good-move', index, distance FROM examined WHERE next IS NOT NULL AND others
    UNION ALL
    SELECT 'local-maxima', index, distance FROM examined WHERE maximum
),
kinds AS (
    SELECT unnest(['antipodes', 'one-solution', 'one-good-move', 'local-maxima']) AS kind
),
-- The number of each kind at each distance.
counts AS (
    SELECT kind, distance, count(*) AS states FROM found GROUP BY kind, distance
    UNION ALL
    SELECT 'antipodes', distance, states FROM layer WHERE distance = (SELECT gods_number FROM whole)
),
sums AS (
    SELECT
        kind,
        CAST(sum(coalesce(counts.states, 0)) AS BIGINT) AS states,
        list(coalesce(counts.states, 0) ORDER BY distance) AS by_distance,
        CASE
            WHEN kind = 'local-maxima' THEN min(distance) FILTER (counts.states > 0)
            ELSE max(distance) FILTER (counts.states > 0)
        END AS distance
    FROM kinds CROSS JOIN layer LEFT JOIN counts USING (kind, distance)
    GROUP BY kind
),
first AS (
    SELECT kind, index, state_text(getvariable('puzzle'), index) AS state
    FROM (
        SELECT DISTINCT kind, index
        FROM found JOIN sums USING (kind, distance)
        QUALIFY dense_rank() OVER (PARTITION BY kind ORDER BY index) <= getvariable('named')
    )
    UNION ALL
    (SELECT 'antipodes', index, state FROM antipodes(getvariable('puzzle')) LIMIT getvariable('named'))
),
named AS (
    SELECT kind, list(state ORDER BY index) AS named FROM first GROUP BY kind
)
SELECT
    kind,
    kind = 'antipodes' OR complete AS exact,
    if(known, sums.states, NULL) AS states,
    if(known, by_distance, NULL) AS by_distance,
    distance,
    if(known, coalesce(counts.states, 0), NULL) AS count,
    coalesce(named, []) AS named
FROM (SELECT *, kind != 'one-solution' OR complete AS known FROM sums CROSS JOIN (SELECT complete FROM whole)) AS sums
LEFT JOIN counts USING (kind, distance)
LEFT JOIN named USING (kind);
