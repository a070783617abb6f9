//! Action items. The owner, the due date, the state and the urgency of an action are read from its line in the note.

use std::collections::HashMap;
use std::fmt;
use std::sync::LazyLock;

use chrono::NaiveDate;
use regex::{Captures, Regex};
use serde::Serialize;

use crate::due::Due;

/// The owner's name in actions that the author of the notes owns.
pub const SELF: &str = "self";

/// Words with which the authors of notes refer to themselves.
const AUTHOR_WORDS: [&str; 4] = ["me", "i", "self", "myself"];

/// A regular expression for a name after `@`.
const MENTION: &str = r"@[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_.'’-]*[\p{L}\p{M}\p{N}_])?";

/// A regular expression for a name without `@`. The name begins with a capital letter and continues in small letters.
const NAME: &str = r"(?:Mc)?\p{Lu}(?:['’]\p{Lu})?[\p{Ll}\p{M}]+(?:-\p{Lu}[\p{Ll}\p{M}]+)?";

/// Words that can be before a colon or in brackets, as an owner can, but are not names.
const LABELS: &str = "ASAP Action Afternoon Agenda April August Backend Before Blocked Blocker Bug Budget Chore Deadline December \
    Decision Design Docs Done Due EOD EOW Evening Example February Fri Feature Fix Follow Friday Frontend Goal Idea Important Issue January \
    July June Later March May Maybe Meeting Mon Monday Morning Never Next Note Notes November Now October Open Optional Owner Problem Question Ref \
    Refactor Release Reminder Review Risk Sat Saturday See September Soon Step Sun Sunday TBD Task Test Thu Thursday Tip \
    Today Todo Tomorrow Tonight Topic Tue Tuesday Update Urgent WIP Waiting Warning Website Wed Wednesday Week Weekend";

/// The state of a task, which its checkbox shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum State {
    /// The checkbox is `[ ]`, `[]`, `[/]` (in progress), `[>]` (moved) or `[!]` (important).
    #[default]
    Open,
    /// The checkbox is `[x]`.
    Done,
    /// The checkbox is `[-]`.
    Cancelled,
}

/// The checkbox of a task: `[ ]`, `[x]`, or one of Obsidian's variants, such as `[/]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Checkbox(char);

impl Checkbox {
    /// Splits a text that begins with a checkbox into the checkbox and the remaining text.
    pub(crate) fn split(text: &str) -> Option<(Self, &str)> {
        let inside = text.strip_prefix('[')?;
        let (mark, rest) = if let Some(rest) = inside.strip_prefix(']') {
            (' ', rest)
        } else {
            let mark = inside.chars().next().filter(|mark| " xX/!>-".contains(*mark))?;
            (mark, inside[mark.len_utf8()..].strip_prefix(']')?)
        };
        // A box without a blank after it can be a link, such as `[x](page.md)`.
        rest.starts_with([' ', '\t']).then(|| (Self(mark), rest.trim_start()))
    }

    /// Returns the state that the checkbox shows.
    pub fn state(self) -> State {
        match self.0 {
            'x' | 'X' => State::Done,
            '-' => State::Cancelled,
            _ => State::Open,
        }
    }

    /// Whether the checkbox marks the task as important.
    pub fn is_urgent(self) -> bool {
        self.0 == '!'
    }
}

impl fmt::Display for Checkbox {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "[{}]", self.0.to_ascii_lowercase())
    }
}

impl From<State> for Checkbox {
    fn from(state: State) -> Self {
        Self(match state {
            State::Open => ' ',
            State::Done => 'x',
            State::Cancelled => '-',
        })
    }
}

/// An action item of a processed note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// The task, without the text for the owner, the due date and the urgency.
    pub text: String,
    /// The owner, if any: [`SELF`], or a name as written in the note.
    pub owner: Option<String>,
    /// Whether the action is open, done or cancelled.
    pub state: State,
    /// Whether the action is marked as urgent.
    pub urgent: bool,
    /// The due date, if any.
    pub due: Option<NaiveDate>,
}

