//! What a window shows below its title bar, by the kind of its application.

mod code;
mod desk;
mod office;
mod talk;
mod web;

use dayledger_canvas::{Area, Canvas, Color, Face};

use super::super::cast::Use;
use super::scene::{Scene, Theme};

/// The height of a row of text.
const LINE: u32 = 20;

pub(super) fn draw(canvas: &mut Canvas, body: Area, scene: &Scene) {
    match scene.app().used_for {
        Use::Editor => code::editor(canvas, body, scene),
        Use::Terminal => code::terminal(canvas, body, scene),
        Use::Database => code::database(canvas, body, scene),
        Use::ApiClient => code::api_client(canvas, body, scene),
        Use::Containers => code::containers(canvas, body, scene),
        Use::Browser => web::page(canvas, body, scene),
        Use::Mail => talk::mail(canvas, body, scene),
        Use::Chat => talk::chat(canvas, body, scene),
        Use::Call => talk::call(canvas, body, scene),
        Use::Sheet => office::sheet(canvas, body, scene),
        Use::Letter | Use::Reader => office::letter(canvas, body, scene),
        Use::Slides => office::slide(canvas, body, scene),
        Use::Outline => office::notes(canvas, body, scene),
        Use::Design => desk::artboards(canvas, body, scene),
        Use::Folder => desk::folder(canvas, body, scene),
        Use::Music => desk::tracks(canvas, body, scene),
        Use::Small | Use::LockScreen => desk::small(canvas, body, scene),
    }
}

/// Draws a list at the left side of a window, one entry chosen, and returns the rest of the area.
fn side_list<T: AsRef<str>>(
    canvas: &mut Canvas,
    area: Area,
    heading: &str,
    entries: impl IntoIterator<Item = T>,
    chosen: usize,
    theme: Theme,
) -> Area {
    let (side, rest) = area.split_left(230);
    canvas.fill(side, theme.side);
    let (head, list) = side.inset(10).split_top(30);
    canvas.text(head, heading, Face::Bold, theme.faint);
    for ((number, row), entry) in list.rows(26).enumerate().zip(entries) {
        if number == chosen {
            canvas.fill(row, theme.paper);
            canvas.fill(row.split_left(3).0, theme.accent);
        }
        canvas.text(row.split_left(10).1, entry.as_ref(), Face::Plain, theme.ink);
    }
    rest
}

/// Draws a table: a row of headings, rows of cells, columns as wide as told; the last one takes what is left.
fn table<const N: usize>(
    canvas: &mut Canvas,
    area: Area,
    widths: [u32; N],
    headings: [&str; N],
    rows: impl IntoIterator<Item = [String; N]>,
    theme: Theme,
) {
    let (head, list) = area.split_top(28);
    canvas.fill(head, theme.side);
    let cells = |row: Area| {
        let mut rest = row.split_left(8).1;
        widths.map(|width| {
            let (cell, next) = rest.split_left(width);
            rest = next;
            cell
        })
    };
    for (cell, heading) in cells(head).into_iter().zip(headings) {
        canvas.text(cell, heading, Face::Bold, theme.ink);
    }
    for (row, texts) in list.rows(26).zip(rows) {
        canvas.fill(row.split_bottom(1).0, theme.side);
        for (cell, text) in cells(row).into_iter().zip(texts) {
            canvas.text(cell, &text, Face::Plain, theme.ink);
        }
    }
}

/// Writes paragraphs, wrapped at the area's width, until the area is full.
fn paragraphs<T: AsRef<str>>(canvas: &mut Canvas, area: Area, texts: impl IntoIterator<Item = T>, ink: Color) {
    let fitting = (area.width / Face::Plain.size().0) as usize;
    let mut rows = area.rows(LINE);
    for text in texts {
        for line in wrapped(text.as_ref(), fitting).iter().map(String::as_str).chain([""]) {
            let Some(row) = rows.next() else { return };
            canvas.text(row, line, Face::Plain, ink);
        }
    }
}

/// Breaks a text between words into lines of at most so many letters.
fn wrapped(text: &str, letters: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let Some(line) = lines.last_mut() else { continue };
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= letters {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}

/// Draws a button, or whatever else is a word on a coloured field.
fn button(canvas: &mut Canvas, area: Area, label: &str, color: Color) {
    canvas.fill(area, color);
    let letters = u32::try_from(label.chars().count()).unwrap_or(0);
    canvas.text(
        area.centred(letters * Face::Bold.size().0, area.height),
        label,
        Face::Bold,
        super::scene::ink_on(color),
    );
}
