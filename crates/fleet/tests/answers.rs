//! Tests that a query about one person returns the same rows as a query of that person's own export. Also tests that a
//! query about all people combines these rows.

use dayledger_engine::QueryLimits;

use crate::test_team::{NAMES, TestTeam, rows};

/// Returns every table, view and table function of the model, as text for a `FROM` clause.
async fn relations(team: &TestTeam) -> Vec<String> {
    let model = team.person_engine("anna").describe().await.unwrap();
    let tables = model.tables.into_iter().map(|table| table.name);
    let calls = model.table_functions.iter().filter_map(|function| {
        let range = "'2025-03-03', '2025-03-13'";
        let call = function.example.clone()?;
        // The example of a function uses a fixed day, which is replaced by the range of the test data.
        let (head, _) = call.split_once('(')?;
        let begins_with_range = function.parameters.first().is_some_and(|(name, _)| name == "start");
        Some(if begins_with_range { call_with_range(head, range, &call) } else { call })
    });
    tables.chain(calls).collect()
}

/// Returns the call of `example` with another range. The other arguments stay the same.
fn call_with_range(head: &str, range: &str, example: &str) -> String {
    let given: Vec<_> =
        example.trim_end_matches(')').split_once('(').map(|(_, given)| given).unwrap().split(", ").collect();
    let rest: Vec<_> = given.iter().skip(2).map(|value| format!(", {value}")).collect();
    format!("{head}({range}{})", rest.concat())
}

#[tokio::test(flavor = "multi_thread")]
async fn every_table_and_function_returns_each_persons_own_rows() {
    let team = TestTeam::export().await;
    let all = team.engine();
    let mut answered = 0;
    for relation in relations(&team).await {
        let mut alone = Vec::new();
        for name in NAMES {
            let own = team.person_engine(name);
            let result = own.query(format!("SELECT * FROM {relation}"), &QueryLimits::default()).await;
            let Ok(_) = result else {
                // If a query fails for a person's own export, it must also fail for the exports of all people.
                let sql = format!("SELECT * FROM {relation} WHERE person = '{name}'");
                assert!(all.query(sql.clone(), &QueryLimits::default()).await.is_err(), "{sql}");
                continue;
            };
            let of_her = rows(&own, &format!("SELECT '{name}', * FROM {relation}")).await;
            let of_all = rows(&all, &format!("SELECT * FROM {relation} WHERE person = '{name}'")).await;
            assert_eq!(of_all, of_her, "{relation} of {name}");
            alone.extend(of_her);
        }
        if !alone.is_empty() {
            alone.sort_unstable();
            assert_eq!(rows(&all, &format!("SELECT * FROM {relation}")).await, alone, "{relation}");
            answered += 1;
        }
    }
    assert!(answered > 20, "only {answered} were answered");
}

