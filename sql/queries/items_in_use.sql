-- A row is an application, document or site in use between `$start_utc` and `$end_utc`. The row has the active seconds,
-- and the first and last time by the clock of the device (docs/spec/time.md#pieces). By the clock of every device, the
-- local range [$start, $end) must contain the time from `$start_utc` to `$end_utc`.
WITH pieces_around AS (
    SELECT 'application' AS kind, application AS name, start_local, start_utc, end_utc
    FROM pieces($start, $end)
    UNION ALL
    SELECT 'document', name, start_local, start_utc, end_utc
    FROM role_pieces('documents', $start, $end)
    UNION ALL
    SELECT 'website', name, start_local, start_utc, end_utc
    FROM role_pieces('websites', $start, $end)
),
inside AS (
    SELECT
        kind,
        name,
        start_local - start_utc AS ahead,
        greatest(start_utc, $start_utc) AS start_utc,
        least(end_utc, $end_utc) AS end_utc
    FROM pieces_around
    WHERE start_utc < $end_utc AND end_utc > $start_utc
)
SELECT
    kind,
    name,
    sum(to_unixtime(end_utc) - to_unixtime(start_utc)) AS seconds,
    min(start_utc + ahead) AS start_local,
    max(end_utc + ahead) AS end_local
FROM inside
GROUP BY kind, name
