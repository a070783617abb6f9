//! Which room may call which: down the list, never up (design, section 1).

use super::sources::{SourceFile, files};

/// The rooms, from the top down. Rooms of one storey do not know each other.
const STOREYS: [&[&str]; 5] = [
    &["cli"],
    &["mcp"],
    &["activity", "screenshots", "export", "report", "timesheet", "notes"],
    &["engine"],
    &["manictime", "files", "rows"],
];

/// What is allowed beside that: the answers are what a report shows, and segments have their screenshots.
const ALSO: [(&str, &str); 2] = [("report", "activity"), ("activity", "screenshots")];

/// What the crate itself offers: it puts the rooms together, which is for the top of the house alone.
const COMPOSITION: [&str; 5] =
    ["engine_over", "engine_over_activities", "engine_over_archive", "engine_without_titles", "work"];

/// The storey of a room, counted from the top.
fn storey(room: &str) -> Option<usize> {
    STOREYS.iter().position(|rooms| rooms.contains(&room))
}

fn may_call(room: &str, other: &str) -> bool {
    let (Some(from), Some(to)) = (storey(room), storey(other)) else { return false };
    room == other || from < to || ALSO.contains(&(room, other))
}

/// The room that a file belongs to; `None` for the crate's own two files.
fn room_of(file: &SourceFile) -> Option<&str> {
    let (room, _) = file.path.strip_prefix("src/")?.split_once('/')?;
    Some(room)
}

/// The names that follow `crate::` in a line, and what a `use crate::{…}` of one line lists.
fn called_rooms(line: &str) -> Vec<&str> {
    let is_name = |letter: char| letter.is_alphanumeric() || letter == '_';
    let first_word = |text: &'_ str| text.find(|letter| !is_name(letter)).unwrap_or(text.len());
    let mut found = Vec::new();
    for (at, _) in line.match_indices("crate::") {
        if line[..at].ends_with(|letter: char| is_name(letter) || letter == '$') {
            continue;
        }
        let rest = &line[at + "crate::".len()..];
        match rest.strip_prefix('{') {
            Some(list) => found.extend(top_level(list).map(|item| &item[..first_word(item)])),
            None => found.push(&rest[..first_word(rest)]),
        }
    }
    found.retain(|name| !name.is_empty());
    found
}

/// The items of a list in braces, without what stands in braces within it.
fn top_level(list: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_u32;
    list.split(move |letter: char| {
        match letter {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        letter == ',' && depth == 0
    })
    .map(str::trim)
}

/// The calls of a file that go where they must not.
fn wrong_calls(file: &SourceFile) -> Vec<String> {
    let Some(room) = room_of(file) else { return Vec::new() };
    let mut wrong = Vec::new();
    for (number, line) in file.code() {
        for called in called_rooms(line) {
            let composes = COMPOSITION.contains(&called) && (room == "cli" || file.is_test());
            if !composes && !may_call(room, called) && called.chars().next().is_some_and(char::is_lowercase) {
                wrong.push(format!("{}:{number}: `{room}` calls `{called}`", file.path));
            }
        }
        // From a room's own `mod.rs` the neighbours are one step up.
        if file.path == format!("src/{room}/mod.rs") {
            let neighbours = STOREYS.concat().into_iter().filter(|other| *other != room);
            for other in neighbours.filter(|other| line.contains(&format!("super::{other}::"))) {
                wrong.push(format!("{}:{number}: `{room}` reaches for `{other}` by `super`", file.path));
            }
        }
    }
    wrong
}

#[test]
fn calls_go_down_the_house() {
    let wrong: Vec<_> = files("src", "rs").iter().flat_map(wrong_calls).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_room_has_its_storey_and_says_what_it_owns() {
    for file in files("src", "rs") {
        let Some(room) = room_of(&file) else { continue };
        assert!(storey(room).is_some(), "`{room}` has no place in the list of the design");
        if file.path == format!("src/{room}/mod.rs") {
            for word in ["**Owns**", "**Does not own**"] {
                assert!(file.text.contains(word), "{} does not say `{word}`", file.path);
            }
        }
    }
}

#[test]
fn a_call_upwards_is_seen_however_it_is_written() {
    for line in [
        "use crate::activity::Question;",
        "use crate::{engine::Error, activity::{Question, Tags}};",
        "    let answer = crate::activity::minutes(1);",
        "pub(crate) use crate::activity;",
    ] {
        let file = SourceFile { path: "src/engine/rows.rs".to_owned(), text: line.to_owned() };
        assert_eq!(wrong_calls(&file).len(), 1, "{line}");
    }
    for line in ["// use crate::activity::Question;", "use crate::manictime::{Shape, Source};", "use datafusion::x;"] {
        let file = SourceFile { path: "src/engine/rows.rs".to_owned(), text: line.to_owned() };
        assert_eq!(wrong_calls(&file), [""; 0], "{line}");
    }
    assert!(!may_call("activity", "report") && may_call("report", "activity") && may_call("cli", "manictime"));
}
