-- The running work. The table has at most one row. `since` is in milliseconds since 1970, UTC.

CREATE TABLE running (
    place INTEGER NOT NULL PRIMARY KEY CHECK (place = 1),
    project_code TEXT NOT NULL,
    task TEXT NOT NULL,
    description TEXT,
    issue_id TEXT,
    since INTEGER NOT NULL
) STRICT;
