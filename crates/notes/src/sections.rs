//! The sections of a processed note: summary, key points, actions and questions.

use std::ops::Range;

use chrono::NaiveDate;
use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use crate::action::{Action, Checkbox, State, states_in};
use crate::refusal::{Code, Refusal};

/// The sections of a processed note. Their headings are defined in docs/notes.md.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sections {
    /// The section `TL;DR`, as Markdown.
    pub summary: Option<String>,
    /// The section `Key Points`. Each list item or line is a point.
    pub key_points: Vec<String>,
    /// The section `Action Items`.
    pub actions: Vec<Action>,
    /// The section `Open Questions`.
    pub questions: Vec<String>,
}

impl Sections {
    /// Reads the sections of a Markdown text.
    ///
    /// The heading of a section has level 1 to 3. Its case doesn't matter, and it may have a number, emphasis and a
    /// colon. A section ends at the next heading of the same or a higher level. Reading stops at the heading `Raw
    /// Notes`. Sections with the same heading are combined. `day` is the note's day: see [`Action::read`].
    ///
    /// # Errors
    ///
    /// `PARSE_ERROR` if the text has none of the four sections.
    pub fn read(markdown: &str, day: Option<NaiveDate>) -> Result<Self, Refusal> {
        let (parts, _) = parts(markdown);
        if parts.is_empty() {
            return Err(Refusal::new(
                Code::ParseError,
                "the text has none of the sections `## TL;DR`, `## Key Points`, `## Action Items` and `## Open Questions`; \
                 add at least one of them as a heading",
            ));
        }
        let mut sections = Self::default();
        for (section, body) in parts {
            let body = &markdown[body];
            match section {
                Section::Summary => {
                    let more = body.trim();
                    let summary = sections.summary.get_or_insert_default();
                    if !summary.is_empty() && !more.is_empty() {
                        summary.push_str("\n\n");
                    }
                    summary.push_str(more);
                }
                Section::KeyPoints => sections.key_points.extend(items(body).into_iter().map(|item| item.text)),
                Section::OpenQuestions => sections.questions.extend(items(body).into_iter().map(|item| item.text)),
                Section::ActionItems => {
                    sections.actions.extend(items(body).iter().filter_map(|item| item.action(day)));
                }
            }
        }
        Ok(sections)
    }
}

/// Ticks the open actions of a record if the same actions are done or cancelled in `earlier`. `earlier` contains the
/// actions of the note's earlier record. `day` is the note's day.
pub(crate) fn with_ticks(record: &str, earlier: &[Action], day: Option<NaiveDate>) -> String {
    let mut ticked = record.to_owned();
    let (mut actions, mut places) = (Vec::new(), Vec::new());
    for (_, body) in parts(record).0.into_iter().filter(|(section, _)| matches!(section, Section::ActionItems)) {
        for item in items(&record[body.clone()]) {
            let Some(action) = item.action(day) else { continue };
            actions.push(action);
            let place = item.box_place(&record[body.clone()]);
            places.push(place.map(|place| body.start + place.start..body.start + place.end));
        }
    }
    let states = states_in(&actions, earlier);
    // The last replacement is made first, because each replacement moves the text after it.
    for ((action, place), state) in actions.iter().zip(places).zip(states).rev() {
        let Some((place, state)) = place.zip(state.filter(|state| *state != State::Open)) else { continue };
        if action.is_open() {
            let blank = if place.is_empty() { " " } else { "" };
            ticked.replace_range(place, &format!("{}{blank}", Checkbox::from(state)));
        }
    }
    ticked
}

/// Splits a text at the heading `Raw Notes`. Returns the text above the heading and the text below it.
pub(crate) fn split_raw_notes(markdown: &str) -> (&str, Option<&str>) {
    match parts(markdown).1 {
        Some(heading) => (&markdown[..heading.start], Some(&markdown[heading.end..])),
        None => (markdown, None),
    }
}

#[derive(Debug, Clone, Copy)]
enum Section {
    Summary,
    KeyPoints,
    ActionItems,
    OpenQuestions,
}

/// The kind of a heading in a record.
enum HeadingKind {
    Section(Section),
    RawNotes,
    Something,
}

