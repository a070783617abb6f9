-- How many tables, views and the like a file has, to tell an empty one.
SELECT count(*) FROM sqlite_schema
