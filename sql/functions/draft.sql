-- A row is hours of a local day on a task that a draft with its defaults would have: what entries cover is taken off, and
-- the hours of a day add up to its rounded sum. `seconds` is the exact active time. The range [$start, $end) is of whole
-- days; of more than 31 days, each 31 are drafted by themselves.
SELECT
    CAST(day_local AS DATE) AS day,
    project_code,
    task,
    hours,
    seconds,
    description,
    issue_id,
    named_by,
    confidence,
    row_id
FROM drafted_rows
WHERE day_local >= $start AND day_local < $end
