-- A row is an interval of time for one client and task on one local day, or of active time without a client, over
-- all devices (docs/spec/time.md#client-time). Rows of two clients can overlap; `union_seconds` counts each second
-- once. For all rows, that is the active time plus the tagged time away (`is_away`).
SELECT *
FROM device_client_time(NULL, $start, $end)
