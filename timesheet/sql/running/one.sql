-- The work that goes on.
SELECT project_code, task, description, issue_id, since FROM running
