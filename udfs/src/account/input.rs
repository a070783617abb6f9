//! The input and output of an account.

use crate::blocks::Subject;
use crate::interval::Interval;
use crate::segment::JoinLimits;

/// The state of a computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In use.
    Active,
    /// Without input from the user.
    Away,
    /// The session was locked.
    Locked,
    /// Without power.
    Off,
    /// Any other state.
    Unknown,
}

/// The kind of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// A part of an application row inside the range to which one rule applies, with its subject
    /// (docs/spec/time.md#pieces-by-rule).
    Piece(Subject<'a>),
    /// An application row.
    Application,
    /// A row of computer usage.
    State(State),
    /// An interval away from the computer in which application rows count as active, for example a call.
    Call,
    /// A tag. It belongs to the person, so it applies to every device.
    Tag,
    /// Marks that computer usage of the device is known. The timestamps of this row are ignored.
    Tracked,
}

/// An input row.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The kind of the row.
    pub kind: Kind<'a>,
    /// Its device.
    pub device: Option<&'a str>,
    /// Its timeline.
    pub timeline: Option<i64>,
    /// Its activity.
    pub activity: Option<i64>,
    /// The name of the application, or the full text of a tag.
    pub name: Option<&'a str>,
    /// Rows with the same key belong to the same application.
    pub key: Option<&'a str>,
    /// The start and end.
    pub interval: Interval,
}

/// The options of an account.
#[derive(Clone, Copy, Debug)]
pub struct AccountOptions {
    /// Local start of the range; `None` if it is unlimited.
    pub range_start: Option<i64>,
    /// Local end of the range; `None` if it is unlimited.
    pub range_end: Option<i64>,
    /// When pieces join to segments.
    pub joins: JoinLimits,
    /// The cost of a change of a block's subject, in seconds.
    pub switch_cost: i64,
}

/// How an interval counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Active time of an application.
    Active,
    /// An application in a call while the device is away.
    Call,
    /// A state other than active. Time without a row is `Unknown` if computer usage of the device is known.
    State(State),
    /// Active use without an application row.
    NoApplication,
    /// Only a tag.
    Tagged,
    /// An application row that a later one covers.
    Covered,
}

/// The totals that an interval adds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adds {
    /// The overall total and the application's total.
    Both,
    /// The application's total only, because a device that sorts earlier counts these seconds in the overall total.
    Application,
    /// Neither total.
    Neither,
}

/// The reason why an interval starts later or ends earlier than its row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The range.
    Range,
    /// The device's state changed.
    State(State),
    /// A row of the same kind starts later and owns the time.
    LaterRow,
    /// An application row began or ended.
    Application,
    /// A device recorded something.
    Recorded,
    /// A tag began or ended.
    Tag,
    /// A different rule applies.
    Rule,
    /// Another device that shares the time started or ended.
    OtherDevice,
    /// A block ended.
    Block,
}

/// How a piece became part of its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It belongs to the segment's application, and starts the segment or touches the piece before.
    Own,
    /// It belongs to the segment's application, and follows a gap.
    Gap,
    /// It is a short interruption by another application.
    Absorbed,
}

/// The segment and block of an interval of active time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work<'a> {
    /// Local start of the segment.
    pub segment_start: i64,
    /// How the interval became part of the segment.
    pub step: Step,
    /// Local start of the block.
    pub block_start: i64,
    /// The block's subject. An application appears by its name.
    pub subject: Subject<'a>,
    /// Whether the interval has the block's subject, through a tag or a piece on any device.
    pub on_subject: bool,
}

/// A part of a row in which every output column has one value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountInterval<'a> {
    /// The start and end, on the row's clock.
    pub interval: Interval,
    /// How the interval counts.
    pub counts: Counts,
    /// The totals that it adds to.
    pub adds: Adds,
    /// The application in front.
    pub application: Option<&'a str>,
    /// The tags that cover it, in order of start.
    pub tags: Vec<&'a str>,
    /// Why it starts here; `None` if the row itself starts here.
    pub cut_start: Option<Cut>,
    /// Why it ends here; `None` if the row itself ends here.
    pub cut_end: Option<Cut>,
    /// The segment and block of active time; otherwise `None`.
    pub work: Option<Work<'a>>,
}

/// An interval, and the index of its row.
pub(super) struct FoundInterval<'a> {
    pub(super) source: usize,
    pub(super) interval: AccountInterval<'a>,
}

impl Counts {
    /// Whether the overall total includes it.
    pub(super) fn is_work(self) -> bool {
        matches!(self, Self::Active | Self::Call)
    }
}

impl<'a> AccountInterval<'a> {
    /// Returns an interval that adds to no total.
    pub(super) fn idle(interval: Interval, counts: Counts, application: Option<&'a str>, tags: Vec<&'a str>) -> Self {
        Self { interval, counts, adds: Adds::Neither, application, tags, cut_start: None, cut_end: None, work: None }
    }
}

impl Source<'_> {
    /// Orders rows. If rows start at the same time, the last one in this order owns the time
    /// (docs/spec/time.md#overlapping-rows).
    pub(super) fn sort_key(&self) -> (i64, bool, Option<i64>, Option<i64>) {
        (self.interval.start_utc, self.activity.is_none(), self.activity, self.timeline)
    }

    /// Returns the UTC start and end.
    pub(super) fn span(&self) -> (i64, i64) {
        (self.interval.start_utc, self.interval.end_utc)
    }
}
