-- Deletes all drafts except the `:most` newest ones. Newer drafts have greater ids.
DELETE FROM drafts WHERE id NOT IN (SELECT id FROM drafts ORDER BY id DESC LIMIT :most)