impl Action {
    /// Reads an action from a line without its bullet and its checkbox. docs/notes.md lists the forms.
    ///
    /// `day` is the day of the note. For example, `due Friday` means the first Friday after this day. If `day` is
    /// `None`, a date such as `due Friday` stays in the text.
    pub fn read(line: &str, checkbox: Checkbox, day: Option<NaiveDate>) -> Self {
        let mut text = line.trim().to_owned();
        // The owner is at the start or at the end of the text. Urgency, dates and fields can be before an owner at the
        // start, or after an owner at the end. So they are removed first.
        let mut urgent = take_urgency(&mut text) | checkbox.is_urgent();
        remove_other_dates(&mut text);
        let mut due = Due::take(&mut text, day);
        let mut owner = take_field(&mut text, &OWNER_FIELD);
        urgent |= take_field(&mut text, &PRIORITY_FIELD).is_some_and(|priority| is_high(&priority));
        if owner.is_none() {
            owner = take_first_owner(&mut text);
        }
        if owner.is_none()
            && let Some(assigned) = take_last_owner(&mut text)
        {
            owner = assigned.owner;
            urgent |= assigned.urgent;
        }
        due.put_back(&mut text);
        if text.is_empty() {
            // The line has only a date or a mark, for example. The whole text of the line is kept, because an action
            // without a text would not be listed.
            line.trim().clone_into(&mut text);
        }
        Self { text, owner: owner.as_deref().and_then(canonical_owner), state: checkbox.state(), urgent, due: due.day }
    }

    /// Whether the action still has to be done.
    pub fn is_open(&self) -> bool {
        self.state == State::Open
    }

    /// Returns the text for comparison with other lists: in small letters, without emphasis, due date and final full
    /// stop.
    fn wording(&self) -> String {
        let mut text = self.text.replace(['*', '_', '`'], "").to_lowercase();
        // The value of the removed date isn't used, so any day can be the reference day.
        let _due = Due::take(&mut text, NaiveDate::from_ymd_opt(2024, 1, 1));
        text.trim_end_matches(['.', ' ']).to_owned()
    }

    /// Whether `person` owns the action, ignoring case. `names` are the names of the author. `me`, `self` and each of
    /// `names` mean the author.
    pub fn is_owned_by(&self, person: &str, names: &[String]) -> bool {
        let canonical = |name: &str| {
            let name = canonical_owner(name)?.to_lowercase();
            Some(if names.iter().any(|own| own.to_lowercase() == name) { SELF.to_owned() } else { name })
        };
        let Some(asked) = canonical(person) else { return false };
        let owner = self.owner.as_deref().unwrap_or_default();
        canonical(owner).is_some_and(|owner| owner == asked)
            || owner.split([',', '&']).any(|one| canonical(one).is_some_and(|one| one == asked))
    }
}

/// Returns, for each of `actions`, the state of the same action in `others`. The same action can have another due date
/// and a slightly different wording in `others`.
///
/// Actions with the same wording and owner match. If an action has no such match, actions with the same wording and
/// other owners match. If both lists contain an action equally often, its copies are matched in order. Otherwise, the
/// state is that of the first match. But if some matches are open and some are closed, the state is `None`.
pub(crate) fn states_in(actions: &[Action], others: &[Action]) -> Vec<Option<State>> {
    let by_owner = |action: &Action| {
        format!("{}\n{}", action.wording(), action.owner.as_deref().unwrap_or_default().to_lowercase())
    };
    let by_wording = match_states(actions, others, Action::wording);
    match_states(actions, others, by_owner)
        .into_iter()
        .zip(by_wording)
        .map(|(owned, worded)| owned.or(worded))
        .collect()
}

