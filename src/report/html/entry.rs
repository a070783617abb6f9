//! What an entry of a timesheet says in its own words.

use maud::{Markup, html};

use super::super::text::neutral;
use super::names::{PLAIN, shown};

/// Its ticket and its description, line by line and in full: whoever booked it meant it to be read.
pub(super) fn words(issue: Option<&str>, description: Option<&str>) -> Markup {
    let lines = description.into_iter().flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty());
    let issue = issue.map(str::trim).filter(|issue| !issue.is_empty());
    html! {
        @if let Some(issue) = issue { b { bdi { (shown(issue)) } } " " }
        @for (number, line) in lines.enumerate() {
            @if number > 0 { br; }
            bdi { (neutral(line, &PLAIN)) }
        }
    }
}
