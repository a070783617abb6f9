//! Calls every function in SQL, with several batches.

use arrow::util::pretty::pretty_format_batches;
use datafusion::prelude::{SessionConfig, SessionContext};

use crate::interval::DayStart;

fn context() -> SessionContext {
    let config = SessionConfig::new().with_target_partitions(2).with_batch_size(2);
    let mut ctx = SessionContext::new_with_config(config);
    crate::register(&mut ctx, DayStart::default()).unwrap();
    ctx
}

async fn query(sql: &str) -> String {
    let batches = context().sql(sql).await.unwrap().collect().await.unwrap();
    pretty_format_batches(&batches).unwrap().to_string()
}

/// Asserts the rows of the result. In `expected`, `|` separates cells, and line breaks separate rows.
async fn assert_values(sql: &str, expected: &str) {
    let table = query(sql).await;
    let cells: Vec<_> = table
        .lines()
        .skip(3)
        .filter(|line| line.starts_with('|'))
        .map(|line| line.trim_matches('|').split('|').map(str::trim).collect::<Vec<_>>().join("|"))
        .collect();
    assert_eq!(cells.join("\n"), expected, "{sql}");
}

#[tokio::test]
async fn a_range_clips_an_interval_in_any_timestamp_unit() {
    for unit in ["Second", "Millisecond", "Microsecond", "Nanosecond"] {
        let at = |hour: &str| format!("arrow_cast('2025-01-15T{hour}', 'Timestamp({unit}, None)')");
        let (a, b, c, d) = (at("09:30:00"), at("08:30:00"), at("11:00:00"), at("10:00:00"));
        assert_values(
            &format!("SELECT clip_to_range({a}, {b}, {c}, {d}, '2025-01-15T10:00:00', NULL)['start_utc']"),
            "2025-01-15T09:00:00",
        )
        .await;
        assert_values(&format!("SELECT clip_to_range({a}, {b}, {c}, {d}, DATE '2025-01-16', NULL) IS NULL"), "true")
            .await;
    }
}

#[tokio::test]
async fn intervals_are_split_from_columns_and_from_structs() {
    let row =
        "named_struct('start_local', TIMESTAMP '2025-01-15T23:30:00', 'start_utc', TIMESTAMP '2025-01-15T22:30:00',
                            'end_local', TIMESTAMP '2025-01-16T01:10:00', 'end_utc', TIMESTAMP '2025-01-16T00:10:00')";
    assert_values(
        &format!("SELECT part['start_local'], part['end_local'] FROM (SELECT unnest(split_hours({row})) AS part)"),
        "2025-01-15T23:30:00|2025-01-16T00:00:00\n\
         2025-01-16T00:00:00|2025-01-16T01:00:00\n\
         2025-01-16T01:00:00|2025-01-16T01:10:00",
    )
    .await;
    assert_values(
        &format!(
            "SELECT array_length(split_days(r['start_local'], r['start_utc'], r['end_local'], r['end_utc'])), \
             array_length(split_days(r)) FROM (SELECT {row} AS r)"
        ),
        "2|2",
    )
    .await;
}

/// A row that ends in 9999 must not make queries about recorded time fail.
#[tokio::test]
async fn a_row_that_ends_in_9999_has_a_limited_number_of_parts() {
    let at = |time: &str| format!("arrow_cast('{time}', 'Timestamp(Second, None)')");
    let (start, end) = (at("2025-01-15T08:30:00"), at("9999-12-31T23:59:59"));
    assert_values(
        &format!(
            "SELECT count(*), max(part['start_local']),
                    sum(to_unixtime(part['end_utc']) - to_unixtime(part['start_utc']))
                    = to_unixtime({end}) - to_unixtime({start})
             FROM (SELECT unnest(split_hours({start}, {start}, {end}, {end})) AS part)"
        ),
        "100000|2036-06-12T23:00:00|true",
    )
    .await;
}

