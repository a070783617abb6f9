-- A session, new or in the place of what it was, which is used now.
INSERT INTO sessions (handle, use, content)
VALUES (:handle, (SELECT coalesce(max(use), 0) + 1 FROM sessions), :content)
ON CONFLICT (handle) DO UPDATE SET use = excluded.use, content = excluded.content
