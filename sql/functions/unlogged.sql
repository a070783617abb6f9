-- A row is an interval of active time, or of tagged time away from the computer, that no entry covers. Tagged time is
-- not included if a draft only proposes it, because the computer was off for more than four hours. The rows add up to
-- the time in a draft of the range, and the time that this draft leaves out. Each second counts once over all devices.
-- Together with the seconds that entries cover, these seconds add up to the active time and the tagged time away. The
-- project and task are the same as in a draft. The range [$start, $end) consists of whole days.
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
