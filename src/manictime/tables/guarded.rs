//! The file's own tables under privacy switches: what each column holds, and what of a row may be told.
//!
//! A column that is not known here could hold anything. It is withheld, unless its values are numbers or times and
//! name nothing.

use std::borrow::Cow;
use std::collections::HashSet;

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::resolver::Resolver;
use crate::manictime::dimensions::{Group, Role, TableReader};
use crate::manictime::instant::InstantParser;
use crate::manictime::privacy::{Activity, HIDDEN, Privacy, Telling, Told};
use crate::manictime::shape::RawColumn;
use crate::manictime::source::Snapshot;
use crate::manictime::value::{borrowed_text, instant, number};

/// What a table's rows are about, and what each of its columns holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Guard {
    subject: Subject,
    contents: Vec<Content>,
}

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Subject {
    Activity,
    Group,
    List,
    SharedGroup,
    SharedList,
    Folder,
    ListItem,
    /// Totals of an application.
    Totals,
    /// Totals of a site or a document, which are linked to no application.
    UnlinkedTotals,
    /// Totals of a list of tags or of a state, which no rule hides.
    OpenTotals,
    Another,
}

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Content {
    /// A number that names nothing.
    Number,
    Time,
    /// A word of `ManicTime`'s own, or the name of a device or a person.
    Plain,
    /// A word of the user's.
    Word,
    Title,
    Notes,
    Key,
    UpperKey,
    Name,
    /// By this one could tell what a hidden row is about.
    Trait,
    /// An id of something in a table that is not known.
    Id,
    Anything,
}

/// Texts that are told as they are, by table.
const PLAIN: [(&str, &[&str]); 6] = [
    (
        "ar_timeline",
        &[
            "timelinekey",
            "publishkey",
            "schemaname",
            "schemaversion",
            "baseschemaname",
            "baseschemaversion",
            "environmentid",
        ],
    ),
    (
        "ar_environment",
        &[
            "environmentid",
            "devicedisplayname",
            "devicename",
            "devicesystemname",
            "deviceaddress",
            "operatingsystem",
            "dotnet",
            "application",
        ],
    ),
    ("ar_user", &["userkey", "username", "displayname", "name"]),
    ("ar_team", &["name"]),
    ("ar_teammember", &["devicedisplayname"]),
    ("ar_categorygroup", &["schemaname"]),
];
/// Words of the user's, by table.
const WORDS: [(&str, &str); 3] = [("ar_timeline", "name"), ("ar_category", "name"), ("ar_tag", "name")];
/// Ids that name no application, site or document.
const FREE_IDS: [&str; 7] = ["reportid", "activityid", "tagid", "userid", "teamid", "ownerid", "categoryid"];

impl Guard {
    /// What guards the table `name`; nothing where everything may be told.
    pub(super) fn new(name: &str, columns: &[RawColumn], privacy: &Privacy) -> Option<Self> {
        if privacy.is_empty() {
            return None;
        }
        let subject = Subject::of(name);
        let contents = columns.iter().map(|column| Content::of(subject, name, column)).collect();
        Some(Self { subject, contents })
    }

    /// Whether the values of a column are told as they are in every row.
    pub(super) fn is_open(&self, column: usize) -> bool {
        self.contents.get(column) == Some(&Content::Number)
    }

    /// The columns that decide what a row may tell, as a statement names them.
    pub(super) fn deciding(&self, table: &str, snapshot: &Snapshot<'_>) -> Vec<String> {
        let reader = TableReader { connection: snapshot.connection, shape: snapshot.shape };
        let columns: &[&str] = match self.subject {
            Subject::Activity => &DECIDING_ACTIVITY,
            Subject::Group => &["ReportId", "GroupId"],
            Subject::List => &["ReportId", "GroupListId"],
            Subject::SharedGroup | Subject::SharedList | Subject::Totals | Subject::UnlinkedTotals => &["CommonId"],
            Subject::Folder => &["ReportId", "Key", "Name"],
            Subject::ListItem => &["ReportId"],
            Subject::OpenTotals | Subject::Another => &[],
        };
        columns.iter().map(|column| reader.column(table, column)).collect()
    }
}

/// The columns of `Ar_Activity` that [`Witness`] reads.
const DECIDING_ACTIVITY: [&str; 10] = [
    "ReportId",
    "ActivityId",
    "GroupId",
    "CommonGroupId",
    "GroupListId",
    "CommonGroupListId",
    "Name",
    "RelatedActivityId",
    "StartUtcTime",
    "EndUtcTime",
];

