-- A row is an interval of active time, or of tagged time away from the computer, that no entry covers. Tagged time is
-- left out if the computer was off for more than four hours, because a draft only proposes such time. The rows together
-- are the time in a draft of the range: the suggested time, and the time that the draft leaves out. Each second counts
-- once over all devices. With the seconds that entries cover, the seconds of all rows add up to the active time and the
-- tagged time away. The project and task are the same as in a draft. The range [$start, $end) consists of whole days.
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
