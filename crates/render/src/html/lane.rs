//! Draws a lane of a day: its marks, the label of the lane, and the names within marks.

use chrono::NaiveDate;
use maud::{Markup, html};

use super::super::text::{client_of, clock, duration, task_of, width_of};
use super::clock::ClockChange;
use super::colors::{Colors, Legend};
use super::lanes::{Axis, Day, HEIGHT, Marks, Rect, bars, local_interval, marks, merge_pieces, path};
use super::leads::leads;
use super::legends::Legends;
use super::names::{display_name, site_name};
use super::segments;
use dayledger_activity::{NamedInterval, Segment};
use dayledger_request::minutes;

/// The maximum number of names in a lane's label and in a mark's tooltip.
const MAX_LABELS: usize = 5;
/// The width of a lane in pixels on a desktop screen. The first value is for a page about one day, and the second value
/// is for other pages.
const WIDTHS: [i64; 2] = [970, 760];
/// On paper and in a smaller window, a lane has at least this width, in per cent of its width on a desktop screen.
const PRINT_WIDTH_PERCENT: i64 = 65;
/// The CSS class of marks for time away from the computer, which are drawn as frames.
const AWAY: &str = "off";
/// The assumed width of a letter in pixels.
const LETTER: usize = 6;

/// The data that a lane shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lane {
    Active,
    Blocks,
    Tags,
    Applications,
    Websites,
}

/// The lanes of a page, and their common settings.
pub(super) struct Chart<'p, 'n> {
    pub(super) lanes: Vec<Lane>,
    pub(super) axis: Axis,
    pub(super) legends: &'p Legends<'n>,
    /// Whether lanes are high enough to contain names.
    pub(super) has_names: bool,
    /// Whether the page is about one day. If it is, lanes are as wide as the page.
    pub(super) is_single_day: bool,
    /// Whether all tags and projects belong to one client.
    pub(super) has_one_client: bool,
}

/// Marks with the same colour, tooltip and name. The name is drawn within the marks, unless it is empty.
struct Piece {
    class: String,
    title: String,
    rects: Vec<Rect>,
    name: String,
}

impl Lane {
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Active => "Active time",
            Self::Blocks => "Blocks",
            Self::Tags => "Tags",
            Self::Applications => "Applications",
            Self::Websites => "Sites",
        }
    }

    /// Returns the CSS class that sets the height of the lane.
    fn class(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Blocks => "blocks",
            Self::Tags => "tags",
            Self::Applications => "applications",
            Self::Websites => "sites",
        }
    }

    pub(super) fn display_name(self, name: &str) -> String {
        if self == Self::Websites { site_name(name) } else { display_name(name) }
    }

    pub(super) fn legend<'p, 'n>(self, legends: &'p Legends<'n>) -> &'p Legend<'n> {
        match self {
            Self::Active | Self::Applications => &legends.applications,
            Self::Websites => &legends.websites,
            Self::Blocks | Self::Tags => &legends.tags,
        }
    }

    fn label(self, name: &str, seconds: i64) -> String {
        format!("{} {}", self.display_name(name), duration(minutes(seconds)))
    }
}

