-- Returns a draft by its id.
SELECT content FROM drafts WHERE id = :id
