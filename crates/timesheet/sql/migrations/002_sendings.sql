-- The facts by which an entry sent to the API can be recognised if the response is lost. Stored before sending.
--
-- `owner` is the user's id in the company's directory, or NULL if the token doesn't contain one. `known` is a JSON
-- list of equal entries that existed before. A row is deleted with its key, or when the key gets its entry.
CREATE TABLE sendings (
    key TEXT NOT NULL PRIMARY KEY REFERENCES local_keys (key) ON DELETE CASCADE,
    owner TEXT,
    known TEXT NOT NULL,
    sent_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
