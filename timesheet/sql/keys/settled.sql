-- Which of the entries of a JSON list were booked under a key of this book.
SELECT entry_id FROM local_keys WHERE entry_id IN (SELECT value FROM json_each(:ids))
