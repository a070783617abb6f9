-- Indexes that find the entries of a day, or the evidence of a second, without reading other years. Nearly all entries
-- have one day, and nearly all evidence is shorter than a day. Their start is therefore close to the searched time.
-- These indexes contain only the few longer entries and pieces of evidence, which are found by their end.

CREATE INDEX entries_over_days ON entries (completion_date) WHERE start_date < completion_date;

CREATE INDEX evidence_over_days ON evidence (end_utc) WHERE end_utc - start_utc > 86400;
