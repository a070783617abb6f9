//! The file's own tables under privacy switches: what each column holds, and what of a row may be told.
//!
//! A column that is not known here could hold anything. It is withheld, unless its values are numbers or times and
//! name nothing.

use std::borrow::Cow;

use rusqlite::types::ValueRef;

use super::witness::{DECIDING_ACTIVITY, Verdict, Witness};
use crate::manictime::dimensions::TableReader;
use crate::manictime::instant::InstantParser;
use crate::manictime::privacy::{HIDDEN, Privacy};
use crate::manictime::shape::RawColumn;
use crate::manictime::source::Snapshot;

/// What a table's rows are about, and what each of its columns holds.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Guard {
    pub(super) subject: Subject,
    contents: Vec<Content>,
}

/// What a row is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Subject {
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
            Content::Notes => match (verdict, value) {
                (Verdict::Activity(told), ValueRef::Text(notes)) => {
                    let notes = String::from_utf8_lossy(notes);
                    let notes = witness.notes(told, &notes);
                    notes.map_or(Tellable::Null, |notes| Tellable::Text(Cow::Owned(notes.into_owned())))
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
                    Tellable::Text(Cow::Owned(witness.word(&word)))
                }
                _ => Tellable::Null,
            },
            Content::Anything => Tellable::Null,
        }
    }
}
