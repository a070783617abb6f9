-- A row is a segment of the whole history, as in the function `narrative` (docs/spec/time.md#segments). For a range,
-- `narrative` is faster, because it reads only the rows near the range.
SELECT *
FROM narrative('0001-01-01', '9998-12-31')
