//! The section of a page with thumbnails of screenshots.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use maud::{Markup, html};

use super::super::text::parse_time;
use super::document::section;
use dayledger_activity::{Thumbnail, Thumbnails};

/// Returns the section with thumbnails. If there are no thumbnails, the section contains the reason.
pub(super) fn screenshots(thumbnails: &Thumbnails, is_one_day: bool) -> Markup {
    let (shown, all) = (thumbnails.pictures.len(), thumbnails.screenshots_in_range);
    let content = html! {
        @if thumbnails.pictures.is_empty() {
            p.remark { "No screenshots. " (thumbnails.diagnostics.remediation_hint.as_deref().unwrap_or_default()) }
        } @else {
            @if shown < all { p.remark { (shown) " of " (all) ", spread over the segments." } }
            ul.pictures { @for picture in &thumbnails.pictures { li { (screenshot_figure(picture, is_one_day)) } } }
        }
    };
    section("screenshots", "Screenshots", &content)
}

fn screenshot_figure(picture: &Thumbnail, is_one_day: bool) -> Markup {
    let time = parse_time(&picture.taken.replace(' ', "T"));
    let form = if is_one_day { "%H:%M" } else { "%a %-d %b, %H:%M" };
    let time = time.map_or_else(|| picture.taken.clone(), |time| time.format(form).to_string());
    html! {
        figure {
            img src=(format!("data:{};base64,{}", picture.mime_type, STANDARD.encode(&picture.bytes)))
                alt=(format!("The screen at {time}")) width=(picture.width) height=(picture.height);
            figcaption { (time) }
        }
    }
}
