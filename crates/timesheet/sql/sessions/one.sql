-- Returns the session with the given handle.
SELECT content FROM sessions WHERE handle = :handle
