-- One file holds the first layers of one puzzle and one goal. docs/table-format.md tells the meaning of each field.

CREATE TABLE layers_info (
    format       INTEGER NOT NULL,  -- of this schema; a reader refuses any other
    puzzle       VARCHAR NOT NULL,
    goal         VARCHAR NOT NULL,  -- the goal's key
    stored       VARCHAR NOT NULL,  -- what the runs hold indices of: 'states' or 'orbits'
    stored_size  BIGINT  NOT NULL,  -- how many indices there are in all
    depth        INTEGER NOT NULL,  -- every state up to this distance is here, or its orbits are
    digest       VARCHAR NOT NULL   -- hexadecimal, over this row, the layers and every run
);

CREATE TABLE layer (
    distance     INTEGER NOT NULL,
    indices      BIGINT  NOT NULL   -- at this distance in the stored graph
);

-- Sorted indices of one layer: the first, and n - 1 differences of `width` bytes each; zstd inside.
CREATE TABLE run (
    distance     INTEGER  NOT NULL,
    n            INTEGER  NOT NULL,
    first_index  BIGINT   NOT NULL,
    width        UTINYINT NOT NULL,
    checksum     BLOB     NOT NULL,
    data         BLOB     NOT NULL USING COMPRESSION uncompressed
);