/// Three batches of intervals on two devices. Local time is an hour ahead of UTC.
const ROWS: &str =
    "(SELECT device, kind, name, id, 1 AS timeline, s, e, s + INTERVAL '1 hour' AS sl, e + INTERVAL '1 hour' AS el FROM (
    SELECT device, kind, name, id, TIMESTAMP '2025-01-15T08:00:00' + s AS s, TIMESTAMP '2025-01-15T08:00:00' + e AS e
    FROM (VALUES ('b', 'activity', 'code', 1, INTERVAL '0 minute', INTERVAL '10 minute'),
                 ('a', 'activity', 'code', 2, INTERVAL '5 minute', INTERVAL '20 minute'),
                 ('a', 'activity', 'mail', 3, INTERVAL '10 minute', INTERVAL '12 minute'),
                 ('a', 'active', NULL, 0, INTERVAL '0 minute', INTERVAL '15 minute'),
                 ('a', 'tracked', NULL, 0, NULL, NULL)) AS rows (device, kind, name, id, s, e)))";

#[tokio::test]
async fn a_union_counts_overlapping_time_once_for_each_group() {
    assert_values(
        &format!("SELECT device, union_seconds(s, e) FROM {ROWS} GROUP BY device ORDER BY device"),
        "a|1200\nb|600",
    )
    .await;
    assert_values(&format!("SELECT union_seconds(s, e) FROM {ROWS} WHERE device = 'c'"), "0").await;
    assert_values(
        &format!(
            "SELECT cardinality(u), u[1]['start_local'], u[1]['end_utc'] FROM (
             SELECT interval_union(sl, s, el, e) AS u FROM {ROWS} WHERE kind = 'activity')"
        ),
        "1|2025-01-15T09:00:00|2025-01-15T08:20:00",
    )
    .await;
}

#[tokio::test]
async fn partial_results_of_several_partitions_are_merged() {
    let rows = format!("(SELECT * FROM {ROWS} UNION ALL SELECT * FROM {ROWS})");
    assert_values(
        &format!(
            "SELECT union_seconds(s, e), cardinality(interval_union(sl, s, el, e)), ranked_by_weight(name, id, s)
             FROM {rows} WHERE kind = 'activity'"
        ),
        "1200|1|[code, mail]",
    )
    .await;
}

#[tokio::test]
async fn values_are_ranked_by_weight_then_start_then_text() {
    assert_values(
        "SELECT ranked_by_weight(v, w, TIMESTAMP '2025-01-15T00:00:00' + b) FROM (VALUES
           ('late', 5, INTERVAL '9 hour'), ('early', 2, INTERVAL '2 hour'), ('early', 3, INTERVAL '10 hour'),
           ('b', 1, INTERVAL '1 hour'), ('a', 1, INTERVAL '1 hour'), (NULL, 9, INTERVAL '1 hour'),
           ('none', NULL, INTERVAL '1 hour'), ('zero', 0, INTERVAL '1 hour')) AS t (v, w, b)",
        "[early, late, a, b, zero]",
    )
    .await;
    assert_values("SELECT ranked_by_weight(NULL, 1, NULL)[1] IS NULL", "true").await;
}

#[tokio::test]
async fn activities_are_clipped_to_active_time_per_device() {
    assert_values(
        &format!(
            "SELECT device, name, p['start_utc'], p['end_local'] FROM (
               SELECT device, name, unnest(pieces) AS p FROM (
                 SELECT device, name, clip_to_active(kind, device, id, timeline, sl, s, el, e, TIMESTAMP '2025-01-15T09:06:00', NULL)
                   OVER () AS pieces FROM {ROWS}))
             ORDER BY device, p['start_utc']"
        ),
        "a|code|2025-01-15T08:06:00|2025-01-15T09:10:00\n\
         a|mail|2025-01-15T08:10:00|2025-01-15T09:12:00\n\
         a|code|2025-01-15T08:12:00|2025-01-15T09:15:00\n\
         b|code|2025-01-15T08:06:00|2025-01-15T09:10:00",
    )
    .await;
}

#[tokio::test]
async fn segments_are_numbered_over_all_devices() {
    assert_values(
        &format!(
            "SELECT device, name, n['segment'], n['is_main_application'] FROM (
               SELECT device, id, name, segment_number(device, name, s, e, 0, 30) OVER () AS n
               FROM {ROWS} WHERE kind = 'activity') ORDER BY device, id"
        ),
        "a|code|1|true\na|mail|2|true\nb|code|3|true",
    )
    .await;
}

