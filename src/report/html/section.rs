//! A part of a page under a heading.

use maud::{Markup, html};

/// A heading with the section that it names.
pub(super) fn section(id: &str, heading: &str, content: &Markup) -> Markup {
    html! {
        section aria-labelledby=(id) {
            h2 id=(id) { (heading) }
            (content)
        }
    }
}