fn match_states(actions: &[Action], others: &[Action], key: impl Fn(&Action) -> String) -> Vec<Option<State>> {
    let mut places: HashMap<String, Vec<usize>> = HashMap::new();
    for (place, action) in actions.iter().enumerate() {
        places.entry(key(action)).or_default().push(place);
    }
    let mut states: HashMap<String, Vec<State>> = HashMap::new();
    for other in others {
        states.entry(key(other)).or_default().push(other.state);
    }
    let mut matched = vec![None; actions.len()];
    for (key, places) in &places {
        let Some((first, more)) = states.get(key).and_then(|states| states.split_first()) else { continue };
        let is_open = |state: &State| *state == State::Open;
        let do_agree = more.iter().all(|state| is_open(state) == is_open(first));
        let in_order = [first].into_iter().chain(more).map(Some);
        for (place, state) in places.iter().zip(in_order.chain(std::iter::repeat(None))) {
            let state = if places.len() == more.len() + 1 { state } else { Some(first).filter(|_| do_agree) };
            matched[*place] = state.copied();
        }
    }
    matched
}

/// Returns an owner without `@`, or `None` if the name is empty. Names for the author, such as `me`, become [`SELF`].
pub(crate) fn canonical_owner(written: &str) -> Option<String> {
    let name = written.trim().trim_start_matches('@').trim();
    let is_self = AUTHOR_WORDS.iter().any(|word| word.eq_ignore_ascii_case(name));
    (!name.is_empty()).then(|| if is_self { SELF.to_owned() } else { name.to_owned() })
}

static OWNER_FIELD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\s*[\[(](?:owner|assignee)::\s*([^\])]*)[\])]").ok());
static PRIORITY_FIELD: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"(?i)\s*[\[(]priority::\s*([^\])]*)[\])]").ok());

/// Removes an inline field such as `[owner:: Bo]` from a text and returns its value.
fn take_field(text: &mut String, field: &LazyLock<Option<Regex>>) -> Option<String> {
    let (place, value) = {
        let found = field.as_ref()?.captures(text)?;
        (found.get(0)?.range(), found.get(1)?.as_str().trim().to_owned())
    };
    text.replace_range(place, "");
    *text = text.trim().to_owned();
    Some(value)
}

fn is_high(priority: &str) -> bool {
    ["high", "highest", "urgent"].iter().any(|word| word.eq_ignore_ascii_case(priority))
}

fn take_urgency(text: &mut String) -> bool {
    let mut urgent = false;
    for mark in ["(urgent)", "[urgent]", "**urgent**", "🔺", "⏫"] {
        if let Some(at) = find_ignoring_case(text, mark) {
            text.replace_range(at..at + mark.len(), "");
            // An emoji can have a variation selector after it. The selector would stay in the text.
            *text = text.replace('\u{fe0f}', "").split_whitespace().collect::<Vec<_>>().join(" ");
            urgent = true;
        }
    }
    for mark in ["urgent: ", "!! ", "! "] {
        if find_ignoring_case(text, mark) == Some(0) {
            text.drain(..mark.len());
            urgent = true;
        }
    }
    urgent
}

/// Removes dates in the notations of Obsidian Tasks and Dataview, except for the due date. Examples are `✅ 2026-11-20`
/// and `[completion:: 2026-11-20]`.
fn remove_other_dates(text: &mut String) {
    static DATES: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let fields = r"[\[(](?:completion|cancelled|created|start|scheduled)::[^\])]*[\])]";
        Regex::new(&format!(r"(?i)\s*(?:(?:✅|❌|➕|🛫|⏳)\x{{fe0f}}?\s*\d{{4}}-\d{{2}}-\d{{2}}|{fields})")).ok()
    });
    if let Some(dates) = DATES.as_ref() {
        *text = dates.replace_all(text, "").trim().to_owned();
    }
}

