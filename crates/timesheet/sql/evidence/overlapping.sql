-- Returns the evidence that overlaps an interval, ordered by entry and then by time. The query has separate conditions
-- for evidence of up to a day (86400 seconds) and for longer evidence.
SELECT entry_id, start_utc, end_utc, device, activity, utc_offset
FROM evidence
WHERE
    (end_utc - start_utc <= 86400 AND start_utc > :start - 86400 AND start_utc < :end AND end_utc > :start)
    OR (end_utc - start_utc > 86400 AND end_utc > :start AND +start_utc < :end)
ORDER BY entry_id, start_utc, end_utc, device, activity
