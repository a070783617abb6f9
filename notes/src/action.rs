//! What somebody agreed to do, and how its owner and urgency are written into its text.

use serde::Serialize;

/// The owner of what the writer of the notes has to do.
pub const SELF: &str = "self";

/// Words for the writer of the notes.
const SELVES: [&str; 4] = ["me", "i", "self", "myself"];

/// Something to be done, of a processed note.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Action {
    /// What is to be done, without what was read from it into the other fields.
    pub text: String,
    /// Who is to do it: [`SELF`], or a name as it was written.
    pub owner: Option<String>,
    /// Whether it is done.
    pub done: bool,
    /// Whether it was called urgent.
    pub urgent: bool,
}

impl Action {
    /// Reads an action from a line, without its bullet and box.
    ///
    /// The owner is `@x: ` at the start; else ` — x`, ` — @x`, `**owner: x**` or `(owner: x)` or `(@x)` at the end, each
    /// with `, urgent` if so. After a dash without `@` and `owner:` only a single word is an owner, or what has a comma.
    /// Urgent is also `(urgent)`, `[urgent]` and `**urgent**` anywhere, and `urgent: `, `! ` and `!! ` at the start.
    pub fn read(line: &str, done: bool) -> Self {
        let mut text = line.trim().to_owned();
        let mut urgent = take_urgency(&mut text);
        let mut owner = take_first_owner(&mut text);
        if owner.is_none()
            && let Some(assigned) = take_last_owner(&mut text)
        {
            owner = assigned.owner;
            urgent |= assigned.urgent;
        }
        Self { text, owner: owner.as_deref().and_then(canonical_owner), done, urgent }
    }

    /// Whether this is what `person` has to do, in any case of letters. The writer may be called `me` too.
    pub fn is_of(&self, person: &str) -> bool {
        let Some(asked) = canonical_owner(person).map(|asked| asked.to_lowercase()) else { return false };
        let owner = self.owner.as_deref().unwrap_or_default().to_lowercase();
        owner == asked || owner.split([',', '&']).any(|one| canonical_owner(one).is_some_and(|one| one == asked))
    }
}

/// An owner without `@`, with the one word for the writer; none if nothing is left.
pub(crate) fn canonical_owner(written: &str) -> Option<String> {
    let name = written.trim().trim_start_matches('@').trim();
    let is_self = SELVES.iter().any(|word| word.eq_ignore_ascii_case(name));
    (!name.is_empty()).then(|| if is_self { SELF.to_owned() } else { name.to_owned() })
}

fn take_urgency(text: &mut String) -> bool {
    let mut urgent = false;
    for mark in ["(urgent)", "[urgent]", "**urgent**"] {
        if let Some(at) = find_ignoring_case(text, mark) {
            text.replace_range(at..at + mark.len(), "");
            *text = text.split_whitespace().collect::<Vec<_>>().join(" ");
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

/// Where an ASCII text begins in another.
fn find_ignoring_case(text: &str, sought: &str) -> Option<usize> {
    text.as_bytes().windows(sought.len()).position(|part| part.eq_ignore_ascii_case(sought.as_bytes()))
}

fn take_first_owner(text: &mut String) -> Option<String> {
    let (name, rest) = text.strip_prefix('@')?.split_once(':')?;
    let is_name = !name.trim().is_empty() && !name.trim().contains(char::is_whitespace);
    let taken = (is_name && !rest.trim().is_empty()).then(|| (name.to_owned(), rest.trim().to_owned()));
    let (owner, rest) = taken?;
    *text = rest;
    Some(owner)
}

struct Assigned {
    owner: Option<String>,
    urgent: bool,
}

fn take_last_owner(text: &mut String) -> Option<Assigned> {
    let (before, assigned) = [" — ", " – "]
        .iter()
        .find_map(|dash| {
            let (before, written) = text.rsplit_once(dash)?;
            Some((before, assignment(written)?))
        })
        .or_else(|| {
            let trimmed = text.trim_end_matches('.');
            let from = if let Some(inside) = trimmed.strip_suffix(')') {
                inside.rfind('(')?
            } else {
                trimmed.strip_suffix("**")?.rfind("**")?
            };
            let (before, written) = trimmed.split_at(from);
            is_outspoken(written).then_some(())?;
            Some((before, assignment(written)?))
        })?;
    let before = before.trim();
    (!before.is_empty()).then_some(())?;
    *text = before.to_owned();
    Some(assigned)
}

fn bare(written: &str) -> &str {
    written.trim_matches(|mark: char| mark.is_whitespace() || matches!(mark, '*' | '_' | '(' | ')' | '.'))
}

fn after_owner_word(bare: &str) -> Option<&str> {
    let (word, owner) = bare.split_once(':')?;
    word.trim_matches('*').trim().eq_ignore_ascii_case("owner").then(|| owner.trim_matches(['*', ' ']))
}

/// Whether what stands in brackets or is bold says itself that it is an owner.
fn is_outspoken(written: &str) -> bool {
    bare(written).starts_with('@') || after_owner_word(bare(written)).is_some()
}

fn assignment(written: &str) -> Option<Assigned> {
    let bare = bare(written);
    let list = after_owner_word(bare).unwrap_or(bare);
    let is_accepted = is_outspoken(written) || !list.contains(char::is_whitespace) || list.contains(',');
    let (urgent, owners): (Vec<&str>, Vec<&str>) = list
        .split(',')
        .map(str::trim)
        .filter(|part| !part.is_empty())
        .partition(|part| part.eq_ignore_ascii_case("urgent"));
    let owner = (!owners.is_empty()).then(|| owners.join(", "));
    let urgent = !urgent.is_empty();
    (is_accepted && (owner.is_some() || urgent)).then_some(Assigned { owner, urgent })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (String, Option<String>, bool) {
        let Action { text, owner, urgent, .. } = Action::read(line, false);
        (text, owner, urgent)
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
        ] {
            assert_eq!(read(line), (text.to_owned(), owner.map(str::to_owned), urgent), "{line}");
        }
    }

    #[test]
    fn what_is_no_owner_stays_in_the_text() {
        for line in [
            "Ship it — before the freeze",
            "Look at (the plan)",
            "Mark **this**",
            "Mail a@b.c: hello",
            "— @x",
            "@x:",
            "",
        ] {
            assert_eq!(read(line), (line.to_owned(), None, false), "{line}");
        }
    }

    #[test]
    fn somebody_is_found_by_name_in_any_case_and_the_writer_by_each_word_for_it() {
        let action = |owner: &str| Action::read(&format!("Do — {owner}"), false);
        assert!(action("Michael").is_of("@michael"));
        assert!(action("me").is_of("self") && action("self").is_of("Me"));
        assert!(action("Ann Lee, Bob").is_of("bob"));
        assert!(!action("Bob").is_of("bo"));
        assert!(!Action::read("Do", false).is_of("self"), "what nobody owns is nobody's");
        assert!(!Action::read("Do", false).is_of(""));
    }
}
