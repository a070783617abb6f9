-- Each row is an application, a local day, a week (by its Monday), or the whole (`$by`). It has the active hours of all people on
-- the covered days (`covered_days.sql`, included once for each range of days with the people whose exports cover it). Each
-- moment of a person counts once in a row. No row has fewer than `$least` people: smaller rows are merged into one row
-- `(others)`, together with the smallest of the other rows if `(others)` alone would have too few. So rows add up to the whole,
-- and any sum or difference of rows has at least as many people. An export is read once for each range, because it may be
-- replaced in between.
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
    FROM (
$covered_days
    ) AS covered
    GROUP BY 1, 2
    HAVING union_seconds(start_utc, end_utc) > 0
),
cells AS (
    SELECT
        person,
        name,
        seconds,
        count(*) OVER (PARTITION BY name) AS persons,
        sum(seconds) OVER (PARTITION BY name) AS total_seconds
    FROM times
),
placed AS (
    SELECT
        person,
        name,
        seconds,
        persons,
        -- A row with enough people comes first, the smallest such row before the others.
        dense_rank() OVER (ORDER BY persons < $least, total_seconds, name) AS place,
        -- A person's first row is one with too few people, if they have any.
        row_number() OVER (PARTITION BY person ORDER BY persons) AS person_rank
    FROM cells
),
counted AS (
    SELECT *, sum(CASE WHEN person_rank = 1 AND persons < $least THEN 1 ELSE 0 END) OVER () AS people_in_small_rows
    FROM placed
),
published AS (
    SELECT
        person,
        seconds,
        CASE
            WHEN persons < $least OR (place = 1 AND people_in_small_rows BETWEEN 1 AND $least - 1) THEN '(others)'
            ELSE name
        END AS name
    FROM counted
)
SELECT name, count(DISTINCT person) AS persons, round(sum(seconds) / 3600.0, 2) AS hours
FROM published
GROUP BY name
HAVING count(DISTINCT person) >= $least
ORDER BY CASE WHEN name = '(others)' THEN 1 ELSE 0 END, CASE WHEN $by IN ('day', 'week') THEN name END, hours DESC, name
