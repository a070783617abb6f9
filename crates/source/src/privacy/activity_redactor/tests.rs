use std::convert::Infallible;

use super::*;
use crate::{HiddenTimesBuilder, Pattern, Redaction, Role};

const DEVICE: &str = "laptop";

fn privacy(redacted: &[Redaction]) -> Privacy {
    let pattern = |text| [Pattern::parse(text).unwrap()];
    Privacy::new(redacted.iter().copied(), pattern("keepass"), pattern("bank.example"))
}

/// Returns the times of one hidden activity of [`DEVICE`].
fn hidden_times(role: Role, application: Option<i64>, start: Option<i64>, end: Option<i64>) -> HiddenTimes {
    let mut times = HiddenTimesBuilder::new(&privacy(&[]));
    times.add(role, DEVICE, application, [start, start, end, end]);
    times.finish(Some([(0, 0), (1000, 1000)]))
}

/// Returns an activity with the id 7 that lasts for the first minute.
fn activity(text_kind: TextKind, title: &str) -> Activity<'_> {
    Activity {
        device: DEVICE,
        id: 7,
        text_kind,
        is_hidden: false,
        is_named: true,
        title: Some(title),
        notes: Some("call back"),
        related: None,
        start: Some(0),
        end: Some(60),
    }
}

/// Redacts an activity. The device of the activity has one application activity, with the id 2.
fn redact<'a>(hidden: &HiddenTimes, redacted: &[Redaction], activity: &Activity<'a>) -> RedactedActivity<'a> {
    let privacy = privacy(redacted);
    let redactor = ActivityRedactor::new(&privacy, hidden);
    redactor.redact(activity, |id| Ok::<_, Infallible>(id == 2)).unwrap()
}

#[test]
fn document_of_a_hidden_application_is_hidden() {
    let hidden = hidden_times(Role::Applications, Some(1), Some(50), Some(90));
    let document = activity(TextKind::Document, "plan.txt");
    let actual = redact(&hidden, &[], &document);
    assert_eq!((actual.is_hidden, actual.title.as_deref(), actual.notes), (true, Some(HIDDEN), None));
    for (is_hidden, document) in [
        (true, Activity { start: Some(89), end: Some(95), ..document.clone() }),
        (false, Activity { start: Some(90), end: Some(95), ..document.clone() }),
        (true, Activity { start: None, ..document.clone() }),
        (false, Activity { device: "tower", ..document.clone() }),
        (true, Activity { related: Some(1), start: Some(200), end: Some(260), ..document.clone() }),
        (false, Activity { related: Some(2), ..document.clone() }),
        (true, Activity { related: Some(3), ..document.clone() }),
        (false, Activity { text_kind: TextKind::Tag, ..document.clone() }),
    ] {
        assert_eq!(redact(&hidden, &[], &document).is_hidden, is_hidden, "{document:?}");
    }
}

#[test]
fn window_of_a_hidden_site_keeps_its_time_but_not_its_title_and_notes() {
    let window = activity(TextKind::Application, "Account 123 - Browser");
    let hidden = |application, start, end| hidden_times(Role::Documents, application, Some(start), Some(end));
    for hidden in [hidden(None, 30, 40), hidden(Some(7), 200, 260)] {
        let redacted = redact(&hidden, &[], &window);
        assert_eq!(redacted, RedactedActivity { is_hidden: false, title: None, notes: None }, "{hidden:?}");
        assert_eq!(redacted.name(), REDACTED);
    }
    let redacted = redact(&hidden(Some(8), 200, 260), &[], &window);
    assert_eq!((redacted.title, redacted.notes), (window.title.map(Cow::Borrowed), window.notes.map(Cow::Borrowed)));
}

#[test]
fn hidden_row_without_a_readable_time_hides_all_times_of_its_device() {
    let document = activity(TextKind::Document, "plan.txt");
    let hidden = hidden_times(Role::Applications, None, None, Some(90));
    assert!(redact(&hidden, &[], &document).is_hidden);
    assert!(!redact(&hidden, &[], &Activity { device: "tower", ..document }).is_hidden);
}

#[test]
fn titles_and_notes_are_redacted_without_hidden_activities() {
    let hidden = HiddenTimes::default();
    let note = |redacted: &[Redaction]| redact(&hidden, redacted, &activity(TextKind::Document, "/home/ann/plan.txt"));
    let actual = note(&[Redaction::Paths]);
    assert_eq!((actual.title.as_deref(), actual.notes.as_deref()), (Some("plan.txt"), Some("call back")));
    for kind in [Redaction::Titles, Redaction::Notes] {
        assert_eq!(note(&[kind]).notes, None, "{kind:?}");
    }
    let page = activity(TextKind::Website, "https://bank.example/login");
    assert!(redact(&hidden, &[], &page).is_hidden, "its own URL is on a hidden site");
}

#[test]
fn screenshots_of_hidden_activities_are_hidden() {
    let hidden = hidden_times(Role::Websites, None, Some(500), Some(560)).screenshots();
    let is_hidden = |second| {
        let at = chrono::DateTime::from_timestamp(second, 0).unwrap().naive_utc();
        hidden.hides(at, Some(at))
    };
    assert_eq!([480, 530, 580, 1001].map(is_hidden), [false, true, false, true]);
}
