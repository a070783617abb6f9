-- Replaces all fields of an entry except its id and its creation time.
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
