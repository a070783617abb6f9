-- When was the computer on but not in use, yesterday and today?
SELECT start_local, end_local, round(seconds / 60.0, 1) AS minutes, state, device
FROM computer_usage_in(today() - INTERVAL '1 day', today() + INTERVAL '1 day')
WHERE state IN ('away', 'locked') AND seconds >= 600
ORDER BY start_local
