-- A row is a segment: a period that a person would describe as one thing (docs/spec/time.md#segments). It has a
-- document, a website, tags and a title (docs/spec/time.md#segment-details). `seconds` is the active time of its
-- pieces, without the gaps. A segment is identified by its device, its first activity (`activity_id`) and its start.
-- These three values are the same in every range that contains the whole segment. The start is needed because several
-- segments can begin with parts of the same interrupted activity. Pieces of one application are merged if the gap
-- between them is at most `$max_gap_minutes`. An interruption by another application is merged if the first application
-- is back in less than `$interruption_minutes`. `rule` is the rule that matches the most seconds of the application's
-- pieces, and `category`, `project` and `task` are the values of this rule (docs/spec/time.md#displayed-rule).

-- Each branch of `UNION ALL` limits the range itself.
WITH numbered AS (
    SELECT
        *,
        segment_number(
            device,
            key,
            start_utc,
            end_utc,
            -- Rounds to whole seconds. The inner rounding is needed because 1.025 times 60 is less than 61.5 in binary.
            round(round($max_gap_minutes * 60, 6)),
            round(round($interruption_minutes * 60, 6))
        ) OVER () AS number
    FROM pieces($start, $end)
),
-- The pieces, together with the documents, websites and tags that may belong to them.
candidates AS (
    SELECT
        'piece' AS kind,
        number['segment'] AS segment,
        number['is_main_application'] AS is_main_application,
        device,
        device AS piece_device,
        activity_id,
        application AS name,
        key,
        color,
        title,
        rule_number,
        start_local,
        start_utc,
        end_local,
        end_utc
    FROM numbered
    UNION ALL
    SELECT 'document', NULL, NULL, device, NULL, related_activity_id, document, NULL, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM documents
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'website', NULL, NULL, device, NULL, related_activity_id, site, NULL, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM websites
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
        -- Site names of one character come from misread paths, so they are left out.
        AND character_length(site) > 1
    UNION ALL
    -- Tags belong to a person, so they apply to every device.
    SELECT 'tag', NULL, NULL, NULL, NULL, NULL, tag, NULL, NULL, NULL, NULL, start_local, start_utc, end_local, end_utc
    FROM tags
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
),
attributed AS (
    SELECT
        *,
        unnest(
            attribute(segment, is_main_application, device, activity_id, kind, name, start_utc, end_utc, 5)
                OVER (ORDER BY start_utc)
        ) AS belongs
    FROM candidates
),
segments AS (
    SELECT
        belongs['segment'] AS segment,
        first_value(piece_device ORDER BY start_utc) FILTER (WHERE kind = 'piece') AS device,
        first_value(activity_id ORDER BY start_utc) FILTER (WHERE kind = 'piece') AS activity_id,
        first_value(name ORDER BY start_utc) FILTER (WHERE kind = 'piece') AS application,
        first_value(key ORDER BY start_utc) FILTER (WHERE kind = 'piece') AS key,
        first_value(color ORDER BY start_utc) FILTER (WHERE kind = 'piece') AS color,
        first_value(start_local ORDER BY start_utc) FILTER (WHERE kind = 'piece') AS start_local,
        min(start_utc) FILTER (WHERE kind = 'piece') AS start_utc,
        last_value(end_local ORDER BY start_utc) FILTER (WHERE kind = 'piece') AS end_local,
        max(end_utc) FILTER (WHERE kind = 'piece') AS end_utc,
        sum(belongs['seconds']) FILTER (WHERE kind = 'piece') AS seconds,
        ranked_by_weight(name, belongs['seconds'], start_utc)
            FILTER (WHERE kind = 'document' AND belongs['seconds'] > 0) AS documents,
        ranked_by_weight(name, belongs['seconds'], start_utc)
            FILTER (WHERE kind = 'website' AND belongs['seconds'] > 0) AS websites,
        -- The last site that ended in the 5 seconds before the segment. It is used if no website overlaps the segment.
        last_value(name ORDER BY end_utc, start_utc DESC, name DESC)
            FILTER (WHERE kind = 'website' AND belongs['precedes']) AS website_before,
        ranked_by_weight(name, belongs['seconds'], start_utc) FILTER (WHERE kind = 'tag') AS tags,
        ranked_by_weight(title, belongs['seconds'], start_utc) FILTER (WHERE kind = 'piece' AND is_main_application) AS titles,
        -- Time without a matching rule is also a candidate, with an empty text instead of a number. If candidates have
        -- equal seconds, the rule that comes first in the configuration wins. Time without a rule comes last.
        ranked_by_weight(
            COALESCE(CAST(rule_number AS VARCHAR), ''),
            belongs['seconds'],
            to_timestamp_seconds(COALESCE(rule_number, 1000000))
        ) FILTER (WHERE kind = 'piece' AND is_main_application) AS rules,
        bool_or(kind = 'website' AND belongs['linked']) AS website_linked
    FROM attributed
    GROUP BY belongs['segment']
),
browsing AS (
    SELECT
        *,
        rule_fields(CAST(NULLIF(rules[1], '') AS BIGINT)) AS rule_fields,
        website_linked
            OR array_has((SELECT array_agg(program) FROM browsers), split_part(lower(key), ';', 1)) AS is_browser
    FROM segments
)
-- The order of the columns in `SELECT *`: the most useful columns come first.
SELECT
    device,
    start_local,
    end_local,
    seconds,
    application,
    documents[1] AS document,
    carry_website(
        device,
        is_browser,
        COALESCE(websites[1], CASE WHEN is_browser THEN website_before END),
        start_utc,
        end_utc
    ) OVER (ORDER BY device, start_utc) AS website,
    tags,
    titles[1] AS title,
    rule_fields['rule'] AS rule,
    rule_fields['category'] AS category,
    rule_fields['project'] AS project,
    rule_fields['task'] AS task,
    activity_id,
    key,
    color,
    start_utc,
    end_utc
FROM browsing
