-- Whether any evidence starts in an interval.
SELECT EXISTS (SELECT 1 FROM evidence WHERE start_utc >= :start AND start_utc < :end)
