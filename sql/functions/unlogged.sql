-- A row is an interval of active time, or of tagged time away from the computer, that no entry covers. Tagged time that
-- a draft only proposes, because the computer was off for more than four hours, is not included. These seconds
-- are the ones that a draft of the range includes or leaves out, each once over all devices. Together with the seconds
-- that entries cover, they add up to the active time and the tagged time away. Project and task are those that a draft
-- would use. The range [$start, $end) consists of whole days.
SELECT
    day_of(day_local) AS day,
    start_local,
    end_local,
    start_utc,
    end_utc,
    to_unixtime(end_utc) - to_unixtime(start_utc) AS seconds,
    project_code,
    task,
    application,
    device,
    is_away
FROM unlogged_time
WHERE day_local >= $start AND day_local < $end
