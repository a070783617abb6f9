-- Counts the tables, views, indexes and triggers of a file. The result is 0 for an empty file.
SELECT count(*) FROM sqlite_schema
