-- The UTC offset of the device in seconds, from which exports compute the local times of an entry. It is null for the
-- evidence that an earlier version stored.

ALTER TABLE evidence ADD COLUMN utc_offset INTEGER;
