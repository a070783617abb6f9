-- The draft that was made last. Ids grow with time.
SELECT id FROM drafts ORDER BY id DESC LIMIT 1
