-- A row is the recorded time of one name of the role `$role` in one local hour inside [$start, $end), over all
-- timelines; `data_source` says whether ManicTime's own totals answered or activities
-- (docs/spec/time.md#hourly-totals). One-character sites, noise from misread paths, are not listed.
SELECT hour_local, name, key, min(color) AS color, sum(seconds) AS seconds, data_source
FROM recorded_time($role, $start, $end)
WHERE $role <> 'websites' OR character_length(name) > 1
GROUP BY hour_local, name, key, data_source
