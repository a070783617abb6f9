//! Tests of corrections, which are found if hours were logged on another target than suggested.

use dayledger_timesheet::draft::{ActivePeriod, Correction, LoggedEntry, ProjectNames, Target, WorkLabel, corrections};
use dayledger_timesheet::{Evidence, Hours, TimeEntry};

use super::world::{day, entry, period, projects, rule, tag};

/// A quarter of an hour on a site: the site, the label, and the project and task on which it was logged, if any.
type Quarter<'t> = (&'t str, WorkLabel, Option<(&'t str, &'t str)>);

fn learn_corrections(work: &[Quarter<'_>]) -> Vec<Correction<String>> {
    let intervals: Vec<_> = (0..)
        .zip(work)
        .map(|(place, (site, naming, _))| ActivePeriod {
            site: Some((*site).to_owned()),
            ..period(place * 900, place * 900 + 900, naming.clone())
        })
        .collect();
    let entries: Vec<(TimeEntry, Vec<Evidence>)> = (1..)
        .zip(work)
        .zip(&intervals)
        .filter_map(|((number, (_, _, target)), stretch)| {
            let (project, task) = (*target)?;
            let (start_utc, end_utc) = (stretch.start_utc, stretch.end_utc);
            let evidence = vec![Evidence { start_utc, end_utc, device: None, activity: None, utc_offset: None }];
            Some((entry(number, project, task, Hours::from_hundredths(25), day(0), day(0)), evidence))
        })
        .collect();
    let logged: Vec<_> = entries.iter().map(|(entry, evidence)| LoggedEntry { entry, evidence }).collect();
    let projects = projects();
    corrections(&intervals, &logged, &ProjectNames::new(&projects, &[]), |interval| interval.site.clone())
}

fn correction(
    site: &str,
    target: (&str, &str),
    quarters: i64,
    share: i64,
    against: Option<&str>,
) -> Correction<String> {
    Correction {
        word: site.to_owned(),
        target: Target { project: target.0.to_owned(), task: Some(target.1.to_owned()) },
        seconds: quarters * 900,
        share,
        against: against.map(str::to_owned),
    }
}

#[test]
fn changed_rows_become_rules_and_accepted_rows_do_not() {
    let (nothing, of_b) = (WorkLabel::Nothing, rule("B", None));
    let (a, b) = (Some(("A", "x")), Some(("B", "z")));
    let wiki = correction("wiki", ("A", "x"), 2, 100, None);
    assert_eq!(learn_corrections(&[("wiki", nothing.clone(), a), ("wiki", nothing.clone(), a)]), [wiki]);
    assert_eq!(
        learn_corrections(&[("wiki", of_b.clone(), a), ("wiki", of_b.clone(), a), ("shop", of_b.clone(), b)]),
        [correction("wiki", ("A", "x"), 2, 100, Some("of B"))],
        "the conflicting rule is reported, and a correct row gives no correction"
    );
    assert_eq!(learn_corrections(&[("wiki", nothing.clone(), None), ("wiki", of_b, None)]), [], "nothing was logged");
    assert_eq!(learn_corrections(&[("wiki", tag(&["B"]), a)]), [], "a tag comes before every rule");
}

#[test]
fn time_logged_on_several_projects_proposes_no_rule() {
    let nothing = || WorkLabel::Nothing;
    let (a, b) = (Some(("A", "x")), Some(("B", "z")));
    let of = |logged: &[Option<(&'static str, &'static str)>]| {
        learn_corrections(&logged.iter().map(|target| ("wiki", nothing(), *target)).collect::<Vec<_>>())
    };
    assert_eq!(of(&[a, b]), []);
    assert_eq!(of(&[a, b, a]), [], "66 percent");
    assert_eq!(of(&[a, b, a, a]), [correction("wiki", ("A", "x"), 3, 75, None)]);
}

#[test]
fn most_time_comes_first() {
    let a = Some(("A", "x"));
    let sites = ["wiki", "shop", "shop"].map(|site| (site, WorkLabel::Nothing, a));
    let words: Vec<_> = learn_corrections(&sites).into_iter().map(|correction| correction.word).collect();
    assert_eq!(words, ["shop", "wiki"]);
}
