-- Only the sessions that were used last are kept.
DELETE FROM sessions WHERE handle NOT IN (SELECT handle FROM sessions ORDER BY use DESC LIMIT :most)
