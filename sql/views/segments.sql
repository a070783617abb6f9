-- A row is a segment of the whole history, as the function `narrative` tells it (docs/spec/time.md#segments). For a
-- range, `narrative` reads less.
SELECT *
FROM narrative('0001-01-01', '9998-12-31')
