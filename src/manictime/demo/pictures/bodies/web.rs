//! A browser: tabs, the address, a page.

use dayledger_canvas::{Area, Canvas, Color, Face};

use super::super::super::cast::{LEISURE_PAGES, Use};
use super::super::super::identity::fnv;
use super::super::scene::{LIGHT, Scene};
use super::super::words::{LEISURE, PROSE};
use super::{button, paragraphs};

/// What browsers add to the title of a page.
const SUFFIXES: [&str; 3] = [" — Mozilla Firefox", " - Work - Microsoft Edge", " - Google Chrome"];

pub(super) fn page(canvas: &mut Canvas, body: Area, scene: &Scene) {
    debug_assert_eq!(scene.app().used_for, Use::Browser);
    let title = SUFFIXES.iter().find_map(|suffix| scene.title.strip_suffix(suffix)).unwrap_or(&scene.title);
    // Now and then ManicTime misses the address; the screen does not.
    let address = scene.address().unwrap_or("https://search.example.org/");
    let host = address.split('/').nth(2).unwrap_or(address);
    let (tabs, rest) = body.split_top(34);
    canvas.fill(tabs, [222, 226, 232]);
    for (number, (tab, label)) in tabs.columns(300).zip([title, "Inbox", "Calendar"]).enumerate() {
        let tab = Area { width: tab.width - 6, ..tab };
        canvas.fill(tab, if number == 0 { LIGHT.paper } else { [206, 211, 219] });
        canvas.text(tab.inset(8), label, Face::Small, LIGHT.ink);
    }
    let (bar, page) = rest.split_top(42);
    canvas.fill(bar, LIGHT.paper);
    let field = bar.inset(7).split_left(96).1;
    canvas.text(bar.inset(7).split_left(96).0, "<  >  @", Face::Bold, LIGHT.faint);
    canvas.fill(field, LIGHT.side);
    canvas.text(field.split_left(12).1, address, Face::Plain, LIGHT.ink);
    let (banner, page) = page.split_top(48);
    let [_, _, _, _, _, red, green, blue] = fnv(host).to_be_bytes();
    // Dark enough for white letters, whatever the site's name comes to.
    let color: Color = [red, green, blue].map(|part| part / 2 + 20);
    canvas.fill(banner, color);
    canvas.text(banner.split_left(24).1, host, Face::Large, [255, 255, 255]);
    canvas.fill(page, LIGHT.paper);
    let (head, text) = page.inset(24).split_top(44);
    canvas.text(head, title, Face::Large, LIGHT.ink);
    let at_leisure = LEISURE_PAGES.iter().any(|leisure| leisure.host == host);
    let texts: &[&str] = if at_leisure { &LEISURE } else { &PROSE };
    let (side, text) = text.split_right(250);
    paragraphs(canvas, text.split_right(40).1, scene.scrolled(texts).take(7).map(|text| scene.filled(text)), LIGHT.ink);
    let labels = if at_leisure { ["Share", "Save", "Print"] } else { ["Reply", "Assign", "Close"] };
    for (cell, label) in side.rows(56).zip(labels) {
        button(canvas, Area { height: 40, ..cell }, label, color);
    }
}
