-- What a session offers beside the tables themselves, each attached as a database under its table name: that of
-- its puzzle, with @ and the goal's key for another goal than the puzzle's first. In SQL a table is named by it.

-- The name of a part of a table, as query_table reads it.
CREATE MACRO stored_in(puzzle, part) AS '"' || replace(puzzle, '"', '""') || '".' || part;

-- The tables there are. `puzzle` is the table name.
CREATE TABLE puzzles (
    puzzle      VARCHAR NOT NULL,
    goal        VARCHAR NOT NULL,
    states      BIGINT  NOT NULL,
    reachable   BIGINT  NOT NULL,  -- those from which the goal can be reached
    gods_number INTEGER NOT NULL,
    stored      VARCHAR NOT NULL,  -- what the blocks hold distances of: 'states' or 'orbits'
    digest      VARCHAR NOT NULL
);

-- How many states of each table lie at each distance.
CREATE TABLE layers (puzzle VARCHAR NOT NULL, distance INTEGER NOT NULL, states BIGINT NOT NULL);

-- The histogram of one table, with shares and bars.
CREATE MACRO histogram(puzzle) AS TABLE
    SELECT
        distance,
        states,
        states / sum(states) OVER () AS share,
        rtrim(bar(states, 0, max(states) OVER (), 40)) AS bar
    FROM query_table(stored_in(puzzle, 'layer'))
    ORDER BY distance;

-- The states at the greatest distance, at most 100,000 of them.
CREATE MACRO antipodes(puzzle) AS TABLE
    SELECT index, state FROM query_table(stored_in(puzzle, 'antipode')) ORDER BY index;

-- The blocks that hold the distances, and the bytes each takes compressed.
CREATE MACRO blocks(puzzle) AS TABLE
    SELECT first_index, n, base, width, octet_length(data) AS bytes
    FROM query_table(stored_in(puzzle, 'block'))
    ORDER BY first_index;

-- How many states of each range of 65,536 lie at each distance that occurs there.
CREATE MACRO census(puzzle) AS TABLE
    SELECT first_index, base + place AS distance, states
    FROM (
        SELECT first_index, base, unnest(counts) AS states, generate_subscripts(counts, 1) - 1 AS place
        FROM query_table(stored_in(puzzle, 'census'))
    )
    WHERE states > 0
    ORDER BY first_index, distance;

-- Every state: its index and its distance, null where the goal cannot be reached. Made as it is read, and ranges
-- that a filter on distance or index rules out are not.
CREATE MACRO states(puzzle) AS TABLE
    SELECT index, distance FROM query_table('states of ' || puzzle);

-- The distance of a state, given by its text or its index, null where the goal cannot be reached.
CREATE MACRO distance(puzzle, state) AS
    CASE
        WHEN typeof(state) = 'VARCHAR' THEN distance_of_text(puzzle, CAST(state AS VARCHAR))
        ELSE distance_of_index(puzzle, TRY_CAST(state AS BIGINT))
    END;

-- All states, or so many drawn from more of them, the same ones each time, some perhaps twice.
CREATE MACRO drawn(puzzle, count) AS TABLE
    SELECT index, distance(puzzle, index) AS distance
    FROM (
        SELECT CAST(if(states <= count, number, hash(number) % states) AS BIGINT) AS index
        FROM (
            SELECT states, unnest(range(least(states, count))) AS number
            FROM query_table(stored_in(puzzle, 'table_info'))
        )
    );

-- Where each move of a state leads; also joined to the states of another query.
CREATE MACRO successors(puzzle, index) AS TABLE
    SELECT unnest(successors(puzzle, index), recursive := true);
