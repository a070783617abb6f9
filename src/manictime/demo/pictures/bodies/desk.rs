//! The small things: folders, drawings, music, tools.

use dayledger_canvas::{Area, Canvas, Face};

use super::super::super::cast::PROJECTS;
use super::super::super::screen::file_name;
use super::super::scene::{DARK, LIGHT, Scene};
use super::super::words::TRACKS;
use super::{LINE, button, side_list, table};

/// Artboards of an application that is being drawn.
pub(super) fn artboards(canvas: &mut Canvas, body: Area, scene: &Scene) {
    let layers = ["Login", "Overview", "Details", "Letter", "Colours"];
    let stage = side_list(canvas, body, scene.project().repository, layers, 1, DARK);
    canvas.fill(stage, [92, 94, 100]);
    let width = stage.width.saturating_sub(60) / 3;
    for (column, name) in stage.inset(24).columns(width).zip(layers) {
        let (label, board) = column.split_top(28);
        canvas.text(label, name, Face::Plain, DARK.ink);
        let board = board.split_right(22).1;
        canvas.fill(board, LIGHT.paper);
        canvas.fill(board.split_top(54).0, scene.color());
        for (number, row) in board.inset(22).split_top(50).1.rows(76).enumerate() {
            let wide = 90 + u32::try_from(scene.pick(number, 120)).unwrap_or(0);
            canvas.fill(Area { height: 44, ..row.split_left(wide).0 }, LIGHT.side);
        }
        button(canvas, board.inset(22).split_bottom(40).0, "Continue", scene.color());
    }
}

pub(super) fn folder(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, LIGHT.paper);
    let places = ["Downloads", "Documents", "repos", "clients", "Screenshots"];
    let chosen = places.iter().position(|place| scene.title == *place).unwrap_or(1);
    let rest = side_list(canvas, body, "Alex", places, chosen, LIGHT);
    let (path, list) = rest.inset(12).split_top(36);
    canvas.text(path, &format!("This PC > Alex > {}", places[chosen]), Face::Plain, LIGHT.faint);
    let papers = PROJECTS.iter().flat_map(|project| project.papers).enumerate().map(|(number, paper)| {
        let size = 12 + scene.pick(number, 900);
        [file_name(paper).to_owned(), format!("{size} kB"), "Alex".to_owned()]
    });
    table(canvas, list, [420, 140, 120], ["Name", "Size", "Owner"], papers, LIGHT);
}

pub(super) fn tracks(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, DARK.paper);
    let rest = side_list(canvas, body, "Library", ["Tide Lines", "Grey Harbour", "For work", "Evening"], 2, DARK);
    let (player, list) = rest.inset(16).split_bottom(64);
    let playing = scene.pick(usize::try_from(scene.moment.utc / 200).unwrap_or(0), TRACKS.len());
    let rows = TRACKS.iter().enumerate().map(|(number, track)| {
        let seconds = 150 + scene.pick(number, 180);
        let mark = if number == playing { ">" } else { "" };
        [mark.to_owned(), (*track).to_owned(), format!("{}:{:02}", seconds / 60, seconds % 60)]
    });
    table(canvas, list, [40, 420, 100], ["", "Track", "Length"], rows, DARK);
    let (words, bar) = player.split_top(LINE * 2);
    canvas.text(words, TRACKS[playing], Face::Bold, scene.color());
    canvas.fill(bar.split_top(6).0, DARK.side);
    let part = bar.width * u32::try_from(scene.moment.utc.rem_euclid(200)).unwrap_or(0) / 200;
    canvas.fill(Area { height: 6, ..bar.split_left(part).0 }, scene.color());
}

/// Notepad, calculator and their like.
pub(super) fn small(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, LIGHT.paper);
    let inner = body.inset(16);
    match scene.app().name {
        "Calculator" => {
            let (result, keys) = inner.split_top(72);
            canvas.fill(result, LIGHT.side);
            let sum = format!("{}.{:02}", scene.pick(1, 9_000), scene.pick(2, 100));
            canvas.text(result.inset(12), &sum, Face::Heading, LIGHT.ink);
            let keys = keys.rows(keys.height / 4).flat_map(|row| row.columns(row.width / 4));
            for (key, label) in keys.zip("789/456*123-0.=+".chars()) {
                let color = if label.is_ascii_digit() { LIGHT.side } else { scene.color() };
                button(canvas, key.inset(4), &label.to_string(), color);
            }
        }
        "KeePassXC" => {
            let rows = ["mail", "staging", "bank", "rate card"].map(|name| [name.to_owned(), "********".to_owned()]);
            table(canvas, inner, [220, 200], ["Title", "Password"], rows, LIGHT);
        }
        _ => {
            let lines = scene.project().topics.iter().map(|topic| format!("- {topic}"));
            for (row, line) in inner.rows(LINE).zip(["to do".to_owned(), String::new()].into_iter().chain(lines)) {
                canvas.text(row, &line, Face::Plain, LIGHT.ink);
            }
        }
    }
}
