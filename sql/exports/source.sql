-- One row: the first and last local time of the history, and its devices.
SELECT
    min(first_local) AS first_local,
    max(last_local) AS last_local,
    array_sort(array_agg(DISTINCT device)) AS devices
FROM recorded_bounds
