//! What blocks are made of: pieces and tags, and what they are about.

use crate::interval::Interval;

/// The kinds of subjects, in the order that decides last (docs/spec/time.md#subjects).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The full list of a tag.
    Tag,
    /// The project and task of a rule.
    Project,
    /// The category of a rule.
    Category,
    /// The key of an application.
    Application,
}

/// What a stretch of work is about. Two are equal only when kind and name are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Subject<'a> {
    /// Its kind.
    pub kind: Kind,
    /// Its name.
    pub name: &'a str,
}

/// A piece by rule (docs/spec/time.md#pieces-by-rule). One without extent is ignored.
#[derive(Clone, Copy, Debug)]
pub struct RuledPiece<'a> {
    /// Its device.
    pub device: Option<&'a str>,
    /// When it was.
    pub interval: Interval,
    /// Its timeline; of several pieces that hold an instant, the least gives it its local time.
    pub timeline: i64,
    /// What it is about where no tag is: its rule's project and task, else its category, else its application's key.
    pub subject: Subject<'a>,
}

/// A tag, which belongs to the person and so to every device. One without extent is ignored.
#[derive(Clone, Copy, Debug)]
pub struct TagInterval<'a> {
    /// When it was.
    pub interval: Interval,
    /// Its full list.
    pub subject: Subject<'a>,
}
