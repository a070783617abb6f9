-- A row is a match in the local range [$start, $end), newest first (docs/spec/time.md#search). A match is a period of
-- one application, website, document, tag, note or meeting. During this period, one of its texts contains all of
-- `$words`. Texts are names, window titles, URLs, paths and notes. `text` is the matching text with the most time, or
-- null if only the name matches. `seconds` is active time. For tags, notes and meetings, `seconds` is the time from
-- start to end. The row without a `kind` contains the totals of all matches: the first start, the last end,
-- `active_seconds` and `tagged_seconds`. In the totals, each second counts once over all devices. All-day events are
-- found if they began at most a year before the range.

-- Each branch of `UNION ALL` limits the range itself.
WITH matching_activities AS (
    SELECT
        CASE role WHEN 'applications' THEN 'application' WHEN 'websites' THEN 'website' ELSE 'document' END AS kind,
        device,
        activity_id,
        timeline_id,
        name,
        CASE
            WHEN contains_words(title, $words) THEN title
            WHEN contains_words(notes, $words) THEN notes
        END AS text,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM recorded_activities
    WHERE start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
        AND (contains_words(name, $words) OR contains_words(title, $words) OR contains_words(notes, $words))
        -- Site names of one character come from misread paths, so they are left out.
        AND (role <> 'websites' OR character_length(name) > 1)
),
active_time AS (
    SELECT 'active' AS row_kind, device, start_local, start_utc, end_local, end_utc
    FROM computer_usage
    WHERE state = 'active'
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'active', device, start_local, start_utc, end_local, end_utc
    FROM calls_around($start, $end)
    UNION ALL
    SELECT 'tracked', device, NULL, NULL, NULL, NULL
    FROM timelines
    WHERE role = 'computer_usage'
),
-- A window can start during the time of its website or document. Applications are therefore clipped in one group, and
-- websites and documents in another group. Each of the two groups needs its own copy of the active time.
candidates AS (
    SELECT
        'activity' AS row_kind,
        kind,
        kind = 'application' AS is_application,
        device,
        activity_id,
        timeline_id,
        name,
        text,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM matching_activities
    UNION ALL
    SELECT
        row_kind,
        NULL,
        unnest([true, false]),
        device,
        NULL,
        NULL,
        NULL,
        NULL,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM active_time
),
clipped AS (
    SELECT
        kind,
        is_application,
        device,
        name,
        text,
        unnest(
            clip_to_active(
                row_kind, device, activity_id, timeline_id, start_local, start_utc, end_local, end_utc, $start, $end
            ) OVER (PARTITION BY is_application)
        ) AS piece
    FROM candidates
),
-- For `split_by_rule`, each row is a piece. Websites and documents are also listed as rows of the kind 'owner'. The
-- only rule of `split_by_rule` matches these rows.
pieces_and_owners AS (
    SELECT *, unnest(CASE WHEN is_application THEN ['piece'] ELSE ['piece', 'owner'] END) AS row_kind
    FROM clipped
),
parts AS (
    SELECT
        kind,
        is_application,
        device,
        name,
        text,
        unnest(
            split_by_rule(
                row_kind,
                device,
                NULL,
                CASE row_kind WHEN 'owner' THEN '1' ELSE '' END,
                piece['start_local'],
                piece['start_utc'],
                piece['end_local'],
                piece['end_utc'],
                '1'
            ) OVER ()
        ) AS part
    FROM pieces_and_owners
),
meetings_and_notes AS (
    SELECT
        'meeting' AS kind,
        meeting AS name,
        CAST(NULL AS VARCHAR) AS text,
        clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end) AS inside
    FROM meetings
    WHERE has_meetings()
        AND contains_words(meeting, $words)
        AND start_local < $end + INTERVAL '1 day'
        -- An all-day event can last for months.
        AND start_local > $start - INTERVAL '366 days'
    UNION ALL
    SELECT 'note', title, path, clip_to_range(start_local, start_utc, end_local, end_utc, $start, $end)
    FROM note_sessions_around($start, $end)
    WHERE contains_words(title, $words) OR contains_words(path, $words)
),
found AS (
    SELECT
        kind,
        device,
        name,
        text,
        part['start_local'] AS start_local,
        part['start_utc'] AS start_utc,
        part['end_local'] AS end_local,
        part['end_utc'] AS end_utc
    FROM parts
    -- The time of a website or document belongs to the website or document. Only the remaining time belongs to the
    -- application. In this time, the rule of `split_by_rule` does not match.
    WHERE NOT is_application OR part['rule'] IS NULL
    UNION ALL
    SELECT
        'tag',
        NULL,
        tag,
        CASE WHEN contains_words(notes, $words) THEN notes END,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM tags_in($start, $end)
    WHERE contains_words(tag, $words) OR contains_words(notes, $words)
    UNION ALL
    SELECT
        kind,
        NULL,
        name,
        text,
        inside['start_local'],
        inside['start_utc'],
        inside['end_local'],
        inside['end_utc']
    FROM meetings_and_notes
    WHERE inside IS NOT NULL
),
-- A match begins with the first interval of a name. After a gap of more than 15 minutes, a new match begins.
with_starts AS (
    SELECT
        *,
        CASE
            WHEN start_utc <= lag(end_utc) OVER (PARTITION BY kind, device, name ORDER BY start_utc, end_utc)
                + INTERVAL '15 minutes' THEN 0
            ELSE 1
        END AS is_start
    FROM found
),
numbered AS (
    SELECT
        *,
        kind IN ('application', 'website', 'document') AS is_active,
        kind = 'tag' AS is_tag,
        sum(is_start) OVER (
            PARTITION BY kind, device, name
            ORDER BY start_utc, end_utc
            ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        ) AS match_number
    FROM with_starts
)
SELECT
    kind,
    device,
    name,
    CASE
        WHEN grouping(kind) = 0
            THEN ranked_by_weight(text, to_unixtime(end_utc) - to_unixtime(start_utc), start_utc)[1]
    END AS text,
    min(start_local) AS first_local,
    max(end_local) AS last_local,
    max(end_utc) AS last_utc,
    union_seconds(start_utc, end_utc) AS seconds,
    union_seconds(start_utc, end_utc) FILTER (WHERE is_active) AS active_seconds,
    union_seconds(start_utc, end_utc) FILTER (WHERE is_tag) AS tagged_seconds
FROM numbered
GROUP BY GROUPING SETS ((kind, device, name, match_number), ())
ORDER BY last_utc DESC, kind, name
