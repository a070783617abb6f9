-- Inserts an entry that has passed the rules.
INSERT INTO entries (
    id, project_code, task, issue_id, standard_hundredths, overtime_hundredths, description, start_date,
    completion_date, status, decline_comment, created_at, updated_at
)
VALUES (
    :id, :project, :task, :issue, :standard, :overtime, :description, :start,
    :completion, :status, :comment, :created, :updated
)
