-- A row is a word that a new rule could use to match time of an application that no rule matches and no tag covers
-- (docs/spec/time.md#pieces-by-rule). The word is the application's name, or a linked site or path. It has its active
-- seconds, each counted once over all devices, most first for each application and kind of word.
WITH unmatched AS (
    SELECT device, activity_id, application, key, start_utc, end_utc
    FROM pieces_by_rule($start, $end)
    WHERE rule_number IS NULL AND NOT is_tagged
),
linked_items AS (
    SELECT 'site' AS word, device, related_activity_id, site AS text, start_utc, end_utc
    FROM websites
    -- One-character sites are noise from misread paths.
    WHERE character_length(site) > 1
        AND start_local < $end + INTERVAL '1 day'
        AND end_local > $start - INTERVAL '1 day'
    UNION ALL
    SELECT 'path', device, related_activity_id, path, start_utc, end_utc
    FROM documents
    WHERE start_local < $end + INTERVAL '1 day' AND end_local > $start - INTERVAL '1 day'
),
words AS (
    SELECT key, 'app' AS word, application AS text, start_utc, end_utc
    FROM unmatched
    UNION ALL
    SELECT
        unmatched.key,
        linked_items.word,
        linked_items.text,
        greatest(unmatched.start_utc, linked_items.start_utc),
        least(unmatched.end_utc, linked_items.end_utc)
    FROM unmatched
    INNER JOIN linked_items
        ON unmatched.device = linked_items.device
        AND unmatched.activity_id = linked_items.related_activity_id
        AND unmatched.start_utc < linked_items.end_utc
        AND unmatched.end_utc > linked_items.start_utc
)
SELECT key, word, text, union_seconds(start_utc, end_utc) AS seconds
FROM words
WHERE text IS NOT NULL
GROUP BY key, word, text
ORDER BY key, word, seconds DESC, text
