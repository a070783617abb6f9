-- A row is an item that was on the screen while the note `$path` was taken, over all sessions of the note. If `kind` is
-- 'application', 'document' or 'website', `seconds` is the active time of the item. If `kind` is 'screenshot', `name`
-- is the reference of a screenshot. There is one screenshot for each five minutes. If the time of the note is not
-- known, the function returns no rows.
SELECT
    kind,
    name,
    CAST(sum(seconds) AS BIGINT) AS seconds,
    min(start_local) AS start_local,
    max(end_local) AS end_local
FROM note_screen_activity
WHERE path = $path
GROUP BY kind, name
