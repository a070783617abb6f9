-- A row is a piece of an application activity. This file replaces the function `pieces` if the configuration has no
-- rules.
SELECT
    device,
    activity_id,
    name AS application,
    key,
    color,
    title,
    start_local,
    start_utc,
    end_local,
    end_utc,
    seconds,
    CAST(NULL AS BIGINT) AS rule_number,
    CAST(NULL AS VARCHAR) AS rule,
    CAST(NULL AS VARCHAR) AS category,
    CAST(NULL AS VARCHAR) AS project,
    CAST(NULL AS VARCHAR) AS task
FROM role_pieces('applications', $start, $end)
