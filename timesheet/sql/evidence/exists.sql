-- Whether any evidence begins in a stretch of time.
SELECT EXISTS (SELECT 1 FROM evidence WHERE start_utc >= :start AND start_utc < :end)
