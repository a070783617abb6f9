-- A row is an interval of one state of a device: active, away, locked, off or unknown. Each source converts its
-- tracker's own states (docs/spec/time.md#active-intervals).
SELECT
    timeline_id,
    activity_id,
    device,
    state,
    name,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds
FROM activities
WHERE role = 'computer_usage' AND seconds > 0
