//! Malicious or expensive statements, each with its possible results.

/// A statement, and the codes of its possible errors. If the codes contain [`ANSWERED`], the statement may also
/// succeed.
pub(crate) struct Hostile {
    pub(crate) name: &'static str,
    pub(crate) sql: String,
    pub(crate) codes: &'static [&'static str],
}

const READ_ONLY: &[&str] = &["READ_ONLY"];
const FAILED: &[&str] = &["QUERY_FAILED"];
const TOO_LARGE: &[&str] = &["QUERY_TOO_LARGE"];
const JOINED: &[&str] = &["TOO_MANY_ROWS_JOINED"];
/// The possible errors of endless statements. Any limit may stop them.
const STOPPED: &[&str] = &["TIMED_OUT", "OUT_OF_MEMORY", "QUERY_TOO_LARGE", "TOO_MANY_ROWS_JOINED"];
/// The possible errors of statements that need more memory than allowed. On a busy machine, the time limit can stop
/// these statements first.
const GREEDY: &[&str] = &["OUT_OF_MEMORY", "TIMED_OUT"];
const GREEDY_OR_WRONG: &[&str] = &["OUT_OF_MEMORY", "TIMED_OUT", "QUERY_FAILED"];
const GREEDY_OR_ANSWERED: &[&str] = &["OUT_OF_MEMORY", "TIMED_OUT", ANSWERED];
/// The possible results of statements that compute for a long time within one batch. Such statements can't be stopped
/// within a batch. A fast machine may finish them.
const LONG: &[&str] = &["TIMED_OUT", "OUT_OF_MEMORY", ANSWERED];
/// The code which means that a statement may succeed.
pub(crate) const ANSWERED: &str = "ANSWERED";

/// Statements that write data, or change the session.
const WRITES: [(&str, &str); 12] = [
    ("insert", "INSERT INTO tags SELECT * FROM tags"),
    ("update", "UPDATE activities SET name = 'x'"),
    ("delete", "DELETE FROM activities"),
    ("create table", "CREATE TABLE x AS SELECT 1"),
    ("create view", "CREATE OR REPLACE VIEW tags AS SELECT 1"),
    ("external table", "CREATE EXTERNAL TABLE t STORED AS CSV LOCATION '/etc/passwd'"),
    ("drop", "DROP TABLE activities"),
    ("copy", "COPY (SELECT * FROM activities) TO '/tmp/dayledger-out.csv'"),
    ("set", "SET datafusion.execution.batch_size = 100000000"),
    ("prepare", "PREPARE p AS SELECT 1"),
    ("explain insert", "EXPLAIN ANALYZE INSERT INTO tags SELECT * FROM tags"),
    ("function", "CREATE FUNCTION f() RETURNS INT RETURN 1"),
];

/// Statements that use files, or consist of several statements. Neither is allowed.
const FORBIDDEN_ACCESS: [(&str, &str); 5] = [
    ("file table", "SELECT * FROM '/etc/passwd'"),
    ("url table", "SELECT * FROM 'file:///etc/hostname.csv'"),
    ("file function", "SELECT * FROM read_csv('/etc/passwd')"),
    ("two statements", "SELECT 1; DROP TABLE activities"),
    ("lambda", "SELECT array_transform(range(1, 1000), x -> array_transform(range(1, 1000), y -> range(1, 1000)))"),
];

