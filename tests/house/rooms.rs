//! Which room may call which: down the list, never up (design, section 1).

use super::imports::{Crate, Import};
use super::sources::files;

/// The rooms, from the top down; a name with an ending is a file of the crate's own. Rooms of one storey do not know
/// each other.
const STOREYS: [&[&str]; 12] = [
    &["lib.rs"],
    &["cli"],
    &["asked.rs"],
    &["mcp"],
    &["house.rs"],
    &["export", "report"],
    &["activity", "notes", "timesheet"],
    &["screenshots", "question"],
    &["engine"],
    &["manictime", "files", "rows"],
    &["code.rs", "rules", "calendar"],
    &["glob.rs"],
];

/// The storey of a room, counted from the top.
fn storey(room: &str) -> Option<usize> {
    STOREYS.iter().position(|rooms| rooms.contains(&room))
}

/// The room that a file of the program belongs to.
fn room_of(path: &str) -> &str {
    let inside = path.trim_start_matches("src/");
    inside.split_once('/').map_or(inside, |(room, _)| room)
}

fn goes_down(import: &Import) -> bool {
    let (room, other) = (room_of(&import.from), room_of(&import.to));
    let (Some(from), Some(to)) = (storey(room), storey(other)) else { return false };
    room == other || from < to
}

#[test]
fn calls_go_down_the_house() {
    let imports = Crate::read("src").imports();
    let wrong = imports.iter().filter(|import| !goes_down(import));
    let wrong: Vec<_> = wrong.map(|import| format!("{} -> {}: {}", import.from, import.to, import.name)).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(imports.len() > 500, "only {} imports are seen", imports.len());
}

#[test]
fn every_room_has_its_storey_and_says_what_it_owns() {
    for file in files("src", "rs") {
        let room = room_of(&file.path);
        assert!(room == "main.rs" || storey(room).is_some(), "`{room}` has no place in the list of the design");
        if file.path == format!("src/{room}/mod.rs") {
            for word in ["**Owns**", "**Does not own**"] {
                assert!(file.text.contains(word), "{} does not say `{word}`", file.path);
            }
        }
    }
}

#[test]
fn a_call_upwards_is_seen() {
    let import = |from: &str, to: &str| Import { from: from.to_owned(), to: to.to_owned(), name: String::new() };
    assert!(goes_down(&import("src/mcp/tool.rs", "src/house.rs")));
    assert!(goes_down(&import("src/report/day.rs", "src/activity/tags.rs")));
    for (from, to) in [("src/engine/rows.rs", "src/activity/mod.rs"), ("src/export/run.rs", "src/report/mod.rs")] {
        assert!(!goes_down(&import(from, to)), "{from}");
    }
}
