-- A row is the recorded time of one site in one local hour, over all timelines; `data_source` says whether ManicTime's
-- own totals answered or activities (semantics, section 6). One-character sites, noise from misread paths, are not listed.
SELECT hour_local, name, key, min(color) AS color, sum(seconds) AS seconds, data_source
FROM recorded_time('websites', '0001-01-01', '9998-12-31')
WHERE character_length(name) > 1
GROUP BY hour_local, name, key, data_source
