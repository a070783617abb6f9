-- What the time of an entry was spent on when it was drafted: the like of it is known by it.

CREATE TABLE known_by (
    entry_id TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by IN ('document', 'site', 'application')),
    text TEXT NOT NULL,
    seconds INTEGER NOT NULL CHECK (seconds > 0),
    PRIMARY KEY (entry_id, by, text)
) STRICT, WITHOUT ROWID;