fn heading_kind(heading: &str, level: HeadingLevel) -> HeadingKind {
    if level > HeadingLevel::H3 {
        return HeadingKind::Something;
    }
    let numbered = heading.trim_start_matches(|letter: char| letter.is_ascii_digit());
    // A dot or bracket is removed only after a number, as in `2. Key Points`.
    let unnumbered = if numbered.len() < heading.len() { numbered.trim_start_matches(['.', ')']) } else { heading };
    match unnumbered.trim_matches(|letter: char| letter.is_whitespace() || letter == ':').to_lowercase().as_str() {
        "tl;dr" | "tldr" => HeadingKind::Section(Section::Summary),
        "key points" => HeadingKind::Section(Section::KeyPoints),
        "action items" => HeadingKind::Section(Section::ActionItems),
        "open questions" => HeadingKind::Section(Section::OpenQuestions),
        "raw notes" => HeadingKind::RawNotes,
        _ => HeadingKind::Something,
    }
}

/// A heading outside of block quotes and lists.
pub(crate) struct Heading {
    level: HeadingLevel,
    pub(crate) text: String,
    place: Range<usize>,
}

/// Returns the headings of Markdown in order, without emphasis. Headings in block quotes and lists are skipped. A line
/// break in a heading becomes a space.
pub(crate) fn headings(markdown: &str) -> impl Iterator<Item = Heading> {
    let (mut depth, mut text) = (0_usize, None::<String>);
    Parser::new_ext(markdown, Options::empty()).into_offset_iter().filter_map(move |(event, place)| {
        match event {
            Event::Start(Tag::Heading { .. }) if depth == 0 => text = Some(String::new()),
            Event::End(TagEnd::Heading(level)) => {
                return text.take().map(|text| Heading { level, text: text.trim().to_owned(), place });
            }
            Event::Text(part) | Event::Code(part) => text.iter_mut().for_each(|text| text.push_str(&part)),
            Event::SoftBreak | Event::HardBreak => text.iter_mut().for_each(|text| text.push(' ')),
            Event::Start(Tag::List(_) | Tag::BlockQuote(_)) => depth += 1,
            Event::End(TagEnd::List(_) | TagEnd::BlockQuote(_)) => depth = depth.saturating_sub(1),
            _ => {}
        }
        None
    })
}

/// A section, and the byte range of the text below its heading.
type Part = (Section, Range<usize>);

/// Returns the byte range of the text below each section heading. Also returns the byte range of the heading `Raw
/// Notes`.
fn parts(markdown: &str) -> (Vec<Part>, Option<Range<usize>>) {
    let mut parts = Vec::new();
    let mut open: Option<(Section, HeadingLevel, usize)> = None;
    for Heading { level, text, place } in headings(markdown) {
        let begun = heading_kind(&text, level);
        let is_below = open.is_some_and(|(_, above, _)| level > above);
        if matches!(begun, HeadingKind::Something) && is_below {
            continue;
        }
        if let Some((section, _, from)) = open.take() {
            parts.push((section, from..place.start));
        }
        match begun {
            HeadingKind::Section(section) => open = Some((section, level, place.end)),
            // If the heading `Raw Notes` is above all sections, it is the title of the note.
            HeadingKind::RawNotes if !parts.is_empty() => return (parts, Some(place)),
            HeadingKind::RawNotes | HeadingKind::Something => {}
        }
    }
    if let Some((section, _, from)) = open {
        parts.push((section, from..markdown.len()));
    }
    (parts, None)
}

/// An item of a list, or a line outside of lists.
#[derive(Debug)]
struct Item {
    text: String,
    checkbox: Option<Checkbox>,
    /// The number of lists that contain the item: 0 outside of lists.
    depth: usize,
    /// The byte range of the item in the section.
    place: Range<usize>,
}

impl Item {
    fn parse(body: &str, place: Range<usize>, depth: usize) -> Option<Self> {
        let line = body[place.clone()].split_whitespace().collect::<Vec<_>>().join(" ");
        let is_listed = depth > 0;
        let unlisted = strip_bullet(&line);
        let is_listed = is_listed || unlisted.len() < line.len();
        let (checkbox, text) = Checkbox::split(unlisted).map_or((None, unlisted), |(found, text)| (Some(found), text));
        let says_nothing = ["", "none", "n/a", "nothing"]
            .iter()
            .any(|word| text.trim_matches(['*', '_', '.', ' ']).eq_ignore_ascii_case(word));
        let depth = if is_listed { depth.max(1) } else { 0 };
        (!says_nothing).then(|| Self { text: text.trim().to_owned(), checkbox, depth, place })
    }

