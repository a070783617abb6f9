-- Keeps an attempt before it is made; one that was made already stays as it is.
INSERT INTO local_keys (key, request, since) VALUES (:key, :request, :now) ON CONFLICT (key) DO NOTHING
