-- The rows of entries that were sent to other trackers, now with the user and the task. A row is stored before it is
-- sent.
--
-- `account` identifies the tracker, its address and the account, and `user` is the ID of the tracker's user. `row` is
-- the sent row in JSON. `project_id` and `task_id` are the tracker's IDs of the task to which the row was sent, because
-- names can change. `remote_id` is the ID of the tracker's entry, or NULL while it is unknown whether the row arrived.
-- If an entry is deleted here or in the tracker, its row is kept, so that the row isn't sent again. `sent_at` is in
-- milliseconds since 1970, UTC.
--
-- Rows without a user and a task are deleted, because no release wrote such rows.

DROP TABLE pushes;

CREATE TABLE pushes (
    account TEXT NOT NULL,
    user INTEGER NOT NULL,
    key TEXT NOT NULL,
    row TEXT NOT NULL,
    project_id INTEGER NOT NULL,
    task_id INTEGER NOT NULL,
    remote_id TEXT,
    sent_at INTEGER NOT NULL,
    PRIMARY KEY (account, user, key)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX pushes_by_remote_id ON pushes (account, user, remote_id) WHERE remote_id IS NOT NULL;
