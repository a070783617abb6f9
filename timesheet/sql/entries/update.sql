-- An entry, in the place of what it was; when it was logged stays.
UPDATE entries
SET
    project_code = :project,
    task = :task,
    issue_id = :issue,
    standard_hundredths = :standard,
    overtime_hundredths = :overtime,
    description = :description,
    start_date = :start,
    completion_date = :completion,
    status = :status,
    decline_comment = :comment,
    updated_at = :updated
WHERE id = :id
