-- A row is an application, a local day, a week by its Monday, or the whole (`$by`) with the active hours that all persons had in
-- it together in the local range [$start, $end); each moment of a person counts once. No row is of fewer than `$least` persons:
-- what is of fewer is one row `(others)`, with the smallest of the other rows in it where that alone is of fewer too. So rows
-- add up to the whole, and whatever is made of them is of as many persons.
WITH times AS (
    SELECT
        person,
        CASE $by
            WHEN 'application' THEN name
            WHEN 'day' THEN CAST(date AS VARCHAR)
            WHEN 'week' THEN CAST(CAST(date_trunc('week', date) AS DATE) AS VARCHAR)
            ELSE 'all'
        END AS name,
        union_seconds(start_utc, end_utc) AS seconds
    FROM days_of('applications', $start, $end)
    GROUP BY 1, 2
    HAVING union_seconds(start_utc, end_utc) > 0
),
cells AS (
    SELECT name, count(*) AS persons, sum(seconds) AS seconds
    FROM times
    GROUP BY name
),
few AS (
    SELECT count(DISTINCT person) AS persons
    FROM times
    WHERE name IN (SELECT name FROM cells WHERE persons < $least)
),
smallest AS (
    SELECT name
    FROM cells
    WHERE persons >= $least
    ORDER BY seconds, name
    LIMIT 1
),
told AS (
    SELECT
        times.person,
        times.seconds,
        CASE
            WHEN cells.persons < $least THEN '(others)'
            WHEN few.persons BETWEEN 1 AND $least - 1 AND smallest.name IS NOT NULL THEN '(others)'
            ELSE times.name
        END AS name
    FROM times
    JOIN cells ON cells.name = times.name
    LEFT JOIN smallest ON smallest.name = times.name
    CROSS JOIN few
)
SELECT name, count(DISTINCT person) AS persons, round(sum(seconds) / 3600.0, 2) AS hours
FROM told
GROUP BY name
HAVING count(DISTINCT person) >= $least
ORDER BY CASE WHEN name = '(others)' THEN 1 ELSE 0 END, CASE WHEN $by IN ('day', 'week') THEN name END, hours DESC, name
