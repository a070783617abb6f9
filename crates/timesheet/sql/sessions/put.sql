-- Inserts or replaces a session and marks it as the one used last.
INSERT INTO sessions (handle, use, content)
VALUES (:handle, (SELECT coalesce(max(use), 0) + 1 FROM sessions), :content)
ON CONFLICT (handle) DO UPDATE SET use = excluded.use, content = excluded.content