impl Subject {
    fn of(table: &str) -> Self {
        match table {
            "ar_activity" => Self::Activity,
            "ar_group" => Self::Group,
            "ar_grouplist" => Self::List,
            "ar_commongroup" => Self::SharedGroup,
            "ar_commongrouplist" => Self::SharedList,
            "ar_folder" => Self::Folder,
            "ar_grouplistitem" => Self::ListItem,
            "ar_applicationbyday" | "ar_applicationbyyear" => Self::Totals,
            "ar_websitebyday" | "ar_websitebyyear" | "ar_documentbyday" | "ar_documentbyyear" => Self::UnlinkedTotals,
            "ar_taglistbyday" | "ar_taglistbyyear" | "ar_computerusagebyday" | "ar_computerusagebyyear" => {
                Self::OpenTotals
            }
            _ => Self::Another,
        }
    }
}

impl Content {
    fn of(subject: Subject, table: &str, column: &RawColumn) -> Self {
        let name = column.name.to_ascii_lowercase();
        let by_type = Self::of_type(&name, &column.declared_type.to_ascii_lowercase());
        match (subject, name.as_str()) {
            (Subject::Activity, "name") => Self::Title,
            (Subject::Activity, "notes") => Self::Notes,
            (Subject::Activity, "isbillable") | (Subject::Folder, "color") => Self::Trait,
            (Subject::Another, _) if by_type == Self::Trait => Self::Id,
            (_, "reportid" | "reportgrouptype") => by_type,
            (Subject::Group | Subject::List | Subject::SharedGroup | Subject::SharedList, name) => match name {
                "key" => Self::Key,
                "upperkey" => Self::UpperKey,
                "name" => Self::Name,
                "color" | "grouptype" => Self::Trait,
                _ if by_type == Self::Number => Self::Trait,
                _ => by_type,
            },
            (Subject::Folder, "key" | "name") => Self::Word,
            (Subject::Folder, _) if by_type == Self::Number => Self::Trait,
            _ if WORDS.contains(&(table, &name)) => Self::Word,
            _ if PLAIN.iter().any(|(known, columns)| *known == table && columns.contains(&name.as_str())) => {
                Self::Plain
            }
            _ => by_type,
        }
    }

    fn of_type(name: &str, declared: &str) -> Self {
        let is_one_of = |words: &[&str]| words.iter().any(|word| declared.contains(word));
        if is_one_of(&["int", "real", "floa", "doub", "num", "dec"]) {
            let names_something = name.ends_with("id") && !FREE_IDS.iter().any(|free| name.ends_with(free));
            return if names_something { Self::Trait } else { Self::Number };
        }
        if is_one_of(&["date", "time"]) { Self::Time } else { Self::Anything }
    }
}

