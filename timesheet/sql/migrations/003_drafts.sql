-- Drafts that somebody has looked at, so that rows of one can be logged by its id. A draft is JSON: it is read and
-- written as a whole. Instants are milliseconds since 1970, UTC.

CREATE TABLE drafts (
    id TEXT NOT NULL PRIMARY KEY,
    made_at INTEGER NOT NULL,
    content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
