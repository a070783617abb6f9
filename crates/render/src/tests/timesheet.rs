//! Tests of the terminal output of a week, a draft and logged rows.

use dayledger_timesheet::draft::{RowNote, SkipReason};
use dayledger_timesheet::{Day, DraftId, EntryId, Hours, Status};

use super::{assert_fits, render, styles};
use crate::{write_draft, write_logged, write_nothing_to_log, write_week};
use dayledger_request::minutes;
use dayledger_timesheet_service::{
    BeyondEvidence, LeftOutTime, LoggedDraft, LoggedDraftRow, Outcome, RunningWork, SessionInfo, SuggestedDay,
    SuggestedRow, Suggestions, WeekDay, WeekLine, WeekTimesheet,
};

/// A project name with characters that could control a terminal.
const HOSTILE: &str =
    "\u{1b}[31mPROJECT\u{202e} \u{65e5}\u{672c}\u{8a9e} with a name that is far too long for any line";

fn day(text: &str) -> Day {
    text.parse().unwrap()
}

fn hours(hundredths: i64) -> Hours {
    Hours::from_hundredths(hundredths)
}

fn week() -> WeekTimesheet {
    let line = |status, project: Option<&str>, each| WeekLine {
        status,
        project_code: project.map(str::to_owned),
        task: project.map(|_| HOSTILE.to_owned()),
        hours: vec![hours(each); 7],
    };
    let days = (20..27).map(|number| WeekDay {
        day: day(&format!("2025-10-{number}")),
        target: Some(hours(8_00)),
        logged: hours(12_25),
        drafted: hours(10_50),
        open: Some(hours(0)),
    });
    WeekTimesheet {
        week: Some("2025-W43".to_owned()),
        days: days.collect(),
        lines: vec![
            line(Some(Status::NotReported), Some("INTERNAL"), 12_00),
            line(Some(Status::Approved), Some(HOSTILE), 25),
            line(None, None, 10_50),
        ],
        active_minutes: minutes(300_000),
        logged_minutes: minutes(100_000),
        away_minutes: minutes(7_200),
        drafted_minutes: minutes(100_000),
        unassigned_minutes: minutes(36_000),
        unconfirmed_minutes: minutes(0),
        beyond_evidence: evidence_gaps(),
        balance: None,
        running: Some(RunningWork {
            project_code: HOSTILE.to_owned(),
            task: HOSTILE.to_owned(),
            description: Some(HOSTILE.to_owned()),
            since: "2025-10-22T09:12:00".to_owned(),
            hours: hours(1_25),
        }),
    }
}

fn evidence_gaps() -> Vec<BeyondEvidence> {
    let entry = BeyondEvidence {
        id: EntryId::new(),
        start_date: day("2025-10-22"),
        project_code: HOSTILE.to_owned(),
        task: HOSTILE.to_owned(),
        minutes: minutes(5_400),
    };
    vec![entry; 3]
}

fn draft() -> Suggestions {
    let row = SuggestedRow {
        row: "0123456789ab".into(),
        project_code: Some(HOSTILE.to_owned()),
        task: None,
        hours: hours(10_25),
        minutes: minutes(36_900),
        away_minutes: Some(minutes(1_800)),
        logged_minutes: None,
        description: Some(HOSTILE.repeat(3)),
        activity: vec![HOSTILE.to_owned(); 3],
        issue_id: Some(HOSTILE.to_owned()),
        named_by: vec![format!("rule {HOSTILE}"), "tag".to_owned()],
        confidence: 100,
        notes: vec![RowNote::NoSuchProject, RowNote::NoTask],
        times: vec!["09:05-10:40".to_owned(); 3],
        more_times: Some(12),
    };
    let day = SuggestedDay {
        day: day("2025-10-22"),
        active_minutes: minutes(40_000),
        away_minutes: Some(minutes(1_800)),
        logged_minutes: Some(minutes(600)),
        hours: hours(10_25),
        rows: vec![
            row.clone(),
            SuggestedRow { task: Some("Task".to_owned()), notes: Vec::new(), ..row.clone() },
            SuggestedRow { project_code: None, ..row.clone() },
            SuggestedRow { project_code: None, task: None, notes: vec![RowNote::Unconfirmed], ..row },
        ],
        left_out: vec![LeftOutTime { reason: SkipReason::TooShort, minutes: minutes(300) }],
    };
    Suggestions {
        draft: DraftId::new(),
        hours: hours(10_25),
        active_minutes: minutes(40_000),
        away_minutes: minutes(1_800),
        logged_minutes: minutes(600),
        drafted_minutes: minutes(39_100),
        left_out_minutes: minutes(300),
        beyond_evidence: evidence_gaps(),
        days: vec![day.clone(), day],
        truncation: None,
        aside: SessionInfo::default(),
    }
}

fn logged_rows() -> LoggedDraft {
    let row = |outcome| LoggedDraftRow {
        day: day("2025-10-22"),
        project_code: Some(HOSTILE.to_owned()),
        task: Some(HOSTILE.to_owned()),
        hours: hours(10_25),
        notes: vec![RowNote::NoSuchProject],
        outcome,
    };
    let refused = Outcome::Refused(HOSTILE.repeat(4));
    let outcomes = [Outcome::Logged(EntryId::new()), refused, Outcome::Unassigned, Outcome::Unconfirmed];
    LoggedDraft { rows: outcomes.map(row).to_vec() }
}

