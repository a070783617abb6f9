-- Returns the active hours of all people on the covered days. `$by` groups the hours by application, by local day, by
-- week (named by its Monday) or in total. `covered_days.sql` is included once for each range of days, with the people
-- whose exports cover the range. If intervals of the same person overlap in a row, the overlapping time is counted
-- once. Each row has at least `$least` people: smaller rows are merged into one row `(others)`. If `(others)` would
-- still have too few people, the remaining row with the fewest hours is merged too. So the rows add up to the total,
-- and a sum or difference of rows also has at least `$least` people. The statement reads an export only once for each
-- range, because an export may be replaced while the statement runs.
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
        -- Rows with enough people come first. Among these rows, the row with the fewest seconds comes first.
        dense_rank() OVER (ORDER BY persons < $least, total_seconds, name) AS place,
        -- Numbers the rows of each person. Row 1 has too few people if any row of the person has too few people.
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
