-- One row: the first and the last local instant at which any device was actively used
-- (docs/spec/time.md#active-intervals).
SELECT min(start_local) AS first_active, max(end_local) AS last_active
FROM active_intervals
