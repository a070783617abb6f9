-- A row is the active time of one project and task on one local day, from rules (docs/spec/time.md#pieces-by-rule).
-- Each second counts once over all devices.
WITH parts AS (
    SELECT project, task, unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part
    FROM pieces_by_rule($start, $end)
    WHERE project IS NOT NULL
)
SELECT
    day_of(part['start_local']) AS date,
    project,
    task,
    union_seconds(part['start_utc'], part['end_utc']) AS seconds
FROM parts
GROUP BY 1, project, task
