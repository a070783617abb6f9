-- A row is something that was on the screen while the note `$path` was taken, over all its sessions. `kind` is
-- 'application', 'document' or 'website', with its active seconds, or 'screenshot', with its reference, one for each
-- five minutes. A note without a known time has no rows.
SELECT
    kind,
    name,
    CAST(sum(seconds) AS BIGINT) AS seconds,
    min(start_local) AS start_local,
    max(end_local) AS end_local
FROM note_screen_activity
WHERE path = $path
GROUP BY kind, name
