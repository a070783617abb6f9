-- Deletes all sessions except the `:most` sessions that were used last.
DELETE FROM sessions WHERE handle NOT IN (SELECT handle FROM sessions ORDER BY use DESC LIMIT :most)
