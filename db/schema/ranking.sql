-- Only in tables of states that were found from a start: the arrays that number them, in pieces, zstd inside.
CREATE TABLE ranking (
    name         VARCHAR NOT NULL,
    dtype        VARCHAR NOT NULL,  -- numpy's, with the order of bytes
    shape        BIGINT[] NOT NULL,
    piece        INTEGER NOT NULL,  -- counted from 0 within the array
    bytes        BIGINT  NOT NULL,  -- of the piece, unpacked
    checksum     BLOB    NOT NULL,
    data         BLOB    NOT NULL USING COMPRESSION uncompressed
);
