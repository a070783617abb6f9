-- Counts the tables, views, indexes and triggers of a file. An empty file has none.
SELECT count(*) FROM sqlite_schema
