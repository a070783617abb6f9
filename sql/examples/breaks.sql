-- When was the computer on without me, yesterday and today?
SELECT start_local, end_local, seconds / 60 AS minutes, state, device
FROM computer_usage_in(today() - INTERVAL '1 day', today() + INTERVAL '1 day')
WHERE state IN ('away', 'locked') AND seconds >= 600
ORDER BY start_local
