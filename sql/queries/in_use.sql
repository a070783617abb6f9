-- The applications, documents and sites in use in the local range [$start, $end), each with its active seconds, and from when
-- to when (semantics, section 3).
SELECT
    'application' AS kind,
    application AS name,
    sum(seconds) AS seconds,
    min(start_local) AS start_local,
    max(end_local) AS end_local
FROM pieces($start, $end)
GROUP BY application
UNION ALL
SELECT 'document', name, sum(seconds), min(start_local), max(end_local)
FROM pieces_of('documents', $start, $end)
GROUP BY name
UNION ALL
SELECT 'website', name, sum(seconds), min(start_local), max(end_local)
FROM pieces_of('websites', $start, $end)
GROUP BY name
