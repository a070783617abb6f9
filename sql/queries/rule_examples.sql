-- A row is something that a rule decides: an application with a site or file that is linked to it, else with its title,
-- and their active seconds in the range, each counted once over all devices; most first for each rule
-- (docs/spec/time.md#first-match).
WITH belonging AS (
    SELECT device, related_activity_id, site AS detail, start_utc, end_utc
    FROM websites
    -- One-character sites are noise from misread paths.
    WHERE character_length(site) > 1
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT device, related_activity_id, file, start_utc, end_utc
    FROM documents
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
)
SELECT
    rule_number,
    application,
    key,
    COALESCE(belonging.detail, title) AS detail,
    belonging.detail IS NULL AS is_title,
    union_seconds(
        greatest(ruled.start_utc, belonging.start_utc),
        least(ruled.end_utc, belonging.end_utc)
    ) AS seconds
FROM pieces_by_rule($start, $end) AS ruled
LEFT JOIN belonging
    ON ruled.device = belonging.device
    AND ruled.activity_id = belonging.related_activity_id
    AND ruled.start_utc < belonging.end_utc
    AND ruled.end_utc > belonging.start_utc
WHERE rule_number IS NOT NULL
GROUP BY 1, 2, 3, 4, 5
ORDER BY rule_number, seconds DESC, application, detail
