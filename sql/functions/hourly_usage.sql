-- A row is the recorded time of one name of the role `$role` in one local hour of [$start, $end), over all timelines.
-- `data_source` is 'hourly' for the tracker's own totals and 'activities' for time that is computed from activities
-- (docs/spec/time.md#hourly-totals). Site names of one character come from misread paths, so they are not listed.
SELECT hour_local, name, key, min(color) AS color, sum(seconds) AS seconds, data_source
FROM recorded_time($role, $start, $end)
WHERE $role <> 'websites' OR character_length(name) > 1
GROUP BY hour_local, name, key, data_source
