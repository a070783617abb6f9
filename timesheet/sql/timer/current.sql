-- The work that goes on.
SELECT project_code, task, description, since FROM running
