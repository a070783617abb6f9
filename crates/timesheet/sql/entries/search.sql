-- Returns the entries that match every filter, in a stable order. An unset filter is NULL, and a list of tags is JSON.
-- The range of days is always set. Both ends of the range also limit the start of an entry, because an entry can't end
-- before it starts.
SELECT
    id, project_code, task, issue_id, standard_hundredths, overtime_hundredths, description, start_date,
    completion_date, status, decline_comment, created_at, updated_at
FROM entries
WHERE
    start_date BETWEEN :from AND :until
    AND completion_date <= :until
    AND (:project IS NULL OR project_code = :project)
    AND (:task IS NULL OR task = :task)
    AND (:status IS NULL OR status = :status)
    AND (:text IS NULL OR instr(coalesce(description, ''), :text) > 0)
    AND (:has_overtime IS NULL OR (overtime_hundredths > 0) = :has_overtime)
    AND (:min_hours IS NULL OR standard_hundredths + overtime_hundredths >= :min_hours)
    AND (:max_hours IS NULL OR standard_hundredths + overtime_hundredths <= :max_hours)
    AND NOT EXISTS (
        SELECT 1
        FROM json_each(:tags) AS wanted
        WHERE NOT EXISTS (
            SELECT 1
            FROM entry_tags
            WHERE
                entry_tags.entry_id = entries.id
                AND entry_tags.folded_name = wanted.value ->> 'name'
                AND entry_tags.folded_value = wanted.value ->> 'value'
        )
    )
ORDER BY
    CASE WHEN NOT :descending THEN
        CASE :by WHEN 'start' THEN start_date WHEN 'completion' THEN completion_date ELSE standard_hundredths END
    END,
    CASE WHEN :descending THEN
        CASE :by WHEN 'start' THEN start_date WHEN 'completion' THEN completion_date ELSE standard_hundredths END
    END DESC,
    id
LIMIT :limit OFFSET :offset
