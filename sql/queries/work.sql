-- A row is an item for the draft of a timesheet. The items of each `kind` are:
--
-- - 'piece': a piece of an application with its rule, split at the start of days (docs/spec/time.md#pieces-by-rule).
-- - 'document', 'website', 'tag', 'note' or 'meeting': an item that can overlap a piece. Tags, notes and meetings apply
--   to every device. Documents and websites of one device do not overlap.
-- - 'block': a block about a tag or project (docs/spec/time.md#blocks). The draft uses a block only if nothing else
--   identifies the work. Blocks are read from `$blocks_from` to `$blocks_until`. `title` is the kind of the block's
--   subject.
-- - 'away': tagged time on one local day during which no device was active.
-- - 'gap': an interval away from the computer on one local day. `name` is a meeting that overlaps the interval.
--   Intervals that end after the local time `$now` are left out.
-- - 'state': an interval in which a device had one state. `name` is the name of the state.
WITH pieces AS (
    SELECT
        device,
        activity_id,
        application,
        title,
        rule,
        project,
        task,
        unnest(split_days(start_local, start_utc, end_local, end_utc)) AS part
    FROM pieces_by_rule($start, $end)
)
SELECT
    'piece' AS kind,
    device,
    activity_id,
    application AS name,
    title,
    rule,
    project,
    task,
    CAST(NULL AS VARCHAR[]) AS path,
    part['start_local'] AS start_local,
    part['start_utc'] AS start_utc,
    part['end_utc'] AS end_utc
FROM pieces
UNION ALL
SELECT 'document', device, NULL, name, title, NULL, NULL, NULL, NULL, start_local, start_utc, end_utc
FROM role_pieces('documents', $start, $end)
UNION ALL
SELECT 'website', device, NULL, name, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_utc
FROM role_pieces('websites', $start, $end)
UNION ALL
SELECT 'tag', NULL, NULL, tag, NULL, NULL, NULL, NULL, path, start_local, start_utc, end_utc
FROM tags_in($start, $end)
UNION ALL
SELECT 'note', NULL, NULL, title AS name, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_utc
FROM note_sessions_around($start, $end)
UNION ALL
SELECT 'meeting', NULL, NULL, meeting AS name, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_utc
FROM meetings_around($start, $end)
UNION ALL
SELECT 'away', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_utc
FROM client_time($start, $end)
WHERE is_away
UNION ALL
SELECT 'gap', NULL, NULL, unnest(meetings) AS name, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_utc
FROM away_intervals($start, $end)
WHERE has_meetings() AND array_length(meetings) > 0 AND end_local <= $now
UNION ALL
-- States are not clipped to the range, because the draft needs their full length.
SELECT 'state', device, NULL, state, NULL, NULL, NULL, NULL, NULL, start_local, start_utc, end_utc
FROM computer_usage
WHERE state IN ('active', 'away', 'locked', 'off')
    AND start_local < $end + INTERVAL '1 day'
    AND end_local > $start - INTERVAL '1 day'
UNION ALL
SELECT 'block', NULL, NULL, subject, subject_kind, NULL, NULL, NULL, NULL, start_local, start_utc, end_utc
FROM blocks($blocks_from, $blocks_until)
WHERE subject_kind IN ('tag', 'project')
ORDER BY start_utc, end_utc, kind, device, activity_id
