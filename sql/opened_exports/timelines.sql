-- A row is a timeline, for an export that lacks the list of timelines. The timelines are derived from the exported
-- activities. If `is_tracked` is true, the device also has a computer-usage timeline. If no activity of the
-- computer-usage timeline was exported, the id of this timeline is null.
SELECT DISTINCT
    timeline_id,
    CASE WHEN role = 'websites' THEN 'documents' ELSE role END AS role,
    CAST(NULL AS VARCHAR) AS schema_name,
    device,
    CAST(NULL AS VARCHAR) AS name
FROM activities
UNION
SELECT NULL, 'computer_usage', NULL, device, NULL
FROM activities
WHERE is_tracked
GROUP BY device
HAVING count(*) FILTER (WHERE role = 'computer_usage') = 0
