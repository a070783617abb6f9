-- Stores an attempt before it is sent. An existing attempt with this key is left unchanged.
INSERT INTO local_keys (key, request, since) VALUES (:key, :request, :now) ON CONFLICT (key) DO NOTHING