#[tokio::test(flavor = "multi_thread")]
async fn aggregates_cover_the_rows_of_all_people() {
    let team = TestTeam::export().await;
    let mut expected = Vec::new();
    for name in NAMES {
        let sql = "SELECT round(sum(seconds)) FROM segments WHERE start_local >= '2025-03-10'";
        let own = rows(&team.person_engine(name), sql).await;
        expected.push(format!("{name} | {}", own[0]));
    }
    let sql = "SELECT person, round(sum(seconds)) FROM segments WHERE start_local >= '2025-03-10' GROUP BY person";
    assert_eq!(rows(&team.engine(), sql).await, expected);
    let counted = rows(&team.engine(), "SELECT count(*) FROM activities").await;
    let mut sum = 0;
    for name in NAMES {
        sum += rows(&team.person_engine(name), "SELECT * FROM activities").await.len();
    }
    assert_eq!(counted, [sum.to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn statements_in_the_docs_run() {
    let team = TestTeam::export().await;
    let all = team.engine();
    let page = include_str!("../../../docs/fleet.md");
    let statements: Vec<_> = page.split("```sql\n").skip(1).filter_map(|rest| rest.split("```").next()).collect();
    assert!(!statements.is_empty());
    for sql in statements {
        // The test data is from other days than the example statements.
        let sql = sql.trim().trim_end_matches(';').replace("'last month'", "'2025-03-03', '2025-03-10'");
        let result = all.query(sql.as_str(), &QueryLimits::default()).await;
        assert!(result.is_ok(), "{sql}: {}", result.unwrap_err());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filter_by_person_reads_only_that_export() {
    let team = TestTeam::export().await;
    let engine = team.engine();
    let of_bela = rows(&engine, "SELECT * FROM segments WHERE person = 'bela'").await;
    std::fs::remove_dir_all(team.person_folder("anna").join("segments")).unwrap();
    for sql in [
        "SELECT * FROM segments WHERE person = 'bela'",
        "SELECT * FROM segments WHERE person IN ('bela', 'nobody')",
        "SELECT * FROM segments WHERE person LIKE 'b%' AND application IS NOT NULL",
        "SELECT * FROM segments WHERE upper(person) = 'BELA'",
    ] {
        assert_eq!(rows(&engine, sql).await, of_bela, "{sql}");
    }
    let refused = engine.query("SELECT * FROM segments", &QueryLimits::default()).await.unwrap_err().to_string();
    assert!(refused.starts_with("anna: "), "{refused}");
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_and_limits_apply_to_all_people() {
    let team = TestTeam::export().await;
    let engine = team.engine();
    let all = rows(&engine, "SELECT person, device, start_local FROM segments").await;
    let some = rows(&engine, "SELECT person, device, start_local FROM segments LIMIT 7").await;
    assert_eq!(some.len(), 7);
    assert!(some.iter().all(|row| all.contains(row)), "{some:?}");
    // The filters by person and by time are combined with `OR`, so neither filter may be applied alone.
    let either = "SELECT person, start_local FROM segments WHERE person = 'anna' OR start_local < '2025-03-05'";
    let counted = rows(&engine, &format!("SELECT count(*) FROM ({either})")).await;
    let of_anna = rows(&engine, "SELECT * FROM segments WHERE person = 'anna'").await.len();
    let early = "SELECT * FROM segments WHERE person <> 'anna' AND start_local < '2025-03-05'";
    assert_eq!(counted, [(of_anna + rows(&engine, early).await.len()).to_string()]);
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_names_give_the_same_error_as_for_one_person() {
    let team = TestTeam::export().await;
    let engine = team.engine();
    let refusal = |sql: &'static str| {
        let engine = engine.clone();
        async move { engine.query(sql, &QueryLimits::default()).await.unwrap_err().to_string() }
    };
    assert!(
        refusal("SELECT * FROM segment").await.contains("`segments`"),
        "{}",
        refusal("SELECT * FROM segment").await
    );
    assert!(refusal("SELECT persons FROM segments").await.contains("person"));
    assert!(refusal("SELECT * FROM narrative('never', '2025-03-04')").await.contains("narrative"));
    assert!(refusal("DROP TABLE segments").await.contains("cannot run"));
}

/// The tables of two calls have the same name, but different rows.
#[tokio::test(flavor = "multi_thread")]
async fn subqueries_about_different_ranges_are_computed_separately() {
    let team = TestTeam::export().await;
    let all = team.engine();
    let calls = ["pieces('2025-03-03', '2025-03-04')", "pieces('2025-03-03', '2025-03-08')"];
    let mut counts = Vec::new();
    for call in calls {
        counts.extend(rows(&all, &format!("SELECT count(*) FROM {call}")).await);
    }
    assert_ne!(counts[0], counts[1]);
    let [first, second] = calls;
    let both = format!("SELECT (SELECT count(*) FROM {first}), (SELECT count(*) FROM {second})");
    assert_eq!(rows(&all, &both).await, [counts.join(" | ")]);
}
