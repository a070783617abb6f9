-- A row is the recorded time of a tag in one local hour. The view covers the whole history and returns the same rows
-- as the function `hourly_usage`.
SELECT hour_local, name, key, color, seconds, data_source
FROM hourly_usage('tags', '0001-01-01', '9998-12-31')