impl Chart<'_, '_> {
    /// Returns a lane of a day. `held` is the data of the day, and `time` is its active time as text.
    pub(super) fn lane(
        &self,
        lane: Lane,
        date: NaiveDate,
        held: &Day<'_>,
        time: Option<&str>,
        colors: &mut Colors,
    ) -> Markup {
        let change = held.change();
        let (told, pieces) = match lane {
            Lane::Active => {
                let active = merge_pieces(&held.applications);
                let marks = marks(&active.iter().collect::<Vec<_>>(), change, self.axis);
                let piece = |marks: Marks<'_>| Piece {
                    class: "accent".to_owned(),
                    title: String::new(),
                    rects: marks.rects,
                    name: String::new(),
                };
                (time.map(str::to_owned), marks.into_iter().map(piece).collect())
            }
            Lane::Blocks => self.blocks(date, held, colors),
            Lane::Applications => {
                let marks = marks(&held.applications, change, self.axis);
                (top_labels(lane, &marks), self.applications(&held.applications, change, colors))
            }
            Lane::Tags | Lane::Websites => {
                let intervals = if lane == Lane::Tags { &held.tags } else { &held.websites };
                self.named_marks(lane, intervals, change, colors)
            }
        };
        let told = told.unwrap_or_else(|| "none".to_owned());
        let label = format!("{}, {}: {told}", lane.name(), date.format("%A %-d %B"));
        self.draw(lane, &label, &pieces)
    }

    fn draw(&self, lane: Lane, label: &str, pieces: &[Piece]) -> Markup {
        let width = self.axis.width();
        html! {
            div class=(format!("lane {}", lane.class())) {
                svg viewBox=(format!("0 0 {width} {HEIGHT}")) preserveAspectRatio="none" role="img" aria-label=(label) {
                    @for piece in pieces.iter().filter(|piece| piece.class != AWAY) {
                        path class=(piece.class) d=(path(&piece.rects)) {
                            @if !piece.title.is_empty() { title { (piece.title) } }
                        }
                    }
                }
                // Frames are borders of elements outside of the SVG. Browsers print borders even if they don't print
                // backgrounds. Also, borders aren't stretched with the SVG.
                @for piece in pieces.iter().filter(|piece| piece.class == AWAY) {
                    @for rect in &piece.rects { span.frame aria-hidden="true" title=(piece.title) style=(place(rect, width)) {} }
                }
                @for piece in pieces.iter().filter(|_| self.has_names) {
                    @for rect in piece.rects.iter().filter(|rect| self.fits_name(rect, &piece.name, 100)) {
                        @let room = if self.fits_name(rect, &piece.name, PRINT_WIDTH_PERCENT) { "within roomy" } else { "within" };
                        span class=(format!("{room} {}", piece.class)) aria-hidden="true" style=(place(rect, width)) {
                            @for word in piece.name.split_whitespace() { span { i { (word) } } " " }
                        }
                    }
                }
            }
        }
    }

    /// Whether the first word of a name fits into a mark completely. The first word is usually the most important word.
    /// The lane has `hundredths` per cent of its desktop width.
    fn fits_name(&self, rect: &Rect, name: &str, hundredths: i64) -> bool {
        let Some(word) = name.split([' ', ',']).next().filter(|word| !word.is_empty()) else { return false };
        let needed = i64::try_from(width_of(word) * LETTER + LETTER).unwrap_or(i64::MAX);
        let lane = WIDTHS[usize::from(!self.is_single_day)] * hundredths / 100;
        rect.height == HEIGHT && (rect.to - rect.from) * lane >= needed * self.axis.width()
    }

    /// Returns marks for the leading application of each ten-minute slot. The tooltips also list the other
    /// applications.
    fn applications(&self, pieces: &[&NamedInterval], change: Option<ClockChange>, colors: &mut Colors) -> Vec<Piece> {
        let leads = leads(pieces, change);
        let drawn: Vec<_> = leads.iter().map(|lead| &lead.drawn).collect();
        let of_bar = |(number, rect): (usize, Rect)| {
            let lead = &leads[number];
            let shares = lead.shares.iter().take(MAX_LABELS).filter(|(_, seconds)| *seconds >= 30);
            let shares: Vec<_> = shares.map(|(name, seconds)| Lane::Applications.label(name, *seconds)).collect();
            Piece {
                class: colors.class(self.legends.applications.color_of(&lead.drawn.name)),
                title: format!("{}: {}", time_range(&lead.drawn), shares.join(", ")),
                rects: vec![rect],
                name: display_name(&lead.drawn.name),
            }
        };
        bars(&drawn, change, self.axis).into_iter().map(of_bar).collect()
    }

    /// Returns the label of the lane, and the marks of the day's blocks and of its intervals away from the computer.
    fn blocks(&self, date: NaiveDate, held: &Day<'_>, colors: &mut Colors) -> (Option<String>, Vec<Piece>) {
        let interval =
            |block: &Segment| local_interval(date, (&block.start, &block.end), block.duration_minutes, block.subject());
        let intervals: Vec<_> = held.blocks.iter().filter_map(|block| Some((block, interval(block)?))).collect();
        let drawn: Vec<_> = intervals.iter().map(|(_, stretch)| stretch).collect();
        let of_bar = |(number, rect): (usize, Rect)| {
            let (block, interval) = &intervals[number];
            let before = number.checked_sub(1).map(|before| intervals[before].0);
            let length = duration(block.duration_minutes);
            Piece {
                class: colors.class(segments::color(block, self.legends)),
                title: format!("{}: {} {length}", time_range(interval), display_name(&interval.name)),
                rects: vec![rect],
                name: display_name(self.block_label(block, before)),
            }
        };
        let mut pieces: Vec<_> = bars(&drawn, None, self.axis).into_iter().map(of_bar).collect();
        pieces.extend(self.away(&held.away));
        let told = (!held.blocks.is_empty()).then(|| {
            let told = held
                .blocks
                .iter()
                .map(|block| format!("{} {}", display_name(block.subject()), duration(block.duration_minutes)));
            join_labels(told.collect())
        });
        (told, pieces)
    }

    fn away(&self, away: &[NamedInterval]) -> Vec<Piece> {
        let of_bar = |(number, rect): (usize, Rect)| {
            let name = display_name(&away[number].name);
            Piece {
                class: AWAY.to_owned(),
                title: format!("{}: {name}", time_range(&away[number])),
                rects: vec![rect],
                name,
            }
        };
        bars(&away.iter().collect::<Vec<_>>(), None, self.axis).into_iter().map(of_bar).collect()
    }

    /// Returns the name to draw within a block. It doesn't contain the client if the previous block has the same
    /// client.
    fn block_label<'b>(&self, block: &'b Segment, before: Option<&Segment>) -> &'b str {
        let Some(subject) = segments::subject(block) else { return block.subject() };
        let client_before = before.and_then(segments::subject).map(client_of);
        let is_clear = self.has_one_client || client_before == Some(client_of(subject));
        task_of(subject).filter(|_| is_clear).unwrap_or(subject)
    }

    fn named_marks(
        &self,
        lane: Lane,
        intervals: &[&NamedInterval],
        change: Option<ClockChange>,
        colors: &mut Colors,
    ) -> (Option<String>, Vec<Piece>) {
        let marks = marks(intervals, change, self.axis);
        let label = top_labels(lane, &marks);
        let piece = |marks: Marks<'_>| Piece {
            class: colors.class(lane.legend(self.legends).color_of(marks.name)),
            title: lane.label(marks.name, marks.seconds),
            // Only one level of a tag is shown, because the lane of tags is too low for more text.
            name: match lane {
                Lane::Tags if self.has_one_client => display_name(task_of(marks.name).unwrap_or(marks.name)),
                Lane::Tags => display_name(client_of(marks.name)),
                _ => String::new(),
            },
            rects: marks.rects,
        };
        (label, marks.into_iter().map(piece).collect())
    }
}

/// Returns the names with the most time as a label. Returns `None` if the lane is empty.
fn top_labels(lane: Lane, marks: &[Marks<'_>]) -> Option<String> {
    let labels: Vec<_> = marks.iter().map(|marks| lane.label(marks.name, marks.seconds)).collect();
    (!labels.is_empty()).then(|| join_labels(labels))
}

fn join_labels(mut told: Vec<String>) -> String {
    let more = told.len().saturating_sub(MAX_LABELS);
    told.truncate(MAX_LABELS);
    if more > 0 {
        told.push(format!("{more} more"));
    }
    told.join(", ")
}

fn time_range(interval: &NamedInterval) -> String {
    format!("{}–{}", clock(interval.start_local, interval.start_local.date()), clock(interval.end_local, interval.date))
}

/// Returns CSS that positions a name or frame at `rect`, in per cent of the lane's width.
#[expect(clippy::cast_precision_loss, reason = "units of a day's drawing")]
fn place(rect: &Rect, width: i64) -> String {
    let percent = |units: i64| units as f64 * 100.0 / width as f64;
    format!("left:{:.2}%;width:{:.2}%", percent(rect.from), percent(rect.to - rect.from))
}
