-- One row: the first local hour of which ManicTime's hourly totals tell an application. What lies before the first
-- activity is all that is left of its time (semantics, section 6).
SELECT min(hour_local) AS first_total
FROM hourly_totals
WHERE role = 'applications' AND seconds > 0
