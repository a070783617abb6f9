-- No row: where calls do not count, no time is a call's. It stands in the place of the function of that name.
SELECT device, start_local, start_utc, end_local, end_utc, name AS rule
FROM computer_usage
WHERE false AND start_local < $end AND end_local > $start