#[tokio::test]
async fn row_order_does_not_change_pieces_or_segments() {
    for order in ["s, id", "device, s DESC", "e DESC, device DESC", "name, device, id DESC"] {
        assert_values(
            &format!(
                "SELECT device, name, p['start_utc'] FROM (
                   SELECT device, name, unnest(clip_to_active(kind, device, id, timeline, sl, s, el, e, NULL, NULL)
                     OVER (ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)) AS p FROM {ROWS})
                 ORDER BY device, p['start_utc']"
            ),
            "a|code|2025-01-15T08:05:00\na|mail|2025-01-15T08:10:00\na|code|2025-01-15T08:12:00\n\
             b|code|2025-01-15T08:00:00",
        )
        .await;
        assert_values(
            &format!(
                "SELECT device, name, n['segment'] FROM (
                   SELECT device, id, name, segment_number(device, name, s, e, 0, 30)
                     OVER (ORDER BY {order} ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS n
                   FROM {ROWS} WHERE kind = 'activity') ORDER BY device, id"
            ),
            "a|code|1\na|mail|2\nb|code|3",
        )
        .await;
    }
}

#[tokio::test]
async fn unknown_kind_is_an_error() {
    let sql =
        format!("SELECT clip_to_active(name, device, id, timeline, sl, s, el, e, NULL, NULL) OVER () FROM {ROWS}");
    let error = context().sql(&sql).await.unwrap().collect().await.unwrap_err().to_string();
    assert!(error.contains("must be `activity`, `active` or `tracked`"), "{error}");
}

#[tokio::test]
async fn documents_and_tags_are_attributed_to_segments() {
    let t = |minute: &str| format!("TIMESTAMP '2025-01-15T08:{minute}:00'");
    assert_values(
        &format!(
            "SELECT name, x['segment'], x['seconds'], x['linked'] FROM (
               SELECT name, unnest(attribute(segment, true, device, activity, 'any', name, s, e, 60) OVER (ORDER BY s)) AS x FROM (VALUES
                 ('1 piece', 1, 'a', 7, {}, {}), ('2 piece', 2, 'a', 8, {}, {}),
                 ('3 linked', NULL, 'a', 7, {}, {}), ('4 near', NULL, 'a', NULL, {}, {}),
                 ('5 tag', NULL, NULL, NULL, {}, {})) AS t (name, segment, device, activity, s, e))
             ORDER BY name, x['segment']",
            t("00"), t("10"), t("10"), t("20"), t("05"), t("15"), t("08"), t("09"), t("00"), t("30"),
        ),
        "1 piece|1|600|false\n2 piece|2|600|false\n3 linked|1|300|true\n4 near|1|60|false\n4 near|2|0|false\n\
         5 tag|1|600|false\n5 tag|2|600|false",
    )
    .await;
}

#[tokio::test]
async fn a_website_is_copied_to_the_next_browser_segment() {
    assert_values(
        &format!(
            "SELECT carry_website(device, true, CASE WHEN id = 2 THEN 'x.org' END, s, e) OVER (ORDER BY device, s, id)
             FROM {ROWS} WHERE kind = 'activity'"
        ),
        "x.org\nx.org\n",
    )
    .await;
}

#[tokio::test]
async fn text_arguments_can_have_any_encoding() {
    for encoding in ["Utf8", "LargeUtf8", "Utf8View", "Dictionary(Int32, Utf8)"] {
        assert_values(
            &format!(
                "SELECT site(arrow_cast(v, '{encoding}')), file_uri(arrow_cast(v, '{encoding}'))
                 FROM (VALUES ('https://A.org/x'), ('C:/x y'), (NULL)) AS t (v)"
            ),
            "a.org|https://A.org/x\n|file:///C:/x%20y\n|",
        )
        .await;
    }
}

