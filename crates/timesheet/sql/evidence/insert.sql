-- Inserts an interval of active time that an entry covers.
INSERT INTO evidence (entry_id, start_utc, end_utc, device, activity, utc_offset)
VALUES (:entry, :start, :end, :device, :activity, :utc_offset)
