-- Drafts that were shown, so that their rows can be logged by id. A draft is JSON that is read and written as a whole.
-- Timestamps are milliseconds since 1970, UTC.

CREATE TABLE drafts (
    id TEXT NOT NULL PRIMARY KEY,
    made_at INTEGER NOT NULL,
    content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
