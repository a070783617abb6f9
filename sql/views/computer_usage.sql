-- A row is an interval of one state of a device: active, away, locked, off or unknown. The state comes from the key,
-- because the name is localised. Without a key, ManicTime's own flag decides, then the name
-- (docs/spec/time.md#active-intervals).
SELECT
    timeline_id,
    activity_id,
    device,
    CASE
        WHEN group_key = 'ManicTime/Active' THEN 'active'
        WHEN group_key = 'ManicTime/Away' THEN 'away'
        WHEN group_key = 'ManicTime/SessionLocked' THEN 'locked'
        WHEN group_key = 'ManicTime/PowerOff' THEN 'off'
        WHEN group_key IS NOT NULL THEN 'unknown'
        WHEN is_active THEN 'active'
        WHEN lower(name) = 'active' AND is_active IS NULL THEN 'active'
        WHEN lower(name) = 'away' THEN 'away'
        WHEN lower(name) = 'session lock' THEN 'locked'
        WHEN lower(name) = 'power off' THEN 'off'
        ELSE 'unknown'
    END AS state,
    name,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds
FROM activities
WHERE role = 'computer_usage' AND seconds > 0
