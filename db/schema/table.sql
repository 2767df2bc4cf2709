-- One file holds the table of one puzzle and one goal. docs/table-format.md tells the meaning of each field.

CREATE TABLE table_info (
    format       INTEGER NOT NULL,  -- of this schema; a reader refuses any other
    puzzle       VARCHAR NOT NULL,
    goal         VARCHAR NOT NULL,  -- the goal's key: goals with equal keys share a table
    states       BIGINT  NOT NULL,  -- indices of the space
    reachable    BIGINT  NOT NULL,  -- those from which the goal can be reached
    gods_number  INTEGER NOT NULL,
    stored       VARCHAR NOT NULL,  -- what the blocks hold distances of: 'states' or 'orbits'
    stored_size  BIGINT  NOT NULL,
    block_size   INTEGER NOT NULL,  -- indices of every block but the last
    digest       VARCHAR NOT NULL   -- hexadecimal, over this row, the layers and every block
);

-- Packed distances of stored indices first_index .. first_index + n - 1: distance - base in `width` bits
-- each, all ones where the goal cannot be reached; zstd inside. No primary key, inserted in order.
CREATE TABLE block (
    first_index  BIGINT   NOT NULL,
    n            INTEGER  NOT NULL,
    base         INTEGER  NOT NULL,
    width        UTINYINT NOT NULL,
    checksum     BLOB     NOT NULL,
    data         BLOB     NOT NULL USING COMPRESSION uncompressed
);

-- How many states of the range first_index .. first_index + n - 1 lie at distance base, base + 1, ..., and at no other.
CREATE TABLE census (
    first_index  BIGINT   NOT NULL,
    n            INTEGER  NOT NULL,
    base         INTEGER  NOT NULL,
    counts       INTEGER[] NOT NULL
);

CREATE TABLE layer (
    distance     INTEGER NOT NULL,
    states       BIGINT  NOT NULL
);

-- The states at the max distance, lowest index first, at most 100,000 of them.
CREATE TABLE antipode (
    index        BIGINT  NOT NULL,
    state        VARCHAR NOT NULL
);

-- What has been proved of the stored distances; docs/table-format.md gives the argument.
CREATE TABLE certificate (
    graph        VARCHAR NOT NULL,  -- 'states' or 'orbits'
    nodes        BIGINT  NOT NULL,
    links        BIGINT  NOT NULL
);

-- When, where and how long: outside the digest.
CREATE TABLE build_log (
    built        TIMESTAMP WITH TIME ZONE NOT NULL,
    version      VARCHAR NOT NULL,
    machine      VARCHAR NOT NULL,
    threads      INTEGER NOT NULL,
    phase        VARCHAR NOT NULL,
    seconds      DOUBLE  NOT NULL
);
