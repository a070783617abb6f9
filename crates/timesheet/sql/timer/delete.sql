-- Stops the running work.
DELETE FROM running
