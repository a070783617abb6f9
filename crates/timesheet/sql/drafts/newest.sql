-- Returns the id of the newest draft. Ids grow with time.
SELECT id FROM drafts ORDER BY id DESC LIMIT 1
