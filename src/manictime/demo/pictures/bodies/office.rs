//! Papers: sheets, letters, slides, notes.

use dayledger_canvas::{Area, Canvas, Face};

use super::super::super::screen::file_name;
use super::super::scene::{LIGHT, Scene, ink_on};
use super::super::words::{GOODS, PROSE};
use super::{LINE, paragraphs, side_list};

/// Returns the name of the paper without its ending.
fn heading(scene: &Scene) -> &str {
    let name = scene.address().map_or(scene.title.as_str(), file_name);
    name.split_once('.').map_or(name, |(name, _)| name)
}

/// Draws a row of menus in the colour of the application, and returns the rest.
fn menus(canvas: &mut Canvas, body: Area, scene: &Scene) -> Area {
    let (bar, rest) = body.split_top(30);
    canvas.fill(bar, scene.color().map(|part| part.saturating_add(24)));
    let ink = ink_on(scene.color().map(|part| part.saturating_add(24)));
    canvas.text(bar.split_left(12).1, "File   Home   Insert   Layout   Review   View", Face::Plain, ink);
    rest
}

pub(super) fn sheet(canvas: &mut Canvas, body: Area, scene: &Scene) {
    let rest = menus(canvas, body, scene);
    canvas.fill(rest, LIGHT.paper);
    let chosen = (scene.pick(1, 12) + 2, scene.pick(2, 4) + 1);
    for (number, row) in rest.rows(26).enumerate() {
        let (gutter, cells) = row.split_left(44);
        canvas.fill(gutter, LIGHT.side);
        if number > 0 {
            canvas.text(gutter.inset(6), &number.to_string(), Face::Small, LIGHT.faint);
        } else {
            canvas.fill(cells, LIGHT.side);
        }
        let (first, others) = cells.split_left(220);
        let letters = ('A'..='Z').map(String::from);
        let quarter = |column: usize| scene.pick(number * 7 + column, 9_000);
        for ((column, cell), letter) in [first].into_iter().chain(others.columns(110)).enumerate().zip(letters) {
            let text = match (number, column) {
                (0, _) => letter,
                (1, 0) => heading(scene).to_owned(),
                (1 | 2, _) => {
                    ["", "Q1", "Q2", "Q3", "Q4", "Sum"].get(column * (number - 1)).copied().unwrap_or("").to_owned()
                }
                (_, 0) => GOODS[(number + scene.pick(3, 12)) % GOODS.len()].to_owned(),
                (_, 1..=4) => format!("{:>9}", quarter(column)),
                (_, 5) => format!("{:>9}", (1..=4).map(quarter).sum::<usize>()),
                _ => String::new(),
            };
            canvas.outline(Area { width: cell.width + 1, height: cell.height + 1, ..cell }, [218, 222, 228]);
            let face = if number == 2 || column == 0 { Face::Bold } else { Face::Plain };
            canvas.text(Area::new(cell.left + 6, cell.top, cell.width - 6, cell.height), &text, face, LIGHT.ink);
            if (number, column) == chosen {
                canvas.outline(cell, scene.color());
                canvas.outline(cell.inset(1), scene.color());
            }
        }
    }
}

/// A page of paper on grey, as writers and readers show it.
pub(super) fn letter(canvas: &mut Canvas, body: Area, scene: &Scene) {
    let rest = menus(canvas, body, scene);
    canvas.fill(rest, [206, 209, 214]);
    let page = rest.centred(820, rest.height - 24);
    canvas.fill(page, LIGHT.paper);
    canvas.outline(page, [170, 174, 180]);
    let (head, text) = page.inset(56).split_top(56);
    canvas.text(head, heading(scene), Face::Large, scene.color());
    paragraphs(canvas, text, scene.scrolled(&PROSE).take(8).map(|text| scene.filled(text)), LIGHT.ink);
}

pub(super) fn slide(canvas: &mut Canvas, body: Area, scene: &Scene) {
    let rest = menus(canvas, body, scene);
    canvas.fill(rest, [206, 209, 214]);
    let (side, stage) = rest.split_left(200);
    let shown = scene.pick(usize::try_from(scene.moment.utc / 240).unwrap_or(0), 5);
    for (number, cell) in side.rows(118).enumerate() {
        let small = cell.inset(10);
        canvas.fill(small, LIGHT.paper);
        canvas.fill(small.split_top(18).0, scene.color());
        canvas.text(small.split_bottom(20).0, &format!(" {}", number + 1), Face::Small, LIGHT.ink);
        if number == shown {
            canvas.outline(cell.inset(7), scene.color());
        }
    }
    let page = stage.centred(stage.width - 60, (stage.width - 60) * 9 / 16);
    canvas.fill(page, LIGHT.paper);
    let (banner, text) = page.split_top(96);
    canvas.fill(banner, scene.color());
    canvas.text(banner.inset(24), heading(scene), Face::Heading, ink_on(scene.color()));
    let topics = scene.project().topics.iter().copied().chain(["Dates and open questions"]);
    for (row, topic) in text.inset(30).rows(54).zip(topics) {
        canvas.fill(row.split_left(12).0.centred(12, 12), scene.color());
        canvas.text(row.split_left(30).1, topic, Face::Large, LIGHT.ink);
    }
}

pub(super) fn notes(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, LIGHT.paper);
    let pages = ["Daily note", "Decisions", "Open questions", "Meeting notes"];
    let chosen = pages.iter().position(|page| scene.title.starts_with(page)).unwrap_or(0);
    let rest = side_list(canvas, body, scene.project().client, pages, chosen, LIGHT);
    let (head, text) = rest.inset(28).split_top(52);
    canvas.text(head, pages[chosen], Face::Heading, LIGHT.ink);
    let lines = scene.project().topics.iter().map(|topic| format!("[ ] {topic}"));
    let (tasks, text) = text.split_top(LINE * 6);
    for (row, line) in tasks.rows(LINE).zip(lines) {
        canvas.text(row, &line, Face::Plain, scene.color());
    }
    paragraphs(canvas, text, scene.scrolled(&PROSE).take(6).map(|text| scene.filled(text)), LIGHT.ink);
}