/// Returns the byte position of `sought` in `text`, ignoring the case of ASCII letters.
fn find_ignoring_case(text: &str, sought: &str) -> Option<usize> {
    // `sought` begins with a whole character, so the position is never inside of a character.
    text.as_bytes().windows(sought.len()).position(|part| part.eq_ignore_ascii_case(sought.as_bytes()))
}

fn take_first_owner(text: &mut String) -> Option<String> {
    static MENTIONED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(&format!(r"^({MENTION}(?:\s*(?:,|&|\s+and\s)\s*{MENTION}|\s+{MENTION})*):?\s+(.+)$")).ok()
    });
    static NAMED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        let name = format!(r"{NAME}(?:\s{NAME}){{0,2}}");
        let names = format!(r"{name}(?:(?:\s*&\s*|\s+and\s+){name})*");
        Regex::new(&format!(r"^(?:\*\*)?({names})(?:\*\*)?:(?:\*\*)?\s+(.+)$")).ok()
    });
    let owner = |found: Captures<'_>| Some((found[1].to_owned(), trim_dashes(&found[2]).to_owned()));
    let mentioned = MENTIONED.as_ref()?.captures(text).and_then(owner);
    let named = || NAMED.as_ref()?.captures(text).and_then(owner).filter(|(name, _)| !has_label(name));
    let named = || named().map(|(names, rest)| (names.replace(" and ", ", ").replace(" & ", ", "), rest));
    let (owner, rest) = mentioned.map(|(owner, rest)| (join_mentions(&owner), rest)).or_else(named)?;
    *text = rest;
    Some(owner)
}

/// Returns the names of mentioned people, separated by commas and without `@`.
fn join_mentions(mentions: &str) -> String {
    let names = mentions.split([' ', '\t', ',', '&']).filter(|name| !name.is_empty() && *name != "and");
    names.map(|name| name.trim_start_matches('@')).collect::<Vec<_>>().join(", ")
}

/// Trims white space and dashes from both ends of a text.
fn trim_dashes(text: &str) -> &str {
    text.trim_matches(|letter: char| letter.is_whitespace() || "-–—".contains(letter))
}

/// Whether one of the words of a name is in [`LABELS`].
fn has_label(name: &str) -> bool {
    name.split_whitespace().any(|word| LABELS.split_whitespace().any(|label| label.eq_ignore_ascii_case(word)))
}

/// Whether a text consists of one to three words that look like names.
fn is_name(text: &str) -> bool {
    static WORDS: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(&format!(r"^{NAME}(?:\s{NAME}){{0,2}}$")).ok());
    WORDS.as_ref().is_some_and(|words| words.is_match(text)) && !has_label(text)
}

struct Assignment {
    owner: Option<String>,
    urgent: bool,
}

fn take_last_owner(text: &mut String) -> Option<Assignment> {
    let (before, assigned) =
        split_after_dash(text).or_else(|| split_bracketed(text)).or_else(|| split_last_mention(text))?;
    let before = before.trim_end_matches(|letter: char| letter.is_whitespace() || "-–—".contains(letter)).trim_start();
    // Without a letter or digit before the owner, the action would have no text.
    before.contains(char::is_alphanumeric).then_some(())?;
    *text = before.to_owned();
    Some(assigned)
}

fn split_after_dash(text: &str) -> Option<(&str, Assignment)> {
    [" — ", " – "].iter().find_map(|dash| {
        let (before, written) = text.rsplit_once(dash)?;
        Some((before, assignment(written)?))
    })
}

fn split_bracketed(text: &str) -> Option<(&str, Assignment)> {
    let trimmed = text.trim_end_matches('.');
    let from = if let Some(inside) = trimmed.strip_suffix(')') {
        inside.rfind('(')?
    } else {
        trimmed.strip_suffix("**")?.rfind("**")?
    };
    let (before, written) = trimmed.split_at(from);
    let is_owner = is_explicit(written) || written.starts_with('(') && is_name(trim_marks(written));
    is_owner.then_some(())?;
    Some((before, assignment(written)?))
}

