//! Parsing of an edited draft.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::columns::{BAR, Columns, parse_hours};
use super::target::Targets;
use crate::day::Day;
use crate::draft::row::Row;
use crate::draft::version::RowId;
use crate::draft::{Account, Draft};
use crate::entry::NewEntry;
use crate::hours::Hours;
use crate::project::Project;
use crate::rules::entry::check_new;

/// The characters with which an error comment starts.
const COMMENT_PREFIX: &str = "#^";
/// The maximum hours of a day. If the draft itself has more hours for a day, for example because clocks go back, these
/// hours are the maximum.
const DAY: Hours = Hours::from_hundredths(24_00);

/// An entry to log, after editing by the user.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EditedEntry {
    /// The row of the line. `None` for an added line, and for a line whose row an earlier line already used.
    pub row: Option<RowId>,
    /// The entry. It has the evidence of its row, even if the hours were edited. An entry without a row has no
    /// evidence.
    pub entry: NewEntry,
}

/// A text with mistakes. The error message contains only the number of mistakes. The text is for an editor and must not
/// be written to the log file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{mistakes} of the lines cannot be logged: the comment below each explains why")]
pub struct MarkedText {
    /// The unchanged text of the user, with a `#^` comment below each line that contains a mistake. Error comments from
    /// an earlier reading are removed.
    pub text: String,
    /// The number of lines with mistakes.
    pub mistakes: usize,
}

/// Reads an edited text of the draft. Line endings may be `\n` or `\r\n`. The entries are in the order of the lines.
///
/// An unchanged text (see [`to_text`](super::to_text)) gives the entries of [`Row::to_entry`] for all rows that can be
/// logged. A text without lines for entries gives no entries. Existing entries and their evidence aren't checked.
///
/// # Errors
///
/// The text with error comments. A line is wrong if it is neither a day nor an entry, or if its hours, project, task or
/// row id are invalid. For an unknown name, the comment lists the nearest names. A line is also wrong if it isn't below
/// a day, if it is below the day of another row, or if its entry breaks a rule. If a day gets too many hours, the line
/// with which the day exceeds the limit is wrong. After any error, the caller must not log any entry of the text.
pub fn read(text: &str, draft: &Draft, projects: &[Project]) -> Result<Vec<EditedEntry>, MarkedText> {
    let mut reading = Parser::new(draft, projects);
    let (mut edited, mut marked, mut wrong) = (Vec::new(), String::with_capacity(text.len()), 0);
    for raw in text.split_inclusive('\n') {
        let line = raw.trim_start_matches('\u{feff}').trim();
        if line.starts_with(COMMENT_PREFIX) {
            continue;
        }
        marked.push_str(raw);
        match reading.parse_line(line) {
            Ok(entry) => edited.extend(entry),
            Err(mistakes) => {
                wrong += 1;
                let end = if raw.ends_with("\r\n") { "\r\n" } else { "\n" };
                if !raw.ends_with('\n') {
                    marked.push('\n');
                }
                marked.extend(mistakes.iter().flat_map(|mistake| [COMMENT_PREFIX, " ", mistake, end]));
            }
        }
    }
    if wrong == 0 { Ok(edited) } else { Err(MarkedText { text: marked, mistakes: wrong }) }
}

/// The state of the parser between two lines.
struct Parser<'d> {
    rows: HashMap<&'d str, &'d Row>,
    projects: &'d [Project],
    targets: Targets<'d>,
    day: Option<Day>,
    /// Rows whose evidence already belongs to an earlier line.
    taken: HashSet<&'d RowId>,
    hours: BTreeMap<Day, Hours>,
    drafted: &'d BTreeMap<Day, Account>,
}

impl<'d> Parser<'d> {
    fn new(draft: &'d Draft, projects: &'d [Project]) -> Self {
        Self {
            rows: draft.rows.iter().map(|row| (row.id.as_str(), row)).collect(),
            projects,
            targets: Targets::new(projects),
            day: None,
            taken: HashSet::new(),
            hours: BTreeMap::new(),
            drafted: &draft.days,
        }
    }

    /// Parses a line. Returns the entry of the line, or `None` for a comment or a heading. Fails with the mistakes in
    /// the line.
    fn parse_line(&mut self, line: &str) -> Result<Option<EditedEntry>, Vec<String>> {
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        if line.contains(BAR) {
            return self.parse_entry(line).map(Some);
        }
        self.day = line.split([' ', '\t', ':']).next().and_then(|word| word.parse().ok());
        if self.day.is_some() {
            return Ok(None);
        }
        Err(vec![
            "this is neither a day, such as `2025-10-23`, nor an entry, such as `2.5 | project / task | | description`: \
             correct it, or put # before it"
                .to_owned(),
        ])
    }