/// Statements that exceed the memory limit in their results, in an operator, or during planning.
const HOLDING: &[(&str, &str)] = &[
    ("repeat", "SELECT repeat('x', 2000000000)"),
    ("repeat of a column", "SELECT max(length(repeat(name, 1000000))) FROM activities"),
    ("repeat by a column", "SELECT max(length(repeat('x', 1000000 + seconds))) FROM activities"),
    ("lpad", "SELECT lpad('x', 2000000000)"),
    ("rpad", "SELECT rpad(name, 100000000) FROM activities"),
    ("array_repeat", "SELECT array_repeat(1, 2000000000)"),
    ("array_resize", "SELECT array_resize([1], 2000000000, 7)"),
    ("range", "SELECT range(0, 2000000000)"),
    ("range of a column", "SELECT unnest(range(0, 1000000 + seconds)) FROM activities ORDER BY 1"),
    (
        "series of instants",
        "SELECT generate_series(TIMESTAMP '2000-01-01', TIMESTAMP '2030-01-01', INTERVAL '1 microsecond')",
    ),
    (
        "series that goes nowhere",
        "SELECT generate_series(DATE '2025-11-01', DATE '2025-10-01', INTERVAL '1 month -30 days')",
    ),
    (
        "series that goes nowhere as an argument",
        "SELECT * FROM narrative(CAST(array_length(generate_series(DATE '2025-11-01', DATE '2025-10-01', \
         INTERVAL '1 month -30 days')) AS VARCHAR), '2025-01-16')",
    ),
    ("argument of a function", "SELECT * FROM narrative(repeat('2', 2000000000), '2025-01-16')"),
    ("replace", "SELECT replace(repeat('a', 10000), 'a', repeat('b', 100000))"),
    ("regexp_replace", "SELECT regexp_replace(repeat('a', 10000), 'a', repeat('b', 100000), 'g')"),
    ("array_to_string", "SELECT array_to_string(range(0, 20000), repeat('x', 100000))"),
    ("string_to_array", "SELECT string_to_array(repeat('a,', 100000000), ',')"),
    // Other platforms don't count memory that is reserved but never used, so these statements reach no limit there.
    #[cfg(target_os = "linux")]
    ("wide type by name", "SELECT arrow_cast(NULL, 'FixedSizeBinary(2000000000)')"),
    #[cfg(target_os = "linux")]
    (
        "wide type in a union",
        "SELECT arrow_cast(NULL, 'Union(Sparse, 0: (\"a\": FixedSizeBinary(2000000000)), 1: (\"b\": Int32))')",
    ),
    #[cfg(target_os = "linux")]
    (
        "wide type in runs",
        "SELECT arrow_cast(NULL, 'RunEndEncoded(\"run_ends\": Int32, \"values\": FixedSizeBinary(2000000000))')",
    ),
    ("growing window", "SELECT array_agg(value) OVER (ORDER BY value) FROM generate_series(1, 1000000)"),
    ("window", "SELECT max(k) FROM (SELECT count(*) OVER () AS k FROM generate_series(1, 200000000))"),
    (
        "window over long texts",
        "SELECT max(length(m)) FROM (SELECT max(repeat('x', 20000) || value) OVER () AS m FROM generate_series(1, 100000))",
    ),
    (
        "row before",
        "SELECT count(l) FROM (SELECT lag(repeat('x', 200) || value, 5) OVER (ORDER BY value % 7) AS l \
         FROM generate_series(1, 200000000))",
    ),
    (
        "sliding frame",
        "SELECT max(s) FROM (SELECT lead(value, 5) OVER (ORDER BY value ROWS BETWEEN 1000 PRECEDING AND CURRENT ROW) AS s \
         FROM generate_series(1, 200000000))",
    ),
    (
        "long texts of a product",
        "SELECT length(array_to_string(array_agg(reverse(t)), '')) \
         FROM (SELECT repeat('x', 1000000) AS t) x CROSS JOIN generate_series(1, 100000)",
    ),
    ("one long list", "SELECT array_length(array_agg(value)) FROM generate_series(1, 1000000000)"),
    ("one long text", "SELECT length(string_agg(CAST(value AS VARCHAR), ',')) FROM generate_series(1, 1000000000)"),
    (
        "sorting everything",
        "SELECT value FROM generate_series(1, 1000000000) ORDER BY value % 7, value LIMIT 100000000",
    ),
    ("groups", "SELECT count(*) FROM (SELECT value, count(*) FROM generate_series(1, 1000000000) GROUP BY value)"),
    (
        "growing recursion",
        "WITH RECURSIVE t AS (SELECT 'x' AS s UNION ALL SELECT s || s FROM t) SELECT max(length(s)) FROM t",
    ),
    (
        "patterns of a column",
        "SELECT count(*) FROM (SELECT regexp_instr('abc', '(\\pL{20}){10}' || value) AS r \
         FROM generate_series(1, 1000000)) WHERE r > 0",
    ),
    ("one row of a gigabyte", "SELECT concat(t, t, t, t, t) FROM (SELECT repeat('x', 200000000) AS t)"),
];

