-- A row is a timeline with activities, for an export without a list of timelines. Activities also show which devices
-- have a computer-usage timeline. If none of that timeline's own activities were exported, it has no id.
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
