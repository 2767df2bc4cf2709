-- The distribution of the figures of levels in the file $results, as lines of a document, metric by metric: quartiles,
-- the number of levels by par, the largest pars.
WITH level AS (
    SELECT
        counts,
        file,
        level,
        CAST(par AS DOUBLE) AS par,
        CAST(states AS DOUBLE) AS states,
        CAST(lost_share AS DOUBLE) AS lost_share,
        CAST(best_first_moves AS DOUBLE) AS best_first_moves,
        if(counts = 'pushes', 5, 20) AS width,
        row_number() OVER () AS place
    FROM read_csv($results, all_varchar = true)
    WHERE par IS NOT NULL
),
figure AS (
    UNPIVOT level ON par, states, lost_share, best_first_moves INTO NAME name VALUE value
),
quartile AS (
    SELECT
        counts,
        name,
        if(name = 'lost_share', '{:,.4f}', '{:,.1f}') AS digits,
        list_append(quantile_disc(value, [0, 0.25, 0.5, 0.75, 1]), avg(value)) AS cells
    FROM figure
    GROUP BY counts, name
),
range AS (
    SELECT counts, CAST(width * floor(par / width) AS INTEGER) AS first, width, count(*) AS levels
    FROM level
    GROUP BY ALL
),
hardest AS (
    SELECT *, row_number() OVER (PARTITION BY counts ORDER BY par DESC, place) AS rank
    FROM level
    QUALIFY rank <= 5
),
line (counts, part, place, text) AS (
    SELECT counts, 0, 0, format('{:,} levels in {}:', count(*), counts) FROM level GROUP BY counts
    UNION ALL
    SELECT counts, part, 0, head
    FROM (SELECT DISTINCT counts FROM level) CROSS JOIN (
        VALUES
            (1, E'\n| | least | quarter | median | three quarters | most | mean |\n|---|--:|--:|--:|--:|--:|--:|'),
            (3, E'\n| par | levels |\n|---|--:|'),
            (5, E'\n| file | level | par | states |\n|---|--:|--:|--:|'),
            (7, '')
    ) AS heads (part, head)
    UNION ALL
    SELECT
        counts,
        2,
        list_position(['par', 'states', 'lost_share', 'best_first_moves'], name),
        format(
            '| {} | {} |',
            name,
            array_to_string(list_transform(cells, lambda cell: regexp_replace(format(digits, cell), '\.?0+$', '')), ' | ')
        )
    FROM quartile
    UNION ALL
    SELECT counts, 4, first, format('| {} to {} | {:,} |', first, first + width - 1, levels) FROM range
    UNION ALL
    SELECT
        counts,
        6,
        rank,
        format('| {} | {} | {} | {:,} |', file, level, CAST(par AS INTEGER), CAST(states AS BIGINT))
    FROM hardest
)
SELECT text FROM line ORDER BY counts DESC, part, place;