#[tokio::test]
async fn an_overlap_is_zero_when_disjoint_and_null_when_unknown() {
    assert_values(
        "SELECT overlap_seconds('2025-01-15T08:00:00', '2025-01-15T09:00:00', '2025-01-15T08:30:00', '2025-01-15T10:00:00'),
                overlap_seconds('2025-01-15T08:00:00', '2025-01-15T09:00:00', '2025-01-15T09:30:00', '2025-01-15T10:00:00'),
                overlap_seconds('2025-01-15T08:00:00', '2025-01-15T09:00:00', '2025-01-15T09:30:00', NULL)",
        "1800|0|",
    )
    .await;
}

#[tokio::test]
async fn typed_placeholders_are_accepted_and_wrong_types_are_rejected() {
    use datafusion::common::ScalarValue;
    let sql = format!(
        "SELECT clip_to_active(kind, device, id, timeline, sl, s, el, e, $1, $2) OVER (),
                clip_to_range(sl, s, el, e, $1, $2) FROM {ROWS}"
    );
    let at = |seconds| ScalarValue::TimestampSecond(Some(seconds), None);
    let frame = context().sql(&sql).await.unwrap().with_param_values(vec![at(0), at(1)]).unwrap();
    assert_eq!(frame.count().await.unwrap(), 5);
    let error = context().sql("SELECT union_seconds(1, true)").await.unwrap_err().to_string();
    assert!(error.contains("argument `start_utc` of `union_seconds` must be a timestamp"), "{error}");
}

/// Days that start on the evening before contain the time from that evening on.
#[tokio::test]
async fn days_start_at_the_registered_time() {
    for (hours, dates) in [(4, ["2025-01-14", "2025-01-15"]), (-2, ["2025-01-15", "2025-01-16"])] {
        let mut ctx = SessionContext::new();
        crate::register(&mut ctx, DayStart::from_seconds(hours * 3600)).unwrap();
        let sql = "SELECT CAST(day_of(TIMESTAMP '2025-01-15T03:59:59') AS VARCHAR) AS first, \
                   CAST(day_of(TIMESTAMP '2025-01-15T22:00:00') AS VARCHAR) AS last";
        let batches = ctx.sql(sql).await.unwrap().collect().await.unwrap();
        let rows = pretty_format_batches(&batches).unwrap().to_string();
        assert!(dates.iter().all(|date| rows.contains(date)), "{rows}");
    }
}

#[test]
fn every_function_is_documented_with_an_example() {
    let scalars = crate::scalar_functions(DayStart::default());
    let aggregates = crate::aggregate_functions();
    let windows = crate::window_functions(DayStart::default());
    let documents = scalars.iter().map(|function| (function.name(), function.documentation()));
    let documents = documents.chain(aggregates.iter().map(|function| (function.name(), function.documentation())));
    let documents = documents.chain(windows.iter().map(|function| (function.name(), function.documentation())));
    for (name, document) in documents {
        let document = document.unwrap();
        assert!(document.syntax_example.starts_with(&format!("{name}(")), "{name}");
        assert!(document.sql_example.as_ref().is_some_and(|example| example.contains(name)), "{name}");
        assert!(document.arguments.as_ref().is_some_and(|arguments| !arguments.is_empty()), "{name}");
    }
}

