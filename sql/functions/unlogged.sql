-- A row is a stretch of active time that no entry covers. These are the seconds that a draft of the range drafts or leaves
-- out, each once over all devices, so that they and those that entries cover add up to the active time. Project and task are
-- those that a draft would log it on. The range [$start, $end) is of whole days.
SELECT
    CAST(day_local AS DATE) AS day,
    start_local,
    end_local,
    start_utc,
    end_utc,
    to_unixtime(end_utc) - to_unixtime(start_utc) AS seconds,
    project_code,
    task,
    application,
    device
FROM unlogged_time
WHERE day_local >= $start AND day_local < $end