/// Statements that compute for a long time within one batch.
const COMPUTING: [(&str, &str); 6] = [
    ("strpos", "SELECT strpos(repeat('a', 4000000), repeat('a', 2000000) || 'b')"),
    ("btrim", "SELECT length(btrim(repeat('ab', 1000000), repeat('xyz', 100000) || 'ab'))"),
    ("array_has_any", "SELECT array_has_any(range(0, 5000000), range(6000000, 9000000))"),
    ("levenshtein", "SELECT levenshtein(repeat('a', 200000), repeat('b', 200000))"),
    (
        "median of a frame",
        "SELECT max(m) FROM (SELECT median(value) OVER (ORDER BY value ROWS BETWEEN 50000 PRECEDING AND CURRENT ROW) AS m \
         FROM generate_series(1, 500000))",
    ),
    ("LIKE", "SELECT count(*) FROM generate_series(1, 10000000) WHERE repeat('a', 1000) LIKE '%a%a%a%a%a%a%' || value"),
];

/// Joins that produce or compare too many rows.
const JOINS: [(&str, &str); 3] = [
    (
        "nested loop",
        "SELECT count(*) FROM generate_series(1, 1000000) a(x) JOIN generate_series(1, 1000000) b(y) ON a.x < b.y",
    ),
    (
        "cross join of series",
        "SELECT sum(x * y) FROM generate_series(1, 1000000) a(x) CROSS JOIN generate_series(1, 1000000) b(y)",
    ),
    (
        "outer join",
        "SELECT count(y) FROM generate_series(1, 1000000) a(x) LEFT JOIN generate_series(1, 1000000) b(y) ON a.x > b.y * 2",
    ),
];

/// Statements that never end, or that keep all rows in memory.
const ENDLESS: [(&str, &str, &[&str]); 6] = [
    (
        "one key for all",
        "SELECT sum(x + y) FROM generate_series(1, 100000) a(x) JOIN generate_series(1, 100000) b(y) ON a.x % 1 = b.y % 1",
        STOPPED,
    ),
    (
        "cross join",
        "SELECT count(*) FROM activities a, activities b, activities c, activities d WHERE a.seconds < b.seconds + c.seconds - d.seconds",
        STOPPED,
    ),
    (
        "endless recursion",
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM t) SELECT count(*) FROM t",
        STOPPED,
    ),
    (
        "doubling recursion",
        "WITH RECURSIVE t AS (SELECT 1 AS n UNION ALL SELECT n + x FROM t, generate_series(1, 2) b(x)) SELECT count(*) FROM t",
        STOPPED,
    ),
    ("endless series", "SELECT count(*) FROM generate_series(1, 1000000000000000) WHERE value % 2 = 3", &["TIMED_OUT"]),
    (
        "matches that fail",
        "SELECT count(*) FROM generate_series(1, 100000) a(x) JOIN generate_series(1, 100000) b(y) \
         ON a.x % 1 = b.y % 1 AND a.x + b.y < 0",
        STOPPED,
    ),
];

/// Returns the statements that exceed the memory limit.
pub(crate) fn greedy() -> Vec<Hostile> {
    let codes = |name: &str| match name {
        // On systems without a memory limit, the long text can be created before the memory is checked. In this case,
        // the error says that the text is not a valid date.
        "argument of a function" if !cfg!(target_os = "linux") => GREEDY_OR_WRONG,
        // The memory of these statements is not reported to the pool. On a busy machine, this memory can be released
        // before the next check.
        "growing window" | "window over long texts" if !cfg!(target_os = "linux") => GREEDY_OR_ANSWERED,
        _ => GREEDY,
    };
    HOLDING.iter().map(|(name, sql)| Hostile { name, sql: (*sql).to_owned(), codes: codes(name) }).collect()
}

