-- One row: the first and last local time at which any device was in active use (docs/spec/time.md#active-intervals).
SELECT min(start_local) AS first_active, max(end_local) AS last_active
FROM active_intervals