    fn parse_entry(&mut self, line: &str) -> Result<EditedEntry, Vec<String>> {
        let columns = Columns::read(line).map_err(|mistake| vec![mistake])?;
        let row = self.find_row(&columns).map_err(|mistake| vec![mistake])?;
        let shown = row.map(Columns::from_row);
        let kept =
            |of: fn(&Columns) -> &String| row.filter(|_| shown.as_ref().is_some_and(|row| of(row) == of(&columns)));
        let mut mistakes = Vec::new();
        let hours = match kept(|columns| &columns.hours) {
            Some(row) => Ok(row.hours),
            None => parse_hours(&columns.hours),
        };
        let hours = hours.map_err(|mistake| mistakes.push(mistake)).ok();
        let target = self.parse_target(kept(|columns| &columns.target), &columns.target);
        let target = target.map_err(|mistake| mistakes.push(mistake)).ok();
        let day = self.check_day(row).map_err(|mistake| mistakes.push(mistake)).ok();
        let (Some(hours), Some((project, task)), Some(day)) = (hours, target, day) else { return Err(mistakes) };
        let said = |text: &String| Some(text.clone()).filter(|text| !text.is_empty());
        let first = row.filter(|row| !self.taken.contains(&row.id));
        let entry = NewEntry {
            issue_id: kept(|columns| &columns.issue).map_or_else(|| said(&columns.issue), |row| row.issue_id.clone()),
            description: kept(|columns| &columns.description)
                .map_or_else(|| said(&columns.description), |row| row.description.clone()),
            evidence: first.map_or(Vec::new(), |row| row.evidence.clone()),
            known_by: first.map_or(Vec::new(), |row| row.known_by.clone()),
            ..NewEntry::new(&project, &task, hours, day, day)
        };
        let known = self.projects.iter().find(|known| known.code == project);
        check_new(known, &entry).map_err(|refusal| vec![crate::sanitize::one_line(&refusal.message)])?;
        self.add_hours(day, hours).map_err(|mistake| vec![mistake])?;
        self.taken.extend(first.map(|row| &row.id));
        Ok(EditedEntry { row: first.map(|row| row.id.clone()), entry })
    }

    fn find_row(&self, columns: &Columns) -> Result<Option<&'d Row>, String> {
        let Some(id) = &columns.id else { return Ok(None) };
        let row = self.rows.get(id.as_str()).copied();
        row.map(Some).ok_or_else(|| {
            format!("the draft does not contain the row `{{{id}}}`: correct it, or delete it to log the line without evidence")
        })
    }

    fn parse_target(&self, kept: Option<&Row>, text: &str) -> Result<(String, String), String> {
        let of_row = kept.and_then(|row| row.project_code.clone().zip(row.task.clone()));
        let fits = of_row.filter(|(project, task)| self.targets.obstacle(Some(project), Some(task)).is_none());
        fits.map_or_else(|| self.targets.find(text), Ok)
    }

    /// Returns the day of the heading above the line. Fails if the row of the line belongs to another day.
    fn check_day(&self, row: Option<&Row>) -> Result<Day, String> {
        match (self.day, row) {
            (Some(day), Some(row)) if day != row.day => Err(format!(
                "row `{{{}}}` belongs to {}: move it back to that day, or delete its `{{{0}}}` to log it without evidence",
                row.id, row.day
            )),
            (Some(day), _) => Ok(day),
            (None, Some(row)) => Ok(row.day),
            (None, None) => Err("there is no day above this line: add one, such as `2025-10-23`".to_owned()),
        }
    }

    /// Adds the hours of a line to its day. Fails only for the line with which the day exceeds its maximum.
    fn add_hours(&mut self, day: Day, hours: Hours) -> Result<(), String> {
        let most = self.drafted.get(&day).map_or(DAY, |account| account.hours.max(DAY));
        let sum = self.hours.entry(day).or_default();
        let was_possible = *sum <= most;
        *sum = *sum + hours;
        if was_possible && *sum > most {
            return Err(format!("with this line {day} has {sum} hours, which is more than {most}"));
        }
        Ok(())
    }
}
