-- Deletes all sessions except those used most recently.
DELETE FROM sessions WHERE handle NOT IN (SELECT handle FROM sessions ORDER BY use DESC LIMIT :most)
