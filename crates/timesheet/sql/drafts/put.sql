-- Stores a draft as it was shown.
INSERT INTO drafts (id, made_at, content) VALUES (:id, :made_at, :content)
