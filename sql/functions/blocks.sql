-- A row is a block: a stretch of one local day about one subject, as one would write it on a timesheet
-- (docs/spec/time.md#blocks). The subject is a tag where one overlaps, else the project and task of a rule, else its
-- category, else an application. `seconds` is the active time of the block, each second counted once over all devices,
-- `on_subject` that part of it which has the subject itself. Blocks add up to the active time of the local range
-- [$start, $end).
SELECT *
FROM device_blocks(NULL, $start, $end, $switch_cost_minutes)