/// Splits a text such as `send figures @Marit` before its last mention. The mention can contain several names, such as
/// `@Marit and @Bo`.
fn split_last_mention(text: &str) -> Option<(&str, Assignment)> {
    static MENTIONED: LazyLock<Option<Regex>> = LazyLock::new(|| {
        Regex::new(&format!(r"\s({MENTION}(?:\s*(?:,|&|\s+and\s)\s*{MENTION}|\s+{MENTION})*)\.?$")).ok()
    });
    let found = MENTIONED.as_ref()?.captures(text)?;
    let before = &text[..found.get(0)?.start()];
    Some((before, Assignment { owner: Some(join_mentions(&found[1])), urgent: false }))
}

fn trim_marks(written: &str) -> &str {
    written.trim_matches(|mark: char| mark.is_whitespace() || matches!(mark, '*' | '_' | '(' | ')' | '.'))
}

fn strip_owner_word(bare: &str) -> Option<&str> {
    let (word, owner) = bare.split_once(':')?;
    word.trim_matches('*').trim().eq_ignore_ascii_case("owner").then(|| owner.trim_matches(['*', ' ']))
}

/// Whether a text in brackets or bold begins with `@` or `owner:`. Such a text is certainly an owner.
fn is_explicit(written: &str) -> bool {
    trim_marks(written).starts_with('@') || strip_owner_word(trim_marks(written)).is_some()
}

