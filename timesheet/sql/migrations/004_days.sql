-- What a day or a second has is found without a look at the years before or after it. Nearly every entry is of one day,
-- and nearly every stretch of evidence shorter than one, so that each begins near what is asked for; the few that are
-- longer are found by their end.

CREATE INDEX entries_over_days ON entries (completion_date) WHERE start_date < completion_date;

CREATE INDEX evidence_over_days ON evidence (end_utc) WHERE end_utc - start_utc > 86400;
