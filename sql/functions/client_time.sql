-- A row is an interval of time for one client and task on one local day, over all devices
-- (docs/spec/time.md#client-time). Active time without a client is also listed. Rows of two clients can overlap, so use
-- `union_seconds` to count each second once. Over all rows, `union_seconds` returns the active time plus the tagged
-- time away from the computer (`is_away`).
SELECT *
FROM device_client_time(NULL, $start, $end)
