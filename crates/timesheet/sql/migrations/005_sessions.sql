-- The recent activity of each client, found by the handle that the client sends. A session is JSON that is read and
-- written as a whole. The session that was used last has the greatest `use`, even if the clock was set back.

CREATE TABLE sessions (
    handle TEXT NOT NULL PRIMARY KEY,
    use INTEGER NOT NULL UNIQUE,
    content TEXT NOT NULL
) STRICT, WITHOUT ROWID;
