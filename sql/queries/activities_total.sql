-- One row: the seconds that a timeline covers in the local range. Each second counts once.
SELECT union_seconds(inside['start_utc'], inside['end_utc']) AS seconds
FROM (
    SELECT clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) AS inside
    FROM activities
    WHERE timeline_id = $timeline_id
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
)
