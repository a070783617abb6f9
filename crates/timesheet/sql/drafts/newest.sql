-- Returns the id of the newest draft. Newer drafts have greater ids.
SELECT id FROM drafts ORDER BY id DESC LIMIT 1
