-- A row is a tag of the history, as the list of its levels (docs/spec/time.md#tags).
SELECT DISTINCT path FROM tags WHERE path IS NOT NULL
