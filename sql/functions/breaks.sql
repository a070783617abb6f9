-- A row is a gap between two active intervals of one local day in [$start, $end), over all devices
-- (docs/spec/time.md#breaks). `is_night` is whether it is a night instead of a break. The columns in seconds divide
-- `seconds` by the state of the computer.
SELECT *
FROM device_breaks(NULL, $start, $end)
