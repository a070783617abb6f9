-- The files, sites and applications of a drafted entry, from which later drafts learn.

CREATE TABLE known_by (
    entry_id TEXT NOT NULL,
    by TEXT NOT NULL CHECK (by IN ('document', 'site', 'application')),
    text TEXT NOT NULL,
    seconds INTEGER NOT NULL CHECK (seconds > 0),
    PRIMARY KEY (entry_id, by, text)
) STRICT, WITHOUT ROWID;
