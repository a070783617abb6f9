//! Programs for people who write programs.

use dayledger_canvas::{Area, Canvas, Color, Face};

use super::super::super::screen::file_name;
use super::super::scene::{DARK, LIGHT, Scene, Theme};
use super::super::words::{CURLY, LOG, PLAIN, PROSE, PYTHON, RUST, SERVER, SQL, TESTS};
use super::{LINE, button, side_list, table};

const KEYWORDS: [&str; 33] = [
    "pub", "fn", "let", "mut", "impl", "for", "in", "if", "else", "return", "public", "private", "static", "class",
    "const", "record", "var", "bool", "new", "export", "def", "lambda", "SELECT", "FROM", "WHERE", "AND", "GROUP",
    "ORDER", "BY", "LIMIT", "AS", "DESC", "self",
];

/// Files at the left, the open one with line numbers, a status line.
pub(super) fn editor(canvas: &mut Canvas, body: Area, scene: &Scene) {
    let theme = if scene.app().name == "Microsoft Visual Studio" { LIGHT } else { DARK };
    let project = scene.project();
    let chosen = project.sources.iter().position(|source| scene.title.contains(file_name(source)));
    let source = project.sources[chosen.unwrap_or(0)];
    let files = project.sources.iter().map(|source| file_name(source));
    let rest = side_list(canvas, body, project.repository, files, chosen.unwrap_or(0), theme);
    let (tab, rest) = rest.split_top(32);
    canvas.fill(tab, theme.side);
    let (front, _) = tab.split_left(260);
    canvas.fill(front, theme.paper);
    canvas.text(front.split_left(14).1, file_name(source), Face::Plain, theme.ink);
    let (status, text) = rest.split_bottom(26);
    canvas.fill(text, theme.paper);
    canvas.fill(status, scene.color());
    let first = scene.pick(2, 180) + 1;
    let position = format!("  work   Ln {}, Col 9   UTF-8   0 errors, 1 warning", first + 7);
    canvas.text(status, &position, Face::Small, super::super::scene::ink_on(scene.color()));
    let lines = lines_of(source);
    for ((row, line), number) in text.inset(6).rows(LINE).zip(scene.scrolled(lines)).zip(first..) {
        let (gutter, row) = row.split_left(56);
        canvas.text(gutter, &format!("{number:>4}"), Face::Plain, theme.faint);
        code_line(canvas, row, &scene.filled(line), theme);
    }
}

fn lines_of(source: &str) -> &'static [&'static str] {
    match source.rsplit('.').next() {
        Some("rs") => &RUST,
        Some("cs" | "tsx" | "css") => &CURLY,
        Some("py" | "ipynb") => &PYTHON,
        Some("sql") => &SQL,
        Some("md" | "html") => &PROSE,
        _ => &PLAIN,
    }
}

/// Writes a line of code, keywords, texts, numbers and comments each in a colour.
fn code_line(canvas: &mut Canvas, row: Area, line: &str, theme: Theme) {
    let green: Color = [98, 158, 96];
    let is_comment = ["//", "#", "--"].iter().any(|mark| line.trim_start().starts_with(mark));
    let mut rest = row;
    for word in line.split_inclusive([' ', '(', ')', '.', ',', ';']) {
        let bare = word.trim_end_matches([' ', '(', ')', '.', ',', ';']);
        let color = if is_comment {
            green
        } else if KEYWORDS.contains(&bare) {
            theme.accent
        } else if bare.contains('"') {
            [206, 132, 92]
        } else if bare.starts_with(|letter: char| letter.is_ascii_digit()) {
            [150, 120, 200]
        } else {
            theme.ink
        };
        let letters = u32::try_from(word.chars().count()).unwrap_or(0);
        let (cell, next) = rest.split_left(letters * Face::Plain.size().0);
        canvas.text(cell, word, Face::Plain, color);
        rest = next;
    }
}

pub(super) fn terminal(canvas: &mut Canvas, body: Area, scene: &Scene) {
    let paper = if scene.app().name == "Windows PowerShell" { [1, 36, 86] } else { [14, 16, 20] };
    canvas.fill(body, paper);
    let lines: &[&str] = match scene.title.as_str() {
        "git log" => &LOG,
        title if title.starts_with("ssh") => &SERVER,
        _ => &TESTS,
    };
    let passed: Color = [120, 200, 120];
    for (row, line) in body.inset(12).rows(LINE).zip(scene.scrolled(lines)) {
        let color = match line {
            line if line.contains("FAILED") => [240, 120, 110],
            line if line.ends_with("ok") => passed,
            line if line.starts_with('*') || line.starts_with("PS") || line.starts_with("deploy@") => [240, 210, 120],
            _ => DARK.ink,
        };
        canvas.text(row, &scene.filled(line), Face::Plain, color);
    }
}

/// A statement above, its rows below.
pub(super) fn database(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, LIGHT.paper);
    let tables = ["customers", "dunning", "invoices", "lines", "payments", "rates"];
    let rest = side_list(canvas, body, "public", tables, 2, LIGHT);
    let (text, rows) = rest.split_top(260);
    for (row, line) in text.inset(12).rows(LINE).zip(SQL) {
        code_line(canvas, row, &scene.filled(line), LIGHT);
    }
    let results = (1..).map(|row: usize| {
        let open = scene.pick(row, 90_000);
        [
            row.to_string(),
            format!("customer {}", 200 + scene.pick(row + 60, 90)),
            (2 + row % 3).to_string(),
            amount(open),
        ]
    });
    table(canvas, rows.inset(8), [60, 280, 120, 300], ["#", "customer", "level", "open"], results, LIGHT);
}

fn amount(cents: usize) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}

pub(super) fn api_client(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, LIGHT.paper);
    let rest = side_list(canvas, body, scene.project().repository, ["login", "list", "create", "export"], 1, LIGHT);
    let (request, answer) = rest.inset(14).split_top(38);
    let (method, address) = request.split_left(80);
    button(canvas, method, "GET", [64, 150, 90]);
    canvas.outline(address, LIGHT.faint);
    let url = format!("http://localhost:8080/{}/items?page={}", scene.project().repository, scene.pick(3, 9));
    canvas.text(address.split_left(10).1, &url, Face::Plain, LIGHT.ink);
    let (state, text) = answer.split_top(40);
    canvas.text(state, "200 OK   38 ms   1.2 kB", Face::Bold, [64, 150, 90]);
    let items = (1..).flat_map(|item: usize| {
        let id = 4_000 + scene.pick(item, 900);
        [
            "  {".to_owned(),
            format!("    \"id\": {id},"),
            format!("    \"open\": {},", amount(id * 7)),
            "  },".to_owned(),
        ]
    });
    for (row, line) in text.rows(LINE).zip(items) {
        code_line(canvas, row, &line, LIGHT);
    }
}

pub(super) fn containers(canvas: &mut Canvas, body: Area, scene: &Scene) {
    canvas.fill(body, LIGHT.paper);
    let rest = side_list(canvas, body, "Docker Desktop", ["Containers", "Images", "Volumes", "Builds"], 0, LIGHT);
    let rows = ["api", "worker", "postgres", "mailbox", "proxy"].into_iter().enumerate().map(|(number, name)| {
        let state = if number == 3 { "Exited (0)" } else { "Running" };
        [format!("{}-{name}", scene.project().repository), state.to_owned(), format!("{}", 8_080 + number)]
    });
    table(canvas, rest.inset(14), [360, 180, 120], ["Name", "Status", "Port"], rows, LIGHT);
}
