-- A row is a block for a narrative, on `$device` or on all devices, in order of time. Blocks shorter than
-- `$min_seconds` are left out. The caller shortens the list (docs/spec/time.md#blocks).
SELECT
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    subject,
    subject_kind,
    on_subject,
    tags,
    applications,
    documents,
    websites,
    meetings,
    notes_taken
FROM device_blocks($device, $start, $end)
WHERE seconds >= $min_seconds
ORDER BY start_utc
