//! The input of blocks: pieces, tags and their subjects.

use crate::interval::Interval;

/// The kind of a subject. The order of the kinds is the last tie-breaker (docs/spec/time.md#subjects).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The full text of a tag.
    Tag,
    /// The project and task of a rule.
    Project,
    /// The category of a rule.
    Category,
    /// The key of an application.
    Application,
}

/// The subject of a period of work. Subjects are equal if both kind and name are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: &'a str,
}

/// A part of an activity to which one rule applies (docs/spec/time.md#pieces-by-rule). Pieces without duration are
/// ignored.
#[derive(Clone, Copy, Debug)]
pub struct RuledPiece<'a> {
    /// Its device.
    pub device: Option<&'a str>,
    /// The start and end.
    pub interval: Interval,
    /// Its timeline. If several pieces overlap, the one with the smallest timeline gives the local time.
    pub timeline: i64,
    /// The subject if no tag overlaps: the project and task of its rule, otherwise the rule's category, otherwise the
    /// application's key.
    pub subject: Subject<'a>,
}

/// A tag. It belongs to the person, so it applies to every device. Tags without duration are ignored.
#[derive(Clone, Copy, Debug)]
pub struct TagInterval<'a> {
    /// The start and end.
    pub interval: Interval,
    /// The full text of the tag.
    pub subject: Subject<'a>,
}
