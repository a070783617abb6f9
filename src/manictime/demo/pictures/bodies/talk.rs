//! Mail, chat and calls.

use dayledger_canvas::{Area, Canvas, Color, Face};

use super::super::super::cast::CHANNELS;
use super::super::scene::{DARK, LIGHT, Scene, ink_on};
use super::super::words::{CHATTER, LETTERS, PEOPLE, PROSE};
use super::{LINE, button, paragraphs, side_list};

/// Colours of people.
const FACES: [Color; 5] = [[58, 118, 240], [196, 62, 28], [29, 111, 66], [124, 58, 237], [184, 134, 11]];

fn face_of(name: &str) -> Color {
    PEOPLE.iter().position(|person| *person == name).map_or([90, 96, 106], |person| FACES[person])
}

/// Folders, letters, the one that is open; a calendar where the window is one.
pub(super) fn mail(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, LIGHT.paper);
    if scene.title.starts_with("Calendar") {
        return calendar(canvas, body, scene);
    }
    let folders = ["Inbox", "Drafts", "Sent", "Northwind", "Harbour", "Archive"];
    let rest = side_list(canvas, body, "alex@alexbuilds.example", folders, 0, LIGHT);
    let (list, letter) = rest.split_left(300);
    let letters: Vec<_> = scene.scrolled(&LETTERS).take(LETTERS.len()).collect();
    for (number, (cell, (from, subject))) in list.rows(62).zip(&letters).enumerate() {
        if number == 0 {
            canvas.fill(cell, [220, 233, 248]);
        }
        let (upper, lower) = cell.inset(8).split_top(23);
        canvas.text(upper, &scene.filled(from), Face::Bold, LIGHT.ink);
        canvas.text(lower, &scene.filled(subject), Face::Plain, LIGHT.faint);
        canvas.fill(cell.split_bottom(1).0, LIGHT.side);
    }
    canvas.fill(list.split_right(1).0, LIGHT.side);
    let Some((from, subject)) = letters.first() else { return };
    // An opened message has its subject in the window's title.
    let subject = scene.title.strip_suffix(" - Message (HTML)").map_or_else(|| scene.filled(subject), str::to_owned);
    let (head, text) = letter.inset(20).split_top(36);
    canvas.text(head, &subject, Face::Large, LIGHT.ink);
    let (from_row, text) = text.split_top(34);
    canvas.text(from_row, &format!("From {} to Alex", scene.filled(from)), Face::Plain, LIGHT.faint);
    paragraphs(canvas, text, scene.scrolled(&PROSE).take(5).map(|text| scene.filled(text)), LIGHT.ink);
}

fn calendar(canvas: &mut Canvas, body: Area, scene: &Scene) {
    let (hours, days) = body.inset(12).split_left(70);
    for (hour, row) in hours.split_top(30).1.rows(58).enumerate() {
        canvas.text(row.split_top(LINE).0, &format!("{:02}:00", hour + 8), Face::Plain, LIGHT.faint);
        canvas.fill(Area { top: row.top, height: 1, ..days }, LIGHT.side);
    }
    let meetings = ["Weekly sync", "Review", "Planning", "Questions", "Workshop"];
    for (day, (column, name)) in days.columns(days.width / 5).zip(["Mon", "Tue", "Wed", "Thu", "Fri"]).enumerate() {
        canvas.text(column.split_top(26).0, name, Face::Bold, LIGHT.ink);
        for slot in 0..2 {
            let hour = u32::try_from(scene.pick(day * 2 + slot, 4) + slot * 5).unwrap_or(0);
            let field = Area::new(column.left, column.top + 32 + hour * 58, column.width - 8, 50);
            button(canvas, field, meetings[scene.pick(day + slot * 7, meetings.len())], FACES[(day + slot) % 5]);
        }
    }
}

pub(super) fn chat(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, LIGHT.paper);
    let chosen = CHANNELS.iter().position(|channel| scene.title.starts_with(channel));
    let names = CHANNELS.iter().map(|channel| format!("# {}", channel.split(' ').next().unwrap_or(channel)));
    let rest = side_list(canvas, body, "Alex Builds", names, chosen.unwrap_or(5), LIGHT);
    let (field, messages) = rest.inset(16).split_bottom(44);
    canvas.outline(field, LIGHT.faint);
    canvas.text(field.inset(10), "Write a message", Face::Plain, LIGHT.faint);
    for (cell, (who, text)) in messages.rows(64).zip(scene.scrolled(&CHATTER)) {
        let (picture, words) = cell.split_left(56);
        button(canvas, picture.centred(40, 40), &who[..1], face_of(who));
        let (upper, lower) = words.split_top(30);
        canvas.text(upper, who, Face::Bold, LIGHT.ink);
        canvas.text(lower.split_top(LINE).0, &scene.filled(text), Face::Plain, LIGHT.ink);
    }
}

/// The faces of a call, and its controls.
pub(super) fn call(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, DARK.paper);
    let (controls, people) = body.split_bottom(70);
    let people = people.inset(10);
    let speaking = scene.pick(usize::try_from(scene.moment.utc / 60).unwrap_or(0), PEOPLE.len());
    let cells = people.rows(people.height / 2).flat_map(|row| row.columns(row.width / 3));
    for (number, (cell, name)) in cells.zip(PEOPLE.into_iter().chain(["{client}"])).enumerate() {
        let (cell, name) = (cell.inset(6), scene.filled(name));
        canvas.fill(cell, [52, 55, 64]);
        if number == speaking {
            canvas.outline(cell, [120, 200, 120]);
            canvas.outline(cell.inset(1), [120, 200, 120]);
        }
        let color = face_of(&name);
        let picture = cell.centred(96, 96);
        canvas.fill(picture, color);
        canvas.text(picture.centred(20, 40), &name[..1], Face::Heading, ink_on(color));
        canvas.text(cell.inset(8).split_bottom(LINE).0, &name, Face::Plain, DARK.ink);
    }
    for (cell, (label, color)) in controls.centred(500, 44).columns(125).zip([
        ("Mute", [70, 74, 84]),
        ("Camera", [70, 74, 84]),
        ("Share", [70, 74, 84]),
        ("Leave", [196, 49, 75]),
    ]) {
        button(canvas, cell.inset(4), label, color);
    }
}
