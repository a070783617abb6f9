-- What clients have done of late, each found by the handle that the client shows. A session is JSON: it is read and
-- written as a whole. The one that was used last has the greatest `use`, whatever a clock said meanwhile.

CREATE TABLE sessions (
    handle TEXT NOT NULL PRIMARY KEY,
    use INTEGER NOT NULL UNIQUE,
    content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
