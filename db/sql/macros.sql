-- The tables and macros of every session. Each table file is attached as a database besides, under its table name:
-- the puzzle's name, followed by @ and the goal's key if the goal is not the puzzle's first. The parameter `puzzle`
-- of each macro is a table name.

-- The quoted name of one table in a table file, for query_table.
CREATE MACRO stored_in(puzzle, part) AS '"' || replace(puzzle, '"', '""') || '".' || part;

-- One row for each attached table file. `puzzle` is its table name.
CREATE TABLE puzzles (
    puzzle      VARCHAR NOT NULL,
    goal        VARCHAR NOT NULL,
    states      BIGINT  NOT NULL,
    reachable   BIGINT  NOT NULL,  -- states from which the goal can be reached
    gods_number INTEGER NOT NULL,
    stored      VARCHAR NOT NULL,  -- 'states' or 'orbits': what the blocks hold the distances of
    digest      VARCHAR NOT NULL
);

-- How many states of each table lie at each distance.
CREATE TABLE layers (puzzle VARCHAR NOT NULL, distance INTEGER NOT NULL, states BIGINT NOT NULL);

-- The number of states at each distance, with its share of all states and a bar.
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

-- The blocks that hold the distances, with their compressed size in bytes.
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

-- The index and the distance of every state; the distance is null if the goal cannot be reached. The rows are made
-- while they are read, except those in ranges that a filter on distance or index rules out.
CREATE MACRO states(puzzle) AS TABLE
    SELECT index, distance FROM query_table('states of ' || puzzle);

-- The distance of a state, which is given by its text or its index; null if the goal cannot be reached.
CREATE MACRO distance(puzzle, state) AS
    CASE
        WHEN typeof(state) = 'VARCHAR' THEN distance_of_text(puzzle, CAST(state AS VARCHAR))
        ELSE distance_of_index(puzzle, TRY_CAST(state AS BIGINT))
    END;

-- A sample of `count` states, or all states if there are no more than that. Each seed has a sample of its own, which is
-- the same each time. A state can be in it twice.
CREATE MACRO drawn(puzzle, count, seed := 0) AS TABLE
    SELECT index, distance(puzzle, index) AS distance
    FROM (
        SELECT CAST(if(states <= count, number, if(seed = 0, hash(number), hash(number, seed)) % states) AS BIGINT) AS index
        FROM (
            SELECT states, unnest(range(least(states, count))) AS number
            FROM query_table(stored_in(puzzle, 'table_info'))
        )
    );

-- The legal moves of a state, with the index and distance they lead to. It can be joined to the states of a query.
CREATE MACRO successors(puzzle, index) AS TABLE
    SELECT unnest(successors(puzzle, index), recursive := true);
