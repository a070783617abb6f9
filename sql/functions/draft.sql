-- A row is the hours of one task on one local day, as a draft with default settings proposes them. The time that
-- entries already cover is subtracted. The hours of a day add up to the rounded total of the day. `seconds` is the
-- exact time. `away_seconds` is the part of `seconds` that is tagged time away from the computer. Rows that the user
-- has to confirm are left out. The range [$start, $end) consists of whole days. A range of more than 31 days is drafted
-- in parts of 31 days.
SELECT
    day_of(day_local) AS day,
    project_code,
    task,
    hours,
    seconds,
    description,
    issue_id,
    named_by,
    confidence,
    row_id,
    away_seconds
FROM drafted_rows
WHERE day_local >= $start AND day_local < $end
