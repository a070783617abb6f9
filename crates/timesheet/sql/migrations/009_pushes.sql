-- The rows of entries that were sent to other trackers. A row is stored before it is sent.
--
-- `account` identifies the tracker, its address and the account. `row` is the sent row in JSON. `remote_id` is the ID
-- of the tracker's entry, or NULL while it is unknown whether the row arrived. If an entry is deleted here or in the
-- tracker, its row is kept, so that the row isn't sent again. `sent_at` is in milliseconds since 1970, UTC.

CREATE TABLE pushes (
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    row TEXT NOT NULL,
    remote_id TEXT,
    sent_at INTEGER NOT NULL,
    PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX pushes_by_remote_id ON pushes (account, remote_id) WHERE remote_id IS NOT NULL;
