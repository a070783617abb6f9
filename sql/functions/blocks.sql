-- A row is a block: a period of one local day spent on one subject, as on a timesheet (docs/spec/time.md#blocks). The
-- subject is an overlapping tag. Without a tag, the subject is the project and task of a rule, otherwise the category
-- of a rule, and otherwise an application. `seconds` is the active time of the block. A second on several devices
-- counts once. `on_subject` is the part of `seconds` that was spent on the subject itself. The blocks add up to the
-- active time of the local range [$start, $end).
SELECT *
FROM device_blocks(NULL, $start, $end, $switch_cost_minutes)