#[test]
fn no_line_of_a_timesheet_is_wider_than_the_terminal() {
    // The test uses at least 72 columns. The command that logs a draft has 70 columns, and is never truncated, so that
    // users can copy it.
    for style in [72, 80, 120].into_iter().flat_map(styles) {
        assert_fits(&render(|out| write_week(out, &week(), &style)), &style);
        assert_fits(&render(|out| write_draft(out, &draft(), &style)), &style);
        assert_fits(&render(|out| write_logged(out, &logged_rows(), &style)), &style);
    }
}

#[test]
fn a_draft_without_rows_that_can_be_logged_has_no_command_that_logs_it() {
    let mut draft = draft();
    let command = format!("timesheet log --draft {}", draft.draft);
    assert!(render(|out| write_draft(out, &draft, &super::PLAIN)).contains(&command));
    for day in &mut draft.days {
        day.rows.retain(|row| !row.can_be_logged());
    }
    let text = render(|out| write_draft(out, &draft, &super::PLAIN));
    assert!(!text.contains(&command) && text.contains("No row can be logged yet"), "{text}");
}

#[test]
fn obstacles_have_their_hours_and_a_command() {
    let row = |project: Option<&str>, task: Option<&str>, notes: &[RowNote], source: &str| SuggestedRow {
        project_code: project.map(str::to_owned),
        task: task.map(str::to_owned),
        notes: notes.to_vec(),
        named_by: vec![source.to_owned()],
        ..draft().days[0].rows[0].clone()
    };
    let unknown = |project| row(Some(project), Some("Advice"), &[RowNote::NoSuchProject], "rule x");
    let with_rows = |rows: Vec<SuggestedRow>| {
        let mut draft = draft();
        draft.days.truncate(1);
        draft.days[0].rows = rows;
        render(|out| write_nothing_to_log(out, &draft, &super::PLAIN))
    };
    let rows = vec![unknown("Quay"), unknown("Pier"), row(None, None, &[], ""), row(Some("NW"), None, &[], "")];
    let expected =
        "nothing to log: 1 row of 10.25 h without a project, 2 rows of 20.5 h of projects that do not exist \
                    (Pier, Quay), 1 row of 10.25 h without a task (NW)
hint: To assign rows yourself, ";
    let text = with_rows(rows);
    assert!(text.starts_with(expected), "a rule has no tag to import: {text}");
    let tagged = row(Some("Quay"), Some("Advice"), &[RowNote::NoSuchProject], "tag Quay, Advice");
    let text = with_rows(vec![tagged]);
    assert!(text.contains("`dayledger timesheet projects import --from-tags`"), "{text}");
    assert_eq!(
        with_rows(Vec::new()),
        "nothing to log: the draft has no rows
"
    );
}

#[test]
fn a_week_explains_how_its_drafted_time_comes_about() {
    let text = render(|out| write_week(out, &week(), &crate::Style { width: 160, ..super::PLAIN }));
    let expected = "83 h 20 min active + 2 h 00 min away \u{2212} 27 h 47 min logged \u{2212} 29 h 47 min not included \u{2212} \
                    10 h 00 min not assigned = 17 h 47 min drafted";
    assert!(text.contains(expected), "{text}");
    assert!(text.contains("Not assigned") && !text.contains("unassigned"), "{text}");
}

#[test]
fn a_row_to_confirm_is_not_part_of_the_summary() {
    let text = render(|out| write_draft(out, &draft(), &super::PLAIN));
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(text.contains("to be confirmed, in no total") && text.contains("in 6 rows"), "{text}");
    assert!(text.contains("11 h 07 min active + 30 min away: "), "{text}");
}

#[test]
fn a_status_is_shown_as_a_word() {
    let text = render(|out| write_week(out, &week(), &super::PLAIN));
    assert!(text.contains("  open\n") && text.contains("  approved\n"), "{text}");
    assert!(Status::ALL.iter().all(|status| !text.contains(status.as_str())), "{text}");
}

/// The hours of a week don't include time away that the user hasn't confirmed yet. The week therefore shows the amount
/// of this time.
#[test]
fn a_week_shows_the_time_to_confirm() {
    let text = |week: &WeekTimesheet| {
        render(|out| write_week(out, week, &super::PLAIN)).split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert!(!text(&week()).contains("to confirm"), "{}", text(&week()));
    let week = WeekTimesheet { unconfirmed_minutes: minutes(50_400), ..week() };
    assert!(text(&week).contains(", 14 h 00 min to confirm"), "{}", text(&week));
    let idle = WeekTimesheet { active_minutes: minutes(0), away_minutes: minutes(0), ..week };
    assert!(text(&idle).contains("no activity on these days, 14 h 00 min to confirm"), "{}", text(&idle));
}

#[test]
fn a_weekend_without_hours_has_no_column() {
    let all = week();
    let style = super::PLAIN;
    assert!(render(|out| write_week(out, &all, &style)).contains("Sat 25"));
    let lines = all.lines.iter().cloned().map(|line| WeekLine {
        hours: line.hours.iter().enumerate().map(|(place, each)| if place > 4 { Hours::ZERO } else { *each }).collect(),
        ..line
    });
    let quiet = |day: WeekDay| WeekDay { logged: Hours::ZERO, drafted: Hours::ZERO, ..day };
    let days = all.days.iter().enumerate().map(|(place, day)| if place > 4 { quiet(day.clone()) } else { day.clone() });
    let working = WeekTimesheet { lines: lines.collect(), days: days.collect(), ..all.clone() };
    let text = render(|out| write_week(out, &working, &style));
    assert!(text.contains("Fri 24") && !text.contains("Sat 25"), "{text}");
}
