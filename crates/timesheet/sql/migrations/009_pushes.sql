-- The rows of entries that were sent to other trackers. A row is stored before it is sent.
--
-- `account` is the tracker with its address and account. `row` is the row as it was sent, in JSON. `remote_id` is the ID
-- of the tracker's entry, or NULL while it is unknown whether the row arrived. A row stays if its entry is deleted, here
-- or there, so that it isn't sent again. `sent_at` is in milliseconds since 1970, UTC.

CREATE TABLE pushes (
    account TEXT NOT NULL,
    key TEXT NOT NULL,
    row TEXT NOT NULL,
    remote_id TEXT,
    sent_at INTEGER NOT NULL,
    PRIMARY KEY (account, key)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX pushes_by_remote_id ON pushes (account, remote_id) WHERE remote_id IS NOT NULL;