/// A query over many groups must return the same result for each group as a query over this group alone. This must be
/// true for any order of groups, any number of batches, and any filter.
#[tokio::test]
async fn aggregating_many_groups_equals_aggregating_each_alone() {
    // 60 rows in 7 groups. One group has many values. In another group, no row passes the filter.
    let rows = "(SELECT n % 7 * (n % 5) % 7 AS g, CASE WHEN n % 11 > 0 THEN chr(65 + n * n % 23) END AS name,
                        n * 37 % 19 - 2 AS weight, n % 3 > 0 AND n % 7 * (n % 5) % 7 <> 6 AS passes,
                        arrow_cast(1736899200 + n * 13 % 50 * 60, 'Timestamp(Second, None)') AS s,
                        arrow_cast(1736899200 + (n * 13 % 50 + n % 4) * 60, 'Timestamp(Second, None)') AS e
                 FROM (SELECT unnest(range(0, 60)) AS n))";
    let gathered = "ranked_by_weight(name, weight, s) FILTER (WHERE passes) AS names,
                    union_seconds(s, e) FILTER (WHERE passes) AS seconds,
                    cardinality(interval_union(s, s, e, e) FILTER (WHERE passes)) AS intervals,
                    (interval_union(s, s, e, e) FILTER (WHERE passes))[1]['end_utc'] AS first_end";
    let alone: Vec<_> =
        (0..7).map(|g| format!("SELECT {g} AS g, {gathered} FROM {rows} WHERE g = {g} HAVING count(*) > 0")).collect();
    let alone = query(&format!("{} ORDER BY g", alone.join(" UNION ALL "))).await;
    assert!(alone.lines().count() > 8, "{alone}");
    for from in [rows.to_owned(), format!("(SELECT * FROM {rows} ORDER BY g)")] {
        let together = query(&format!("SELECT g, {gathered} FROM {from} GROUP BY g ORDER BY g")).await;
        assert_eq!(together, alone);
    }
}

/// Two minutes of mail don't end a block of code, but a tag and a break do (docs/spec/time.md#subjects).
#[tokio::test]
async fn rows_are_assigned_to_blocks_with_one_subject() {
    let at = |minute: i64| format!("arrow_cast({}, 'Timestamp(Second, None)')", 1_736_931_600 + minute * 60);
    let row = |kind: &str, subject: &str, from: i64, to: i64| {
        let (start, end) = (at(from), at(to));
        format!("SELECT '{kind}' AS kind, '{subject}' AS subject, {start} AS s, {end} AS e")
    };
    let rows = [
        row("piece", "code", 0, 20),
        row("piece", "mail", 20, 22),
        row("piece", "code", 22, 40),
        row("piece", "mail", 50, 60),
        row("tag", "Client", 52, 65),
        row("tag", "Client", 55, 60),
        row("file", "plan.md", 15, 56),
    ];
    let blocks = format!(
        "SELECT kind, subject AS of, unnest(assign_blocks(kind, 'a', 1, 'application', subject, s, s, e, e, 300) OVER ()) AS b
         FROM ({})",
        rows.join(" UNION ALL ")
    );
    assert_values(
        &format!(
            "SELECT DISTINCT b['block'], b['start_utc'], b['end_utc'], b['subject_kind'], b['subject'], b['seconds'],
                    b['on_subject'], b['tags'] FROM ({blocks}) ORDER BY 1"
        ),
        "1|2025-01-15T09:00:00|2025-01-15T09:40:00|application|code|2400|2280|[]\n\
         2|2025-01-15T09:50:00|2025-01-15T10:00:00|tag|Client|600|480|[]",
    )
    .await;
    assert_values(
        &format!(
            "SELECT b['block'], sum(to_unixtime(b['shared_end_utc']) - to_unixtime(b['shared_start_utc']))
             FROM ({blocks}) WHERE kind = 'file' GROUP BY 1 ORDER BY 1"
        ),
        "1|1500\n2|360",
    )
    .await;
    let wrong =
        format!("SELECT assign_blocks('piece', 'a', 1, 'app', 'x', {0}, {0}, {1}, {1}, 300) OVER ()", at(0), at(1));
    let error = context().sql(&wrong).await.unwrap().collect().await.unwrap_err().to_string();
    assert!(error.contains("`subject_kind`") && error.contains("`app`"), "{error}");
}

#[tokio::test]
async fn words_are_found_in_every_row_of_a_batch() {
    // The second and the fourth row have the same text and the same words. The words of the third row differ.
    assert_values(
        "SELECT contains_words(title, words) FROM (VALUES
           (1, 'Rounding of invoices - Docs', 'docs \"of invoices\"'),
           (2, 'Inbox - Mail', 'docs \"of invoices\"'),
           (3, 'Inbox - Mail', 'inbox'),
           (4, 'Inbox - Mail', 'docs \"of invoices\"'),
           (5, NULL, 'docs'),
           (6, 'Docs', NULL)) AS rows(place, title, words)
         ORDER BY place",
        "true\nfalse\ntrue\nfalse\n\n",
    )
    .await;
}