    /// Returns the item as an action. An item without a checkbox is an action only in a list at the top level. In a
    /// nested list, such an item is a detail of its parent item.
    fn action(&self, day: Option<NaiveDate>) -> Option<Action> {
        let checkbox = self.checkbox.unwrap_or(Checkbox::from(State::Open));
        (self.checkbox.is_some() || self.depth == 1).then(|| Action::read(&self.text, checkbox, day))
    }

    /// Returns the byte range of the item's checkbox. If the item has no checkbox, returns the empty range after its
    /// bullet, at which a checkbox can be inserted.
    fn box_place(&self, body: &str) -> Option<Range<usize>> {
        let item = &body[self.place.clone()];
        if self.checkbox.is_none() {
            let text = strip_bullet(item.trim_start());
            let start = self.place.start + item.len() - text.len();
            return (text.len() < item.trim_start().len()).then_some(start..start);
        }
        let start = self.place.start + item.find('[')?;
        let length = body[start..].find(']')? + 1;
        Some(start..start + length)
    }
}

fn strip_bullet(line: &str) -> &str {
    if let Some(rest) = ["- ", "* ", "+ ", "• "].iter().find_map(|bullet| line.strip_prefix(bullet)) {
        return rest;
    }
    let rest = line.trim_start_matches(|letter: char| letter.is_ascii_digit());
    let numbered =
        if rest.len() < line.len() { rest.strip_prefix(". ").or_else(|| rest.strip_prefix(") ")) } else { None };
    numbered.unwrap_or(line)
}

/// Splits a list item at lines that begin with `•`, because Markdown doesn't recognise this bullet.
fn split_items(body: &str, place: Range<usize>, depth: usize) -> Vec<Item> {
    let mut starts = vec![place.start];
    let mut at = place.start;
    for line in body[place.clone()].split_inclusive('\n') {
        if at > place.start && line.trim_start().starts_with("• ") {
            starts.push(at);
        }
        at += line.len();
    }
    starts.push(at);
    starts.windows(2).filter_map(|piece| Item::parse(body, piece[0]..piece[1], depth)).collect()
}

