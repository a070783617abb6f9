-- The session with that handle.
SELECT content FROM sessions WHERE handle = :handle
