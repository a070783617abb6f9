//! Which stored columns of an activity a scan needs.

use crate::manictime::dimensions::TableReader;
use crate::manictime::privacy::Privacy;
use crate::manictime::scan::Scan;

/// Columns that are resolved from the activity's group or list ([`super::super::resolver::Resolver`]).
pub(super) const RESOLVED: [&str; 10] =
    ["role", "name", "key", "color", "group_name", "group_key", "group_color", "group_type", "common_name", "tag_path"];

/// What is held of an activity.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Id,
    /// The ids of what names it.
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

impl Part {
    /// What every timeline that is followed holds; its notes only where they were asked for.
    const FOLLOWED: [Self; 10] = [
        Self::Id,
        Self::Names,
        Self::StartLocal,
        Self::StartUtc,
        Self::EndLocal,
        Self::EndUtc,
        Self::IsActive,
        Self::IsBillable,
        Self::Related,
        Self::Title,
    ];

    /// The columns of `Ar_Activity` behind it.
    fn stored(self) -> &'static [&'static str] {
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

/// The parts that a scan needs, in order.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Needs {
    parts: Vec<Part>,
    /// Whether titles are needed of every row, not only of those that nothing else names.
    every_title: bool,
}

impl Needs {
    pub(super) fn of(scan: &Scan, privacy: &Privacy) -> Self {
        let schema = super::schema();
        let projected = |name: &str| scan.projection.iter().any(|index| schema.field(*index).name() == name);
        let constrained = |name: &str| scan.predicates.iter().any(|predicate| predicate.column == name);
        // What a row may tell hangs on what it is about, when it was, and what it is linked to.
        let told = !privacy.is_empty() && scan.projection.iter().any(|index| is_told(schema.field(*index).name()));
        let measured = projected("seconds");
        let needed = [
            (Part::Id, true),
            (Part::Names, told || RESOLVED.iter().any(|name| projected(name)) || constrained("role")),
            (Part::StartLocal, projected("start_local") || measured || constrained("start_local")),
            (Part::StartUtc, told || projected("start_utc") || measured),
            (Part::EndLocal, projected("end_local") || measured || constrained("end_local")),
            (Part::EndUtc, told || projected("end_utc") || measured),
            (Part::IsActive, projected("is_active")),
            (Part::IsBillable, projected("is_billable")),
            (Part::Related, told || projected("related_activity_id")),
            (Part::Title, told || projected("title") || projected("name") || projected("tag_path")),
            (Part::Notes, projected("notes")),
        ];
        let parts = needed.into_iter().filter(|(_, needed)| *needed).map(|(part, _)| part).collect();
        Self { parts, every_title: told || projected("title") }
    }

    /// What is read of a timeline that is to be followed, so that most other questions find what they need too.
    pub(super) fn followed(&self) -> Self {
        let mut parts = Part::FOLLOWED.to_vec();
        parts.extend(self.parts.contains(&Part::Notes).then_some(Part::Notes));
        Self { parts, every_title: self.every_title }
    }

    /// Both together.
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut parts = [self.parts.as_slice(), &other.parts].concat();
        parts.sort_unstable();
        parts.dedup();
        Self { parts, every_title: self.every_title || other.every_title }
    }

    /// Whether what was read for `self` suffices for `other`.
    pub(super) fn cover(&self, other: &Self) -> bool {
        other.parts.iter().all(|part| self.parts.contains(part)) && (self.every_title || !other.every_title)
    }

    /// Whether an index alone answers them.
    pub(super) fn are_ids_only(&self) -> bool {
        self.parts == [Part::Id]
    }

    pub(super) fn every_title(&self) -> bool {
        self.every_title
    }

    /// Each part with its place in the rows of a statement that selects [`Needs::columns`].
    pub(super) fn places(&self) -> impl Iterator<Item = (Part, usize)> + '_ {
        let mut next = 1;
        self.parts.iter().map(move |part| {
            let place = next;
            next += part.stored().len();
            (*part, place)
        })
    }

    /// What a statement selects: the timeline, then every part.
    pub(super) fn columns(&self, reader: &TableReader<'_>) -> Vec<String> {
        let parts = self.parts.iter().flat_map(|part| part.stored());
        ["ReportId"].iter().chain(parts).map(|column| reader.column("Ar_Activity", column)).collect()
    }
}

/// Whether a column holds what can be withheld.
pub(super) fn is_told(column: &str) -> bool {
    matches!(column, "title" | "notes" | "is_billable") || RESOLVED.contains(&column) && column != "role"
}
