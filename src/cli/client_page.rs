//! `dayledger report --for-client`: whose hours are told, and under which name.

use super::output;
use super::part::PartArguments;
use crate::House;
use crate::activity::{ClientHoursRequest, HoursOfClient};
use crate::question::DateRange;
use crate::report::write_note;

/// How many clients an error names.
const NAMED: usize = 8;

/// Why there is no page for a client.
#[derive(Debug, thiserror::Error)]
pub(super) enum Error {
    /// Nobody said whose time it is.
    #[error("`--for-client` is about one client, and none is named")]
    Unnamed,
    /// There is nothing to tell.
    #[error("no tag and no project of a rule that fits `{sought}` has time in this range")]
    Nobody {
        /// What was looked for.
        sought: String,
    },
    /// A page for one would tell of others.
    #[error("`{sought}` fits {}", listed(.clients))]
    Several {
        /// What was looked for.
        sought: String,
        /// Whose time that is.
        clients: Vec<String>,
    },
}

impl Error {
    /// What to do about it.
    pub(super) fn hint(&self) -> &'static str {
        match self {
            Self::Unnamed => "name it with `--tag` (the first level of its tags) or `--project`",
            Self::Nobody { .. } => "`dayledger period` names the tags of a time",
            Self::Several { .. } => "name one of them in full: a page for one client tells nothing of others",
        }
    }
}

/// The name of one client, or of what it does, as the command line has it.
pub(super) fn sought(part: &PartArguments) -> Result<String, Error> {
    let filter = part.filter();
    let mut named = [filter.project, filter.tag].into_iter().flatten().map(|text| text.trim().to_owned());
    named.rfind(|text| !text.is_empty()).ok_or(Error::Unnamed)
}

/// The hours of the one client that is meant. Who is left out is said on stderr, and so is what is missing.
pub(super) async fn hours(part: &PartArguments, range: DateRange, house: &House) -> anyhow::Result<HoursOfClient> {
    let sought = sought(part)?;
    let hours = ClientHoursRequest { range, filter: part.filter() }.answer(house.engine()).await?;
    if let Some(hint) = hours.diagnostics.remediation_hint.filter(|_| hours.diagnostics.degraded) {
        output::talk(|out, style| write_note(out, &format!("something may be missing: {hint}"), style));
    }
    let (client, others) = one(hours.clients, sought)?;
    if !others.is_empty() {
        output::talk(|out, style| write_note(out, &format!("left out, though it fits: {}", others.join(", ")), style));
    }
    Ok(client)
}

/// The client that is named in full, else the only one; and the names of the others.
fn one(mut clients: Vec<HoursOfClient>, sought: String) -> Result<(HoursOfClient, Vec<String>), Error> {
    let is_meant = |client: &HoursOfClient| client.name.to_lowercase() == sought.to_lowercase();
    let place = match (clients.iter().position(is_meant), clients.len()) {
        (Some(place), _) => place,
        (None, 0) => return Err(Error::Nobody { sought }),
        (None, 1) => 0,
        (None, _) => {
            let clients = clients.into_iter().map(|client| client.name).collect();
            return Err(Error::Several { sought, clients });
        }
    };
    let client = clients.remove(place);
    Ok((client, clients.into_iter().map(|client| client.name).collect()))
}

fn listed(clients: &[String]) -> String {
    let mut named: Vec<_> = clients.iter().take(NAMED).map(|client| format!("`{}`", client.escape_debug())).collect();
    if clients.len() > NAMED {
        named.push(format!("{} more", clients.len() - NAMED));
    }
    named.join(", ")
}

/// What was looked for, as it can stand in the name of a file.
pub(super) fn slug(sought: &str) -> String {
    let words = sought.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    let slug: String = slug.chars().take(40).collect();
    if slug.is_empty() { "client".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::question::Minutes;

    fn named(names: &[&str], sought: &str) -> Result<(String, Vec<String>), Error> {
        let client =
            |name: &&str| HoursOfClient { name: (*name).to_owned(), total: Minutes::ZERO, tasks: vec![], days: vec![] };
        let one = one(names.iter().map(client).collect(), sought.to_owned())?;
        Ok((one.0.name, one.1))
    }

    #[test]
    fn a_page_is_for_the_client_that_is_named_in_full_or_the_only_one() {
        assert_eq!(named(&["Acme", "Acme Labs"], "acme").unwrap(), ("Acme".to_owned(), vec!["Acme Labs".to_owned()]));
        assert_eq!(named(&["Acme Labs"], "acme").unwrap(), ("Acme Labs".to_owned(), vec![]));
        let several = named(&["Acme Labs", "Acme North"], "acme").unwrap_err();
        assert_eq!(several.to_string(), "`acme` fits `Acme Labs`, `Acme North`");
        assert_eq!(named(&[], "acme").unwrap_err().hint(), "`dayledger period` names the tags of a time");
    }

    #[test]
    fn the_name_of_a_file_is_made_of_letters_and_digits() {
        assert_eq!(slug(" Lindqvist & Partners, Fälle/../7"), "lindqvist-partners-fälle-7");
        assert_eq!((slug("../.."), slug(&"x".repeat(99)).len()), ("client".to_owned(), 40));
    }
}
