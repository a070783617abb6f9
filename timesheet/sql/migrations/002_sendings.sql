-- What is sent to the API, before it is: by what an entry can be recognised there if the answer is lost.
--
-- `owner` is the user's id in the directory of the company, NULL where the token does not say; `known` is a JSON list of
-- the entries that were equal in every field and there before. A sending is deleted with its key, or when the key has an
-- entry.
CREATE TABLE sendings (
    key TEXT NOT NULL PRIMARY KEY REFERENCES local_keys (key) ON DELETE CASCADE,
    owner TEXT,
    known TEXT NOT NULL,
    sent_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