/// Returns all hostile statements.
pub(crate) fn statements() -> Vec<Hostile> {
    let with = |name, sql: String, codes| Hostile { name, sql, codes };
    let fixed = |list: &[(&'static str, &'static str)], codes: &'static [&'static str]| {
        list.iter().map(|(name, sql)| with(name, (*sql).to_owned(), codes)).collect::<Vec<_>>()
    };
    let mut all = fixed(&WRITES, READ_ONLY);
    all.extend(fixed(&FORBIDDEN_ACCESS, FAILED));
    all.extend(greedy());
    all.extend(fixed(&COMPUTING, LONG));
    all.extend(fixed(&JOINS, JOINED));
    all.extend(ENDLESS.map(|(name, sql, codes)| with(name, sql.to_owned(), codes)));
    // Returns a statement of many steps. The value of each step is twice as long as that of the previous step.
    let doubling = |step: &str, last: &str| {
        let steps = (1..60).map(|n| format!("t{n} AS ({})", step.replace("{}", &(n - 1).to_string())));
        let steps: Vec<_> = steps.collect();
        format!(
            "WITH t0 AS (SELECT name AS s, seconds AS n FROM activities), {} SELECT {last} FROM t59",
            steps.join(", ")
        )
    };
    let mixed: &'static [&'static str] = &["QUERY_TOO_LARGE", "OUT_OF_MEMORY", "TIMED_OUT"];
    let cube = |columns: usize| {
        let list = |each: &dyn Fn(usize) -> String| (2..columns + 2).map(each).collect::<Vec<_>>().join(", ");
        let (made, named) = (list(&|n| format!("value % {n} AS c{n}")), list(&|n| format!("c{n}")));
        format!("SELECT count(*) FROM (SELECT {made} FROM generate_series(1, 1000)) GROUP BY CUBE({named})")
    };
    all.extend([
        with("a long text in an error", "SELECT CAST(repeat('x', 1000000) AS INT)".to_owned(), FAILED),
        with("a long word in an error", format!("SELECT arrow_cast(1, '{}')", "x".repeat(30_000)), FAILED),
        with("lists in lists in lists", doubling("SELECT make_array(s) AS s, n FROM t{}", "s"), FAILED),
        with("a cube of 12 columns", cube(12), LONG),
        with("a cube of 30 columns", cube(30), GREEDY),
        with(
            "a type of many levels",
            format!("SELECT arrow_cast(NULL, '{}Int32{}')", "List(".repeat(2000), ")".repeat(2000)),
            GREEDY_OR_WRONG,
        ),
        with("a long chain of texts", format!("SELECT name{} FROM activities", " || name".repeat(400)), LONG),
        with("a megabyte", format!("SELECT '{}'", "x".repeat(1 << 20)), TOO_LARGE),
        with("parentheses", format!("SELECT {}1{}", "(".repeat(10_000), ")".repeat(10_000)), TOO_LARGE),
        with("negations", format!("SELECT {} true", "NOT ".repeat(10_000)), TOO_LARGE),
        with("a long chain", format!("SELECT 1{}", " + 1".repeat(15_000)), TOO_LARGE),
        with(
            "many tables",
            format!("SELECT 1 FROM tags{}", (0..4000).map(|n| format!(", tags t{n}")).collect::<Vec<_>>().concat()),
            TOO_LARGE,
        ),
        with("subqueries", format!("SELECT 1 FROM {} x", "(SELECT * FROM ".repeat(2_000)), TOO_LARGE),
        with("doubling text", doubling("SELECT s || s AS s, n FROM t{}", "max(length(s))"), mixed),
        with("doubling by concat", doubling("SELECT concat(s, s) AS s, n FROM t{}", "max(length(s))"), mixed),
        with("doubling lists", doubling("SELECT [s, s] AS s, n FROM t{}", "count(s)"), mixed),
        with("doubling conditions", doubling("SELECT s, n * n AS n FROM t{}", "s") + " WHERE n > 5", mixed),
        with("doubling plan", doubling("SELECT a.s, a.n FROM t{} a JOIN t{} b ON a.n = b.n", "count(*)"), TOO_LARGE),
        with(
            "doubling subqueries",
            doubling("SELECT s, n FROM t{} WHERE n IN (SELECT n FROM t{})", "count(*)"),
            TOO_LARGE,
        ),
        with(
            "many long constants",
            format!(
                "SELECT {}",
                (0..200).map(|n| format!("repeat('x', {}) AS c{n}", 20_000 + n)).collect::<Vec<_>>().join(", ")
            ) + " FROM activities",
            &["OUT_OF_MEMORY", "TIMED_OUT", ANSWERED],
        ),
    ]);
    all
}
