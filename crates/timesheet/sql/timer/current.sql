-- Returns the running work.
SELECT project_code, task, description, since FROM running
