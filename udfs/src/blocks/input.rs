//! The input of blocks: pieces, tags and their subjects.

use crate::interval::Interval;

/// The kind of a subject. If all other criteria are equal, the order of the kinds decides (docs/spec/time.md#subjects).
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

/// The subject of a period of work. Two subjects are equal if they have the same kind and the same name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject<'a> {
    /// The kind of the subject.
    pub kind: Kind,
    /// The name of the subject.
    pub name: &'a str,
}

/// A part of an activity to which one rule applies (docs/spec/time.md#pieces-by-rule). Pieces without duration are
/// ignored.
#[derive(Clone, Copy, Debug)]
pub struct RuledPiece<'a> {
    /// The device of the piece.
    pub device: Option<&'a str>,
    /// The start and end.
    pub interval: Interval,
    /// The number of the piece's timeline. If several pieces overlap, the piece with the smallest number decides the
    /// local time.
    pub timeline: i64,
    /// The subject of the piece during time without a tag. This is the project and task of the piece's rule, otherwise
    /// the rule's category, otherwise the application's key.
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
