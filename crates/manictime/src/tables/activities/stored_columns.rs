//! Decides which columns of the table `Ar_Activity` a scan needs.

use std::collections::BTreeSet;

use crate::shape::Shape;
use dayledger_source::selection::Selection;
use dayledger_source::{Privacy, Table};

/// The columns that [`super::super::resolver::Resolver`] fills from the activity's group or list.
pub(super) const RESOLVED: [&str; 10] =
    ["role", "name", "key", "color", "group_name", "group_key", "group_color", "group_type", "common_name", "tag_path"];

/// Whether redaction or hiding can change the values of a column.
pub(super) fn can_be_redacted(column: &str) -> bool {
    matches!(column, "title" | "rule_text" | "notes" | "is_billable") || RESOLVED.contains(&column) && column != "role"
}

/// A value of an activity that is stored in memory. The value comes from one or more columns of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum ActivityPart {
    Id,
    /// The ids of the activity's groups and lists.
    Names,
    StartLocal,
    StartUtc,
    EndLocal,
    EndUtc,
    IsActive,
    IsBillable,
    Related,
    Title,
    Notes,
}

impl ActivityPart {
    /// Returns the parts from which a column of the table `activities` is computed.
    pub(super) fn parts_of_column(column: &str) -> &'static [Self] {
        match column {
            "activity_id" => &[Self::Id],
            "start_local" => &[Self::StartLocal],
            "start_utc" => &[Self::StartUtc],
            "end_local" => &[Self::EndLocal],
            "end_utc" => &[Self::EndUtc],
            "seconds" => &[Self::StartLocal, Self::StartUtc, Self::EndLocal, Self::EndUtc],
            "state" => &[Self::Names, Self::IsActive, Self::Title],
            "is_billable" => &[Self::IsBillable],
            "related_activity_id" => &[Self::Related],
            "title" | "rule_text" => &[Self::Title],
            "notes" => &[Self::Notes],
            "name" | "tag_path" => &[Self::Names, Self::Title],
            column if RESOLVED.contains(&column) => &[Self::Names],
            _ => &[],
        }
    }

    /// Returns the columns of `Ar_Activity` that contain this part.
    fn stored_columns(self) -> &'static [&'static str] {
        match self {
            Self::Id => &["ActivityId"],
            Self::Names => &["GroupId", "CommonGroupId", "GroupListId", "CommonGroupListId"],
            Self::StartLocal => &["StartLocalTime"],
            Self::StartUtc => &["StartUtcTime"],
            Self::EndLocal => &["EndLocalTime"],
            Self::EndUtc => &["EndUtcTime"],
            Self::IsActive => &["IsActive"],
            Self::IsBillable => &["IsBillable"],
            Self::Related => &["RelatedActivityId"],
            Self::Title => &["Name"],
            Self::Notes => &["Notes"],
        }
    }
}

/// The parts that a scan needs, sorted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct StoredColumns {
    parts: Vec<ActivityPart>,
    /// Whether titles are needed for all rows. Otherwise, titles are needed only for rows without a group name.
    every_title: bool,
}

impl StoredColumns {
    pub(super) fn from_selection(selection: &Selection, privacy: &Privacy) -> Self {
        let columns = selection.schema(&Table::Activities.schema());
        let projected = columns.fields().iter().map(|field| field.name().as_str());
        let constrained = selection.predicates.iter().map(|predicate| predicate.column.as_str());
        let parts = projected.clone().chain(constrained).flat_map(ActivityPart::parts_of_column).copied();
        // Redaction also needs a row's name, its time and the id of its linked activity.
        let is_redacted = !privacy.is_empty() && projected.clone().any(can_be_redacted);
        let for_redaction = [
            ActivityPart::Names,
            ActivityPart::StartUtc,
            ActivityPart::EndUtc,
            ActivityPart::Related,
            ActivityPart::Title,
        ];
        let for_redaction = for_redaction.into_iter().filter(|_| is_redacted);
        let every_title = is_redacted || projected.clone().any(|name| matches!(name, "title" | "rule_text"));
        Self::new(parts.chain([ActivityPart::Id]).chain(for_redaction), every_title)
    }

    fn new(parts: impl Iterator<Item = ActivityPart>, every_title: bool) -> Self {
        let parts: BTreeSet<ActivityPart> = parts.collect();
        Self { parts: parts.into_iter().collect(), every_title }
    }

    /// Returns all columns except notes, and the title of every row.
    pub(super) fn without_notes() -> Self {
        Self::new(std::iter::empty(), true).widen_for_cache()
    }

    /// Returns the columns to read for the cache. These are all columns, so that later scans can use the cache. But
    /// notes are included only if this scan needs them.
    pub(super) fn widen_for_cache(&self) -> Self {
        let columns = Table::Activities.schema();
        let parts = columns.fields().iter().flat_map(|field| ActivityPart::parts_of_column(field.name())).copied();
        Self::new(parts.filter(|part| *part != ActivityPart::Notes || self.parts.contains(part)), self.every_title)
    }

    /// Returns the columns of `self` and of `other`.
    pub(super) fn union(&self, other: &Self) -> Self {
        Self::new(self.parts.iter().chain(&other.parts).copied(), self.every_title || other.every_title)
    }

    /// Whether `self` contains all columns of `other`.
    pub(super) fn cover(&self, other: &Self) -> bool {
        other.parts.iter().all(|part| self.parts.contains(part)) && (self.every_title || !other.every_title)
    }

    /// Whether only ids are needed. SQLite can read ids from an index.
    pub(super) fn are_ids_only(&self) -> bool {
        self.parts == [ActivityPart::Id]
    }

    pub(super) fn every_title(&self) -> bool {
        self.every_title
    }

    /// Returns each part with the index of its first column in [`StoredColumns::columns`].
    pub(super) fn places(&self) -> impl Iterator<Item = (ActivityPart, usize)> + '_ {
        let mut next = 1;
        self.parts.iter().map(move |part| {
            let place = next;
            next += part.stored_columns().len();
            (*part, place)
        })
    }

    /// Returns the columns for a statement to select: first the timeline, then the columns of each
    /// part.
    pub(super) fn columns(&self, shape: &Shape) -> Vec<String> {
        let parts = self.parts.iter().flat_map(|part| part.stored_columns());
        ["ReportId"].iter().chain(parts).map(|column| shape.column("Ar_Activity", column)).collect()
    }
}
