//! `dayledger report --for-client`: selects the client and the hours for its page.

use dayledger_terminal::output;
use dayledger_timesheet::Hours;

use crate::App;
use crate::activity::{ClientHoursRequest, ClientSummary, Filter};
use crate::report::{ClientPageHours, write_note};
use crate::request::{DateRange, Error};
use crate::timesheet::{LoggedClients, TimesheetService};

/// The maximum number of clients that an error message lists.
const MAX_LISTED_CLIENTS: usize = 8;

/// Returns the text on the command line that selects the client: the client's name, or the name of one of the client's
/// projects.
pub(super) fn client_name(filter: &Filter) -> Result<String, Error> {
    names(filter).pop().ok_or_else(|| {
        let hint = "pass the client with `--tag` (the first level of its tags) or `--project`";
        Error::for_command("cannot write the page: `--for-client` needs a client", hint)
    })
}

/// Returns the texts that the project and the tag must match.
fn names(filter: &Filter) -> Vec<String> {
    let named = [&filter.project, &filter.tag].into_iter().flatten().map(|text| text.trim().to_owned());
    named.filter(|text| !text.is_empty()).collect()
}

/// Returns the hours of the client that the filter matches. On stderr, lists the missing data, and the other matching
/// clients, which the page leaves out.
///
/// # Errors
/// Fails if the history can't be read, or if the filter matches no client or several clients. Also fails if the
/// timesheet can't be read, because a page without the logged hours would be wrong.
pub(super) async fn hours(
    filter: &Filter,
    range: DateRange,
    app: &App,
    service: &TimesheetService,
) -> anyhow::Result<ClientPageHours> {
    let sought = client_name(filter)?;
    let hours = ClientHoursRequest { range, filter: filter.clone() }.answer(app.engine()).await?;
    let logged = service.logged_clients(range).await?;
    if let Some(hint) = hours.diagnostics.remediation_hint.filter(|_| hours.diagnostics.degraded) {
        print_note(&format!("the hours may be incomplete: {hint}"));
    }
    let (client, others) = choose_client(hours.clients, &sought, &logged, &range)?;
    if !others.is_empty() {
        print_note(&format!("also matches, but not included: {}", others.join(", ")));
    }
    Ok(with_logged_hours(client, &logged, &names(filter), &sought, &range)?)
}

fn print_note(text: &str) {
    output::write_stderr(|out, style| write_note(out, text, style));
}

/// Chooses the client whose full name or alias is `sought`, otherwise the only client in the list. Also returns the
/// names of the other clients. The returned client is `None` if only the timesheet contains the client.
fn choose_client(
    mut clients: Vec<ClientSummary>,
    sought: &str,
    logged: &LoggedClients,
    range: &DateRange,
) -> Result<(Option<ClientSummary>, Vec<String>), Error> {
    let is_named = |client: &ClientSummary| client.name.to_lowercase() == sought.to_lowercase();
    let is_same = |client: &ClientSummary| logged.is_same_client(&client.name, sought);
    let names = |clients: Vec<ClientSummary>| clients.into_iter().map(|client| client.name).collect();
    let place = clients.iter().position(is_named).or_else(|| clients.iter().position(is_same));
    let place = match (place, clients.len()) {
        (Some(place), _) => place,
        (None, _) if logged.client_hours(sought).is_some() => return Ok((None, names(clients))),
        (None, 0) => return Err(no_hours_error(sought, range)),
        (None, 1) => 0,
        (None, _) => {
            let (count, names) = (clients.len(), join_names(&names(clients)));
            let message = format!("cannot choose a client: `{sought}` matches {count} clients: {names}");
            return Err(Error::for_command(message, "pass the full name of one client"));
        }
    };
    let client = clients.remove(place);
    Ok((Some(client), names(clients)))
}

