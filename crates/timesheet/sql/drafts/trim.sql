-- Deletes all drafts except the newest. Ids grow with time.
DELETE FROM drafts WHERE id NOT IN (SELECT id FROM drafts ORDER BY id DESC LIMIT :most)
