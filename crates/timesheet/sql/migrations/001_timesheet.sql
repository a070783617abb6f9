-- The first schema of the timesheet's file: projects, their entries, and data about entries that is stored only on this
-- machine.
--
-- Hours are stored in whole hundredths, so that sums in SQL are exact. Days are texts `YYYY-MM-DD`, which sort in
-- calendar order. Timestamps are milliseconds since 1970, UTC.

CREATE TABLE projects (
    code TEXT NOT NULL PRIMARY KEY,
    name TEXT NOT NULL,
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1))
) STRICT, WITHOUT ROWID;

-- A task is never deleted, because entries may refer to it.
CREATE TABLE tasks (
    project_code TEXT NOT NULL REFERENCES projects (code),
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    PRIMARY KEY (project_code, name)
) STRICT, WITHOUT ROWID;

-- The tags of entries don't reference `project_tags` and `project_tag_values`. An old entry therefore keeps a value
-- that is no longer allowed.
CREATE TABLE project_tags (
    project_code TEXT NOT NULL REFERENCES projects (code),
    name TEXT NOT NULL,
    position INTEGER NOT NULL,
    is_required INTEGER NOT NULL CHECK (is_required IN (0, 1)),
    is_active INTEGER NOT NULL CHECK (is_active IN (0, 1)),
    PRIMARY KEY (project_code, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE project_tag_values (
    project_code TEXT NOT NULL,
    tag TEXT NOT NULL,
    value TEXT NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (project_code, tag, value),
    FOREIGN KEY (project_code, tag) REFERENCES project_tags (project_code, name) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE TABLE entries (
    id TEXT NOT NULL PRIMARY KEY,
    project_code TEXT NOT NULL,
    task TEXT NOT NULL,
    issue_id TEXT CHECK (length(issue_id) <= 30),
    standard_hundredths INTEGER NOT NULL CHECK (standard_hundredths BETWEEN 0 AND 9999999999),
    overtime_hundredths INTEGER NOT NULL CHECK (overtime_hundredths BETWEEN 0 AND 9999999999),
    description TEXT,
    start_date TEXT NOT NULL CHECK (start_date <= completion_date),
    completion_date TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('NOT_REPORTED', 'SUBMITTED', 'APPROVED', 'DECLINED')),
    decline_comment TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    FOREIGN KEY (project_code, task) REFERENCES tasks (project_code, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX entries_by_start ON entries (start_date);
CREATE INDEX entries_by_task ON entries (project_code, task);

-- The tags of entries. The columns `folded_name` and `folded_value` are in lower case, for comparisons that ignore
-- case.
CREATE TABLE entry_tags (
    entry_id TEXT NOT NULL REFERENCES entries (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    value TEXT NOT NULL,
    position INTEGER NOT NULL,
    folded_name TEXT NOT NULL,
    folded_value TEXT NOT NULL,
    PRIMARY KEY (entry_id, name, value)
) STRICT, WITHOUT ROWID;

-- An attempt to log an entry. The request is kept until the id of its entry is known, because the request may have been
-- sent and its response lost. The entry itself may be stored by the API instead of this file. The key of a deleted
-- entry remains, so that no later attempt logs the entry again.
CREATE TABLE local_keys (
    key TEXT NOT NULL PRIMARY KEY,
    request TEXT,
    entry_id TEXT,
    since INTEGER NOT NULL,
    CHECK ((request IS NULL) <> (entry_id IS NULL))
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX local_keys_by_entry ON local_keys (entry_id) WHERE entry_id IS NOT NULL;

-- Active time that an entry covers, `[start_utc, end_utc)` in seconds since 1970. The entry itself may be stored by the
-- API instead of this file.
CREATE TABLE evidence (
    entry_id TEXT NOT NULL,
    start_utc INTEGER NOT NULL,
    end_utc INTEGER NOT NULL CHECK (start_utc < end_utc),
    device TEXT,
    activity INTEGER
) STRICT;

CREATE INDEX evidence_by_entry ON evidence (entry_id);
CREATE INDEX evidence_by_time ON evidence (start_utc, end_utc);
