-- A row is an example of time to which a rule applies: an application with a linked site or file, or otherwise with its
-- title. It contains the active seconds in the range. Each second counts once over all devices. For each rule, the
-- example with the most seconds comes first (docs/spec/time.md#first-match).
WITH linked_items AS (
    SELECT device, related_activity_id, site AS detail, start_utc, end_utc
    FROM websites
    -- Site names of one character come from misread paths, so they are left out.
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
    COALESCE(linked_items.detail, title) AS detail,
    linked_items.detail IS NULL AS is_title,
    union_seconds(
        greatest(pieces.start_utc, linked_items.start_utc),
        least(pieces.end_utc, linked_items.end_utc)
    ) AS seconds
FROM pieces_by_rule($start, $end) AS pieces
LEFT JOIN linked_items
    ON pieces.device = linked_items.device
    AND pieces.activity_id = linked_items.related_activity_id
    AND pieces.start_utc < linked_items.end_utc
    AND pieces.end_utc > linked_items.start_utc
WHERE rule_number IS NOT NULL
GROUP BY 1, 2, 3, 4, 5
ORDER BY rule_number, seconds DESC, application, detail
