-- Nothing can be booked on a project any more that is not in a JSON list of codes; what is booked on it stays.
UPDATE projects SET is_active = 0 WHERE code NOT IN (SELECT value FROM json_each(:codes))