/// A value of a guarded row.
pub(super) enum Tellable<'v> {
    Null,
    Text(Cow<'v, str>),
    AsStored(ValueRef<'v>),
}

/// What a row may tell.
pub(super) enum Verdict<'v> {
    /// What its columns hold, each by itself.
    Open,
    Activity(Told<'v>),
    Group(&'v Group),
    Hidden,
}

/// Decides what the rows of one table may tell at one commit.
pub(super) struct Witness<'s> {
    subject: Subject,
    snapshot: &'s Snapshot<'s>,
    privacy: &'s Privacy,
    telling: Option<Telling<'s>>,
    resolver: Resolver<'s>,
    /// What is told of at least one activity; nothing where that need not be asked.
    seen: Option<Seen>,
}

/// Groups and lists that an activity refers to which is not hidden.
#[derive(Default)]
struct Seen {
    groups: HashSet<(i64, i64)>,
    lists: HashSet<(i64, i64)>,
    shared: HashSet<i64>,
}

impl<'s> Witness<'s> {
    pub(super) fn new(guard: &Guard, snapshot: &'s Snapshot<'s>) -> rusqlite::Result<Self> {
        let privacy = &snapshot.dimensions.privacy;
        let mut witness = Self {
            subject: guard.subject,
            snapshot,
            privacy,
            telling: Telling::at(snapshot)?,
            resolver: Resolver::new(snapshot.dimensions),
            seen: None,
        };
        let named = [Subject::Group, Subject::List, Subject::SharedGroup, Subject::SharedList];
        if privacy.hides_applications() && named.contains(&guard.subject) {
            witness.seen = Some(witness.look()?);
        }
        Ok(witness)
    }

    /// What may be told of the row whose deciding columns stand from `first` on.
    pub(super) fn judge<'r>(&mut self, row: &'r Row<'_>, first: usize) -> rusqlite::Result<Verdict<'r>>
    where
        's: 'r,
    {
        let dimensions = self.snapshot.dimensions;
        let role = |timeline: i64| dimensions.timeline(timeline).map_or(Role::Other, |timeline| timeline.role);
        let group = match self.subject {
            Subject::OpenTotals | Subject::Another => return Ok(Verdict::Open),
            Subject::Activity => return self.activity(row, first),
            Subject::ListItem => {
                let of_tags = number(row, first)?.is_some_and(|timeline| role(timeline) == Role::Tags);
                return Ok(if of_tags || !self.hides() { Verdict::Open } else { Verdict::Hidden });
            }
            Subject::Folder => {
                let role = number(row, first)?.map_or(Role::Other, role);
                let names = [borrowed_text(row, first + 1)?, borrowed_text(row, first + 2)?];
                let names: Vec<&str> = names.iter().flatten().map(AsRef::as_ref).collect();
                let is_own_word = matches!(role, Role::Tags | Role::Applications);
                let is_hidden = self.privacy.names_application(&names) || self.privacy.names_site(&names);
                return Ok(if is_own_word && !is_hidden { Verdict::Open } else { Verdict::Hidden });
            }
            Subject::UnlinkedTotals if self.privacy.hides_applications() => return Ok(Verdict::Hidden),
            Subject::Totals | Subject::UnlinkedTotals => {
                let is_hidden = dimensions.common_group(number(row, first)?).is_some_and(|group| group.is_hidden);
                return Ok(if is_hidden { Verdict::Hidden } else { Verdict::Open });
            }
            Subject::Group | Subject::List => {
                let Some(timeline) = number(row, first)? else { return Ok(Verdict::Hidden) };
                let id = number(row, first + 1)?;
                let is_list = self.subject == Subject::List;
                let seen = self.seen.as_ref().filter(|_| can_belong(role(timeline)));
                let seen = seen.map(|seen| if is_list { &seen.lists } else { &seen.groups });
                let is_seen = seen.is_none_or(|seen| id.is_some_and(|id| seen.contains(&(timeline, id))));
                let group = if is_list { dimensions.list(timeline, id) } else { dimensions.group(timeline, id) };
                group.filter(|_| is_seen)
            }
            Subject::SharedGroup | Subject::SharedList => {
                let id = number(row, first)?;
                let group = match self.subject {
                    Subject::SharedGroup => dimensions.common_group(id),
                    _ => dimensions.common_list(id),
                };
                let is_seen = self.seen.as_ref().is_none_or(|seen| id.is_some_and(|id| seen.shared.contains(&id)));
                group.filter(|_| is_seen)
            }
        };
        Ok(group.filter(|group| !group.is_hidden).map_or(Verdict::Hidden, Verdict::Group))
    }

    fn hides(&self) -> bool {
        self.privacy.hides_applications() || self.privacy.hides_sites()
    }

    fn activity<'r>(&mut self, row: &'r Row<'_>, first: usize) -> rusqlite::Result<Verdict<'r>> {
        let (Some(timeline), Some(id)) = (number(row, first)?, number(row, first + 1)?) else {
            return Ok(Verdict::Hidden);
        };
        let resolved = self.resolver.resolve(timeline, row, first + 2)?;
        let Some(telling) = &self.telling else { return Ok(Verdict::Hidden) };
        let told = telling.of(Activity {
            timeline,
            id,
            role: self.resolver.role(resolved),
            is_message: self.resolver.is_message(resolved),
            is_hidden: self.resolver.is_hidden(resolved),
            is_named: self.resolver.is_named(resolved),
            title: borrowed_text(row, first + 6)?,
            related: number(row, first + 7)?,
            start: instant(row, first + 8)?,
            end: instant(row, first + 9)?,
        })?;
        Ok(Verdict::Activity(told))
    }

    /// Looks which groups and lists are told of by some activity. Those of applications, tags and states are told of
    /// by themselves.
    fn look(&mut self) -> rusqlite::Result<Seen> {
        let dimensions = self.snapshot.dimensions;
        let mut seen = Seen::default();
        let open = |timeline: i64| dimensions.timeline(timeline).is_some_and(|it| !can_belong(it.role));
        let groups = dimensions.groups.iter().chain(&dimensions.lists).filter(|((timeline, _), _)| open(*timeline));
        seen.shared.extend(groups.filter_map(|(_, group)| group.common_id));
        let shared = dimensions.common_groups.iter().chain(&dimensions.common_lists);
        let by_itself = shared.filter(|(_, group)| matches!(group.report_group_type, Some(1 | 4 | 5)));
        seen.shared.extend(by_itself.map(|(id, _)| *id));
        let reader = TableReader { connection: self.snapshot.connection, shape: self.snapshot.shape };
        let columns = DECIDING_ACTIVITY.map(|column| reader.column("Ar_Activity", column)).join(", ");
        let sql = format!("SELECT {columns} FROM Ar_Activity WHERE ReportId = ?1");
        let mut prepared = reader.connection.prepare(&sql)?;
        for timeline in dimensions.timelines.iter().filter(|timeline| can_belong(timeline.role)) {
            let mut rows = prepared.query([timeline.id])?;
            while let Some(row) = rows.next()? {
                let Verdict::Activity(told) = self.activity(row, 0)? else { continue };
                if told.is_hidden {
                    continue;
                }
                let ids = [number(row, 2)?, number(row, 3)?, number(row, 4)?, number(row, 5)?];
                let [group, common, list, common_list] = ids;
                seen.groups.extend(group.map(|group| (timeline.id, group)));
                seen.lists.extend(list.map(|list| (timeline.id, list)));
                let group = dimensions.group(timeline.id, group).and_then(|group| group.common_id);
                let list = dimensions.list(timeline.id, list).and_then(|list| list.common_id);
                seen.shared.extend([common, common_list, group, list].into_iter().flatten());
            }
        }
        Ok(seen)
    }
}

/// Whether what a timeline of that role records can belong to an application.
fn can_belong(role: Role) -> bool {
    matches!(role, Role::Documents | Role::Websites | Role::Other)
}

impl Guard {
    /// What may be told of a value of the column `column` in a row of that verdict.
    pub(super) fn tell<'v>(
        &self,
        column: usize,
        value: ValueRef<'v>,
        verdict: &'v Verdict<'_>,
        witness: &Witness<'_>,
    ) -> Tellable<'v> {
        let content = self.contents.get(column).copied().unwrap_or(Content::Anything);
        let is_hidden = match verdict {
            Verdict::Hidden => true,
            Verdict::Activity(told) => told.is_hidden,
            Verdict::Open | Verdict::Group(_) => false,
        };
        let group = match verdict {
            Verdict::Group(group) => Some(*group),
            _ => None,
        };
        let text = |text: Option<&'v str>| text.map_or(Tellable::Null, |text| Tellable::Text(Cow::Borrowed(text)));
        match content {
            Content::Number => match value {
                ValueRef::Integer(_) | ValueRef::Real(_) => Tellable::AsStored(value),
                _ => Tellable::Null,
            },
            Content::Time => match value {
                ValueRef::Text(text) if InstantParser::default().parse(text).is_some() => Tellable::AsStored(value),
                _ => Tellable::Null,
            },
            Content::Trait if is_hidden => Tellable::Null,
            Content::Id if witness.hides() => Tellable::Null,
            Content::Plain | Content::Trait | Content::Id => Tellable::AsStored(value),
            Content::Title => match verdict {
                Verdict::Activity(told) => text(told.title.as_deref()),
                _ => Tellable::Null,
            },
            Content::Notes => match (verdict, &witness.telling, value) {
                (Verdict::Activity(told), Some(telling), ValueRef::Text(notes)) => {
                    let notes = String::from_utf8_lossy(notes);
                    telling
                        .notes(told, &notes)
                        .map_or(Tellable::Null, |notes| Tellable::Text(Cow::Owned(notes.into_owned())))
                }
                _ => Tellable::Null,
            },
            Content::Key | Content::UpperKey | Content::Name | Content::Word if is_hidden => text(Some(HIDDEN)),
            Content::Key => text(group.and_then(|group| group.key.as_deref())),
            Content::Name => text(group.and_then(|group| group.name.as_deref())),
            Content::UpperKey => match group.and_then(|group| group.key.as_deref()) {
                Some(key) => Tellable::Text(Cow::Owned(key.to_uppercase())),
                None => Tellable::Null,
            },
            Content::Word => match value {
                ValueRef::Text(word) => {
                    let word = String::from_utf8_lossy(word);
                    Tellable::Text(Cow::Owned(witness.privacy.scrubber().word(&word).into_owned()))
                }
                _ => Tellable::Null,
            },
            Content::Anything => Tellable::Null,
        }
    }
}
