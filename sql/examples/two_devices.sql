-- How much of the time did I use two devices at once?
SELECT round((sum(seconds) - union_seconds(start_utc, end_utc)) / 60.0, 1) AS minutes_on_two_devices
FROM pieces(today() - INTERVAL '30 days', today() + INTERVAL '1 day')