/// Adds the logged hours to the hours of a client. Logged hours cover all of the client's time. Therefore they are left
/// out if one of `texts` selects only part of the client's time.
fn with_logged_hours(
    client: Option<ClientSummary>,
    logged: &LoggedClients,
    texts: &[String],
    sought: &str,
    range: &DateRange,
) -> Result<ClientPageHours, Error> {
    let name = client.as_ref().map_or(sought, |client| client.name.as_str());
    let is_whole =
        |text: &&String| name.to_lowercase().contains(&text.to_lowercase()) || logged.is_same_client(name, text);
    let of_part = texts.iter().find(|text| !is_whole(text));
    let hours = logged.client_hours(name);
    match (client, hours, of_part) {
        (Some(client), None, _) => Ok(ClientPageHours::Measured(client)),
        (Some(client), Some(_), Some(text)) => {
            print_note(&format!(
                "logged hours are not included, because `{}` matches only part of the client's time",
                text.escape_debug()
            ));
            Ok(ClientPageHours::Measured(client))
        }
        (client, Some(hours), None) => {
            if hours.declined > Hours::ZERO {
                print_note(&format!("declined hours are not included: {} h", hours.declined));
            }
            if hours.total != hours.logged {
                print_note(&format!("{} logged hours are rounded to {} h for the client", hours.logged, hours.total));
            }
            Ok(ClientPageHours::Logged(hours, client))
        }
        (None, _, _) => Err(no_hours_error(sought, range)),
    }
}

/// Checks that the page can show amounts: the hours are logged, and each task either has a rate or isn't billed.
///
/// # Errors
/// Fails if no hours are logged, or if a billed task doesn't have a rate.
pub(super) fn check_rates(hours: &ClientPageHours) -> Result<(), Error> {
    let ClientPageHours::Logged(logged, _) = hours else {
        let message = "cannot compute amounts: no hours are logged for this client in this range";
        return Err(Error::for_command(message, "log them with `dayledger timesheet log`, or leave out `--amounts`"));
    };
    match logged.task_without_rate() {
        Some(task) => {
            let message = format!("cannot compute amounts: `{task}` of `{}` has no rate", logged.project);
            Err(Error::for_command(message, "add it to `[[timesheet.rates]]`, or set `billable = false` there"))
        }
        None => Ok(()),
    }
}

/// Returns the error for a client with neither active time nor logged hours.
fn no_hours_error(sought: &str, range: &DateRange) -> Error {
    let message = format!("cannot find hours of `{sought}`: no tag, project or logged entry in this range matches");
    let (first, last) = (range.first_day(), range.last_day());
    Error::for_command(message, format!("run `dayledger period {first} {last}` to list the tags of these days"))
}

fn join_names(clients: &[String]) -> String {
    let mut named: Vec<_> =
        clients.iter().take(MAX_LISTED_CLIENTS).map(|client| format!("`{}`", client.escape_debug())).collect();
    if clients.len() > MAX_LISTED_CLIENTS {
        named.push(format!("{} more", clients.len() - MAX_LISTED_CLIENTS));
    }
    named.join(", ")
}

/// Converts a client's name to a part of a file name.
pub(super) fn slug(sought: &str) -> String {
    let words = sought.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug = words.map(str::to_lowercase).collect::<Vec<_>>().join("-");
    let slug: String = slug.chars().take(40).collect();
    if slug.is_empty() { "client".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::request::Minutes;

    fn choose(names: &[&str], sought: &str) -> Result<(String, Vec<String>), Error> {
        let client = |name: &&str| ClientSummary {
            name: (*name).to_owned(),
            total: Minutes::ZERO,
            away: Minutes::ZERO,
            tasks: vec![],
            days: vec![],
        };
        let range = DateRange::parse("2025-01-15", "2025-01-17", ("", ""))?;
        let one = choose_client(names.iter().map(client).collect(), sought, &LoggedClients::default(), &range)?;
        Ok((one.0.unwrap().name, one.1))
    }

    #[test]
    fn a_full_name_selects_its_client_and_a_part_only_a_single_match() {
        assert_eq!(choose(&["Acme", "Acme Labs"], "acme").unwrap(), ("Acme".to_owned(), vec!["Acme Labs".to_owned()]));
        assert_eq!(choose(&["Acme Labs"], "acme").unwrap(), ("Acme Labs".to_owned(), vec![]));
        let several = choose(&["Acme Labs", "Acme North"], "acme").unwrap_err();
        assert_eq!(several.to_string(), "cannot choose a client: `acme` matches 2 clients: `Acme Labs`, `Acme North`");
        let hint = choose(&[], "acme").unwrap_err().hint.clone();
        assert_eq!(hint, "run `dayledger period 2025-01-15 2025-01-16` to list the tags of these days");
    }

    #[test]
    fn a_file_name_contains_only_letters_digits_and_hyphens() {
        assert_eq!(slug(" Lindqvist & Partners, Fälle/../7"), "lindqvist-partners-fälle-7");
        assert_eq!((slug("../.."), slug(&"x".repeat(99)).len()), ("client".to_owned(), 40));
    }
}
