//! What an account is made of, and what it tells.

use crate::blocks::Subject;
use crate::interval::Interval;
use crate::segment::JoinLimits;

/// The states of a computer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// In use.
    Active,
    /// Nobody was there.
    Away,
    /// The session was locked.
    Locked,
    /// Without power.
    Off,
    /// None of these.
    Unknown,
}

/// What a row is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind<'a> {
    /// A piece by rule of an application row inside the range (docs/spec/time.md#pieces-by-rule), with what it is about.
    Piece(Subject<'a>),
    /// An application row.
    Application,
    /// A row of computer usage.
    State(State),
    /// A stretch away in which an application row counts all the same.
    Call,
    /// A tag, which belongs to the person and so to every device.
    Tag,
    /// A mark that computer usage of the device is known; its instants mean nothing.
    Tracked,
}

/// A row of a history, or a piece of one.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// What it is.
    pub kind: Kind<'a>,
    /// Its device.
    pub device: Option<&'a str>,
    /// Its timeline.
    pub timeline: Option<i64>,
    /// Its activity.
    pub activity: Option<i64>,
    /// What it shows, or the full list of a tag.
    pub name: Option<&'a str>,
    /// What makes its application the same as another's.
    pub key: Option<&'a str>,
    /// When it was.
    pub interval: Interval,
}

/// What decides beside the rows.
#[derive(Clone, Copy, Debug)]
pub struct AccountOptions {
    /// Local start of the range; `None` is without bound.
    pub range_start: Option<i64>,
    /// Local end of the range.
    pub range_end: Option<i64>,
    /// What joins pieces to segments.
    pub joins: JoinLimits,
    /// What a change of a block's subject costs, in seconds.
    pub switch_cost: i64,
}

/// What a stretch counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Counts {
    /// Active time of an application.
    Active,
    /// An application in a call while the device is away.
    Call,
    /// A state other than active; `Unknown` too where computer usage is known and has no row.
    State(State),
    /// Active use without an application row.
    NoApplication,
    /// A tag and nothing else.
    Tagged,
    /// An application row under a later one.
    Covered,
}

/// Which totals a stretch adds to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Adds {
    /// The whole, and its application's.
    Both,
    /// Its application's alone: a lesser device counts these seconds for the whole.
    Application,
    /// None.
    Neither,
}

/// What begins or ends a stretch, where the row itself goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// The range.
    Range,
    /// The device's state.
    State(State),
    /// A row of the same kind that starts later and owns the time.
    LaterRow,
    /// An application row began or ended.
    Application,
    /// A device recorded something.
    Recorded,
    /// A tag began or ended.
    Tag,
    /// Another rule fits.
    Rule,
    /// Another device began or ended to share the time.
    OtherDevice,
    /// A block ended.
    Block,
}

/// How a piece came to its segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// It is of the segment's application, and begins it or touches what is before.
    Own,
    /// It is of the segment's application, after a gap.
    Gap,
    /// It is a short interruption.
    Absorbed,
}

/// The segment and the block of a stretch of active time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Work<'a> {
    /// Local start of the segment.
    pub segment_start: i64,
    /// How it came to the segment.
    pub step: Step,
    /// Local start of the block.
    pub block_start: i64,
    /// What the block is about; an application by its name.
    pub subject: Subject<'a>,
    /// Whether the stretch has the block's subject, by a tag or on any device.
    pub on_subject: bool,
}

/// A part of a row of which one thing is told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AccountInterval<'a> {
    /// When it was, by the clock of the row.
    pub interval: Interval,
    /// What it counts as.
    pub counts: Counts,
    /// Which totals it adds to.
    pub adds: Adds,
    /// The application in front.
    pub application: Option<&'a str>,
    /// The tags that hold it, in order of start.
    pub tags: Vec<&'a str>,
    /// What began it; `None` is the start of the row itself.
    pub cut_start: Option<Cut>,
    /// What ended it; `None` is the end of the row itself.
    pub cut_end: Option<Cut>,
    /// Where it belongs, of active time.
    pub work: Option<Work<'a>>,
}

/// A stretch, and the place of its row.
pub(super) struct FoundInterval<'a> {
    pub(super) source: usize,
    pub(super) interval: AccountInterval<'a>,
}

impl Counts {
    /// Whether it is part of the whole.
    pub(super) fn is_work(self) -> bool {
        matches!(self, Self::Active | Self::Call)
    }
}

impl<'a> AccountInterval<'a> {
    /// A stretch that adds to no total.
    pub(super) fn idle(interval: Interval, counts: Counts, application: Option<&'a str>, tags: Vec<&'a str>) -> Self {
        Self { interval, counts, adds: Adds::Neither, application, tags, cut_start: None, cut_end: None, work: None }
    }
}

impl Source<'_> {
    /// By what rows that begin together are in order: the later one owns the time (docs/spec/time.md#overlapping-rows).
    pub(super) fn sort_key(&self) -> (i64, bool, Option<i64>, Option<i64>) {
        (self.interval.start_utc, self.activity.is_none(), self.activity, self.timeline)
    }

    /// UTC start and end.
    pub(super) fn span(&self) -> (i64, i64) {
        (self.interval.start_utc, self.interval.end_utc)
    }
}