fn assignment(written: &str) -> Option<Assignment> {
    let bare = trim_marks(written);
    let list = strip_owner_word(bare).unwrap_or(bare);
    let is_accepted =
        is_explicit(written) || !list.contains(char::is_whitespace) || list.contains(',') || is_name(list);
    let (urgent, owners): (Vec<&str>, Vec<&str>) = list
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .partition(|part| part.eq_ignore_ascii_case("urgent"));
    let owner = (!owners.is_empty()).then(|| owners.join(", "));
    let urgent = !urgent.is_empty();
    let is_accepted = is_accepted && (is_explicit(written) || owner.as_deref().is_none_or(|owner| !has_label(owner)));
    (is_accepted && (owner.is_some() || urgent)).then_some(Assignment { owner, urgent })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(day: &str) -> NaiveDate {
        day.parse().unwrap()
    }

    fn read(line: &str) -> Action {
        // 18 November 2026 is a Wednesday.
        Action::read(line, Checkbox::from(State::Open), Some(day("2026-11-18")))
    }

    #[test]
    fn owner_and_urgency_are_taken_from_the_text() {
        for (line, text, owner, urgent) in [
            ("Do — @alice", "Do", Some("alice"), false),
            ("Do — bob", "Do", Some("bob"), false),
            ("Check — **owner: me, urgent**", "Check", Some("self"), true),
            ("Check — **Owner: Mary Ann**", "Check", Some("Mary Ann"), false),
            ("Check **owner: Michael**", "Check", Some("Michael"), false),
            ("Check — **owner:** Michael", "Check", Some("Michael"), false),
            ("Check (@kim)", "Check", Some("kim"), false),
            ("Check (owner: I, urgent).", "Check", Some("self"), true),
            ("@sam: Check (urgent) it", "Check it", Some("sam"), true),
            ("Call — Ann Lee, Bob", "Call", Some("Ann Lee, Bob"), false),
            ("Call — urgent", "Call", None, true),
            ("URGENT: call", "call", None, true),
            ("! call", "call", None, true),
            ("@Marit send figures", "send figures", Some("Marit"), false),
            ("send figures @Marit", "send figures", Some("Marit"), false),
            ("send figures @bo and @kim.", "send figures", Some("bo, kim"), false),
            ("@bo, @kim: send figures", "send figures", Some("bo, kim"), false),
            ("send figures (Marit)", "send figures", Some("Marit"), false),
            ("send figures (Anna Maria)", "send figures", Some("Anna Maria"), false),
            ("send figures — Anna Maria", "send figures", Some("Anna Maria"), false),
            ("Bo: send figures", "send figures", Some("Bo"), false),
            ("**Jean-Luc O'Neil**: send", "send", Some("Jean-Luc O'Neil"), false),
            ("Me: send", "send", Some("self"), false),
            ("send [owner:: Bo] figures", "send figures", Some("Bo"), false),
            ("send figures - @Anna", "send figures", Some("Anna"), false),
            ("@Anna - send figures", "send figures", Some("Anna"), false),
            ("McDonald: send", "send", Some("McDonald"), false),
            ("Bo & Ann Lee: send", "send", Some("Bo, Ann Lee"), false),
            ("Bo and Ann: send", "send", Some("Bo, Ann"), false),
            ("send ⏫ figures", "send figures", None, true),
            ("send figures [priority:: high]", "send figures", None, true),
        ] {
            let action = read(line);
            assert_eq!((action.text.as_str(), action.owner.as_deref(), action.urgent), (text, owner, urgent), "{line}");
        }
    }

    #[test]
    fn due_date_is_taken_from_the_text_with_the_owner_before_or_after_it() {
        for (line, text, owner, due) in [
            ("send figures @bo (due Friday)", "send figures", Some("bo"), Some("2026-11-20")),
            ("send figures — @Marit 📅 2026-12-01", "send figures", Some("Marit"), Some("2026-12-01")),
            ("send figures 📅 2026-12-01 — @Marit", "send figures", Some("Marit"), Some("2026-12-01")),
            ("send figures [due:: 2026-12-01]", "send figures", None, Some("2026-12-01")),
            ("send figures due: 2026-12-01", "send figures", None, Some("2026-12-01")),
            ("Bo: send figures, due: 2026-12-01", "send figures", Some("Bo"), Some("2026-12-01")),
            ("send figures (due: Dec 1)", "send figures", None, Some("2026-12-01")),
            ("send figures (by 3 January)", "send figures", None, Some("2027-01-03")),
            ("send figures (due wed)", "send figures", None, Some("2026-11-25")),
            ("send figures due: tomorrow — me", "send figures", Some("self"), Some("2026-11-19")),
            ("pay 📅 2026-12-01 ✅ 2026-11-20", "pay", None, Some("2026-12-01")),
            ("pay @bo ➕ 2026-11-01 ❌ 2026-11-20", "pay", Some("bo"), None),
            ("pay [completion:: 2026-11-20] [due:: 2026-12-01]", "pay", None, Some("2026-12-01")),
            ("(due Friday)", "(due Friday)", None, Some("2026-11-20")),
            ("due: 2026-12-01", "due: 2026-12-01", None, Some("2026-12-01")),
            ("send the due figures", "send the due figures", None, None),
            ("send figures (due soon)", "send figures (due soon)", None, None),
            ("send figures [due:: 2026-13-01]", "send figures [due:: 2026-13-01]", None, None),
        ] {
            let action = read(line);
            let read = (action.text.as_str(), action.owner.as_deref(), action.due);
            assert_eq!(read, (text, owner, due.map(day)), "{line}");
        }
        let undated = Action::read("send figures @bo (due Friday)", Checkbox::from(State::Open), None);
        let read = (undated.text.as_str(), undated.owner.as_deref(), undated.due);
        assert_eq!(
            read,
            ("send figures (due Friday)", Some("bo"), None),
            "a weekday stays in the text if the note has no date"
        );
    }

    #[test]
    fn words_that_are_not_an_owner_stay_in_the_text() {
        for line in [
            "Ship it — before the freeze",
            "Ship it — Before Friday",
            "Ship it — Tuesday",
            "Ship it — ASAP",
            "Ship it — later",
            "Look at (the plan)",
            "Fix the login (API)",
            "Move the call (Friday)",
            "Note: ask for the plan",
            "PR: review it",
            "Follow up: send it",
            "Next Week: plan it",
            "talk to @Marit about it",
            "Mark **this**",
            "Mail a@b.c: hello",
            "Mail to ann@b.example",
            "— @x",
            "@x:",
            "@x",
            "",
        ] {
            let action = read(line);
            assert_eq!((action.text.as_str(), action.owner, action.urgent), (line, None, false), "{line}");
        }
    }

    #[test]
    fn checkbox_decides_if_an_action_is_open_done_or_cancelled() {
        for (text, state, urgent) in [
            ("[] a", State::Open, false),
            ("[ ] a", State::Open, false),
            ("[/] a", State::Open, false),
            ("[>] a", State::Open, false),
            ("[!] a", State::Open, true),
            ("[x] a", State::Done, false),
            ("[X]\ta", State::Done, false),
            ("[-] a", State::Cancelled, false),
        ] {
            let (checkbox, rest) = Checkbox::split(text).unwrap();
            let action = Action::read(rest, checkbox, None);
            assert_eq!((action.text.as_str(), action.state, action.urgent), ("a", state, urgent), "{text}");
        }
        for text in ["[1] a", "[a](b)", "[ ]", "[ ]a", "[é] a", "[!note] a", "[", ""] {
            assert_eq!(Checkbox::split(text), None, "{text}");
        }
    }

    #[test]
    fn same_task_is_found_in_a_list_with_other_wording_owners_and_dates() {
        let list = |lines: &[&str]| {
            let read = |line: &&str| {
                let (checkbox, text) = Checkbox::split(line).unwrap();
                Action::read(text, checkbox, None)
            };
            lines.iter().map(read).collect::<Vec<_>>()
        };
        for (lines, others, states) in [
            (&["[ ] a"][..], &["[x] b"][..], &[None][..]),
            (
                &["[ ] Send **figures**. (due 2026-12-04) — @Marit"],
                &["[x] send figures @Marit (due Friday)"],
                &[Some(State::Done)],
            ),
            (&["[ ] a @bo"], &["[-] a"], &[Some(State::Cancelled)]),
            (
                &["[ ] call @Ann", "[ ] call @Kim"],
                &["[ ] call @Kim", "[x] call @ann"],
                &[Some(State::Done), Some(State::Open)],
            ),
            (&["[ ] send", "[ ] send"], &["[ ] send", "[x] send"], &[Some(State::Open), Some(State::Done)]),
            (&["[ ] send"], &["[ ] send", "[x] send"], &[None]),
            (&["[ ] send"], &["[x] send", "[-] send"], &[Some(State::Done)]),
        ] {
            assert_eq!(states_in(&list(lines), &list(others)), states, "{lines:?}");
        }
    }

    #[test]
    fn owner_is_found_by_name_and_the_author_by_each_of_their_names() {
        let action = |owner: &str| read(&format!("Do — {owner}"));
        let ada = ["Ada Lovelace".to_owned(), "ada".to_owned()];
        assert!(action("Michael").is_owned_by("@michael", &ada));
        assert!(action("me").is_owned_by("self", &[]) && action("self").is_owned_by("Me", &[]));
        assert!(action("@ADA").is_owned_by("me", &ada) && action("Ada Lovelace").is_owned_by("self", &ada));
        assert!(action("me").is_owned_by("ada", &ada) && action("Bo, Ada").is_owned_by("me", &ada));
        assert!(!action("@ada").is_owned_by("me", &[]));
        assert!(action("Ann Lee, Bob").is_owned_by("bob", &ada));
        assert!(!action("Bob").is_owned_by("bo", &ada));
        assert!(!read("Do").is_owned_by("self", &ada), "an action without an owner belongs to no one");
        assert!(!read("Do").is_owned_by("", &ada));
    }
}