fn items(body: &str) -> Vec<Item> {
    let mut items = Vec::new();
    // The open list items, outermost first. The value is the start of the item's own text, or `None` after this text
    // has ended.
    let mut open: Vec<Option<usize>> = Vec::new();
    for (event, place) in Parser::new_ext(body, Options::empty()).into_offset_iter() {
        match event {
            Event::Start(Tag::Item) => open.push(Some(place.start)),
            Event::Start(Tag::List(_)) => {
                if let Some(from) = open.last_mut().and_then(Option::take) {
                    items.extend(split_items(body, from..place.start, open.len()));
                }
            }
            Event::End(TagEnd::Item) => {
                let depth = open.len();
                if let Some(from) = open.pop().flatten() {
                    items.extend(split_items(body, from..place.end, depth));
                }
            }
            Event::Start(Tag::Paragraph) if open.is_empty() => {
                let mut at = place.start;
                for line in body[place].split_inclusive('\n') {
                    items.extend(Item::parse(body, at..at + line.len(), 0));
                    at += line.len();
                }
            }
            _ => {}
        }
    }
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(markdown: &str) -> Result<Sections, Refusal> {
        Sections::read(markdown, None)
    }

    fn texts(actions: &[Action]) -> Vec<&str> {
        actions.iter().map(|action| action.text.as_str()).collect()
    }

    const ALL: &str = "# T\n\n## TL;DR\nShort.\n\nAnd sweet.\n\n## Key Points\n- one\n  and more\n* two\n\n## Action Items\n\
                       - [ ] Do — @alice\n- [x] Done — bob\n- [ ] Check — **owner: me, urgent**\n\n## Open Questions\n\
                       - why?\n\n## Raw Notes\n> r\n## Action Items\n- [ ] not one\n";

    #[test]
    fn each_section_is_read_and_nothing_after_the_raw_notes() {
        for text in [ALL.to_owned(), ALL.replace('\n', "\r\n"), ALL.replace("## ", "### "), ALL.replace("# T\n\n", "")]
        {
            let sections = read(&text).unwrap();
            assert_eq!(sections.summary.unwrap().replace('\r', ""), "Short.\n\nAnd sweet.");
            assert_eq!(sections.key_points, ["one and more", "two"]);
            assert_eq!(sections.questions, ["why?"]);
            let action = |text: &str, owner: &str, done, urgent| Action {
                text: text.to_owned(),
                owner: Some(owner.to_owned()),
                state: if done { State::Done } else { State::Open },
                urgent,
                due: None,
            };
            let [alice, bob, own] = [
                action("Do", "alice", false, false),
                action("Done", "bob", true, false),
                action("Check", "self", false, true),
            ];
            assert_eq!(sections.actions, [alice, bob, own]);
        }
    }

    #[test]
    fn a_text_that_begins_with_its_only_section_is_read() {
        assert_eq!(read("## TL;DR\nx").unwrap().summary.as_deref(), Some("x"));
        assert_eq!(read("## TL;DR").unwrap().summary.as_deref(), Some(""));
    }

    #[test]
    fn headings_are_known_however_models_write_them() {
        for heading in ["# ACTION ITEMS", "### 3. **Action Items**:", "## **Action items:**", "## 3) action items ##"] {
            assert_eq!(texts(&read(&format!("{heading}\n1. x")).unwrap().actions), ["x"], "{heading}");
        }
        for other in
            ["#### Action Items\n- x", "Action Items\n- x", "> ## Action Items\n> - x", "```\n## TL;DR\n```", ""]
        {
            assert_eq!(read(other).unwrap_err().code, Code::ParseError, "{other}");
        }
    }

    #[test]
    fn a_section_ends_at_the_next_heading_that_is_not_below_it() {
        let read = read("## Key Points\n### Tools\n- a\n### Time\n- b\nc\n\nd\n## Mood\n- e").unwrap();
        assert_eq!(read.key_points, ["a", "b c", "d"]);
    }

    #[test]
    fn a_bullet_that_markdown_does_not_know_begins_an_item() {
        let read = read("## Action Items\n- [ ] a\n• [x] b\n• c\n  and more\n## Key Points\n• d\n• e\n- f\n• g");
        let read = read.unwrap();
        assert_eq!(texts(&read.actions), ["a", "b", "c and more"]);
        assert!(!read.actions[1].is_open() && read.actions[2].is_open());
        assert_eq!(read.key_points, ["d", "e", "f", "g"]);
    }

    #[test]
    fn details_below_an_action_are_not_actions_unless_they_have_a_box() {
        let read =
            read("## Action Items\n- Do\n  - how\n  - [x] First\n\n    - [ ] Second\n\n• Third\nFor later.\n\n- None")
                .unwrap();
        assert_eq!(texts(&read.actions), ["Do", "First", "Second", "Third"]);
        assert!(!read.actions[1].is_open() && read.actions[2].is_open());
    }

    #[test]
    fn ticks_of_an_earlier_record_are_kept() {
        let earlier =
            read("## Action Items\n- [x] one — @bo\n- [-] two\n- [ ] three\n- [x] one more\n- [x] both\n- [ ] both")
                .unwrap()
                .actions;
        let record = "## TL;DR\n- [ ] one\n## Action Items\n\n- [ ] one (due: 2026-12-01)\n* [] two\n- [ ] three\n- [ ] both\n  1. [ ] one more\n\
                      - one\n## Notes\n- [ ] one\n";
        let ticked = "## TL;DR\n- [ ] one\n## Action Items\n\n- [x] one (due: 2026-12-01)\n* [-] two\n- [ ] three\n- [ ] both\n  1. [x] one more\n\
                      - [x] one\n## Notes\n- [ ] one\n";
        assert_eq!(with_ticks(record, &earlier, None), ticked);
        assert_eq!(with_ticks(record, &[], None), record);
    }

    #[test]
    fn raw_notes_begin_at_their_heading_and_not_in_a_code_fence() {
        let text = "## TL;DR\nx\n```\n## Raw Notes\n```\n### **Raw notes:**\n\nbody\n";
        assert_eq!(split_raw_notes(text), ("## TL;DR\nx\n```\n## Raw Notes\n```\n", Some("\nbody\n")));
        for text in ["## TL;DR\nx", "# Raw Notes\n\n## TL;DR\nx"] {
            assert_eq!(split_raw_notes(text), (text, None));
        }
    }
}
