-- Data that identifies an entry at the API if the response to its request is lost. A row is stored before the entry is
-- sent.
--
-- `owner` is the user's id in the company's directory, or NULL if the token doesn't contain one. `known` is a JSON list
-- with the ids of the entries that had the same content before the entry was sent. A row is deleted together with its
-- key, or as soon as the key's entry is known.
CREATE TABLE sendings (
    key TEXT NOT NULL PRIMARY KEY REFERENCES local_keys (key) ON DELETE CASCADE,
    owner TEXT,
    known TEXT NOT NULL,
    sent_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
