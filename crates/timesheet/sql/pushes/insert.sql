-- Stores a row before it is sent. A stored row with this key is left unchanged.
INSERT INTO pushes (account, key, row, sent_at) VALUES (:account, :key, :row, :now) ON CONFLICT (account, key) DO NOTHING
