-- A row is a timeline with activities in an export that has no list of its timelines. Which devices have a
-- computer-usage timeline its activities tell, also where none of that timeline's own were exported; then it has no id.
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
