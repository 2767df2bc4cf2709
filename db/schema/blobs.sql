-- One file holds named blobs that only the puzzle understands, its oracle's data. docs/table-format.md tells more.

CREATE TABLE oracle_info (
    format   INTEGER NOT NULL,  -- of this schema; a reader refuses any other
    puzzle   VARCHAR NOT NULL,
    built    TIMESTAMP WITH TIME ZONE NOT NULL,  -- outside the digest
    digest   VARCHAR NOT NULL   -- hexadecimal, over this row and every blob
);

-- The blobs by name; zstd inside.
CREATE TABLE blob (
    name     VARCHAR NOT NULL,
    bytes    BIGINT  NOT NULL,  -- before compression
    checksum BLOB    NOT NULL,
    data     BLOB    NOT NULL USING COMPRESSION uncompressed
);
