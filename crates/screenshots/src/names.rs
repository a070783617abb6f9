//! Parses and formats the names of image files and of their folders
//! (docs/spec/manictime.md#file-names).
//!
//! It supports every form that names have had. Parsing works on bytes, allocates nothing, and
//! doesn't depend on the clock or the locale.
//!
//! Invariants: formatting a parsed name returns the same bytes. So numbers with leading zeros,
//! which no known version writes, aren't accepted. All dates and times are valid.

use std::fmt;

use chrono::{FixedOffset, NaiveDate, NaiveDateTime, Timelike};
use schemars::JsonSchema;
use serde::Serialize;

/// The maximum number of nested folders: user, device, day.
pub(super) const MAX_FOLDER_DEPTH: usize = 3;
/// The text between the stem of a thumbnail and its extension.
const THUMBNAIL: &[u8] = b".thumbnail";

/// A parsed file name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Name {
    pub(super) stem: Stem,
    pub(super) kind: Kind,
    pub(super) extension: Extension,
}

/// The part that the file names of one screenshot have in common. Ordered by time, then sequence,
/// then number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Stem {
    /// Local time in whole seconds.
    pub(super) taken_at: NaiveDateTime,
    /// `None` for names from before 2018.
    pub(super) details: Option<Details>,
}

/// Width and height of a picture, in pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, JsonSchema)]
pub struct Size {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
}

/// The additional fields of names since 2018.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Details {
    /// Increases with every screenshot of a device.
    pub(super) sequence: u64,
    /// The last number, which is the field `monitor` in the contract.
    pub(super) number: u32,
    /// The size of the full image, also in a thumbnail's name.
    pub(super) size: Size,
    pub(super) offset: Offset,
}

/// Whether a file is the full image or its thumbnail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Image,
    Thumbnail,
}

/// The UTC offset in a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Offset {
    /// The absolute value, less than a day.
    pub(super) minutes: u16,
    pub(super) sign: Sign,
}

/// How the sign of an offset is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sign {
    /// `01-00`: UTC and zones east of UTC, as the tracker writes them.
    None,
    /// `+01-00`.
    Plus,
    /// `-05-00`.
    Minus,
    /// `-03--30`: west of Greenwich with a half hour, where hours and minutes are both negative.
    MinusTwice,
}

/// A file extension, including its capitals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Extension {
    kind: ExtensionKind,
    /// Which letters are capitals. The lowest bit is for the first letter.
    capitals: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum ExtensionKind {
    Jpg,
    Jpeg,
    Png,
}

impl Name {
    /// Parses a file name. Returns `None` for unknown forms.
    pub(super) fn parse(name: &[u8]) -> Option<Self> {
        let dot = name.iter().rposition(|byte| *byte == b'.')?;
        let (before, extension) = (&name[..dot], Extension::parse(&name[dot + 1..])?);
        let (stem, kind) = match before.strip_suffix(THUMBNAIL) {
            Some(stem) => (stem, Kind::Thumbnail),
            None => (before, Kind::Image),
        };
        Some(Self { stem: Stem::parse(stem)?, kind, extension })
    }
}

impl Stem {
    /// Parses `2017-03-28_14-05-33`, the form before 2018, or the same followed by the details.
    fn parse(stem: &[u8]) -> Option<Self> {
        let mut unread = NameParser(stem);
        let taken_at = unread.date_and_time()?;
        let details = if unread.0.is_empty() { None } else { Some(unread.details()?) };
        unread.0.is_empty().then_some(Self { taken_at, details })
    }
}

impl Offset {
    /// Converts the offset to `chrono`'s type.
    pub(super) fn to_fixed_offset(self) -> Option<FixedOffset> {
        let seconds = i32::from(self.minutes) * 60;
        FixedOffset::east_opt(match self.sign {
            Sign::None | Sign::Plus => seconds,
            Sign::Minus | Sign::MinusTwice => -seconds,
        })
    }
}

impl Extension {
    /// The extensions in lower case, in order of preference.
    pub(super) const PLAIN: [Self; 3] = [
        Self { kind: ExtensionKind::Jpg, capitals: 0 },
        Self { kind: ExtensionKind::Jpeg, capitals: 0 },
        Self { kind: ExtensionKind::Png, capitals: 0 },
    ];

    fn parse(written: &[u8]) -> Option<Self> {
        let plain = Self::PLAIN.iter().find(|plain| plain.kind.text().as_bytes().eq_ignore_ascii_case(written))?;
        let capital = |(place, byte): (usize, &u8)| u8::from(byte.is_ascii_uppercase()) << place;
        Some(Self { kind: plain.kind, capitals: written.iter().enumerate().map(capital).sum() })
    }
}

impl ExtensionKind {
    fn text(self) -> &'static str {
        match self {
            Self::Jpg => "jpg",
            Self::Jpeg => "jpeg",
            Self::Png => "png",
        }
    }
}

/// Parses the name of a day folder, such as `2026-02-27`.
pub(super) fn parse_day(name: &[u8]) -> Option<NaiveDate> {
    let mut unread = NameParser(name);
    unread.date().filter(|_| unread.0.is_empty())
}

/// The rest of a name that isn't parsed yet.
struct NameParser<'n>(&'n [u8]);

impl NameParser<'_> {
    fn skip(&mut self, expected: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// Parses a number of exactly `count` digits. `count` must be small enough for `u32`.
    fn digits(&mut self, count: usize) -> Option<u32> {
        let (digits, rest) = self.0.split_at_checked(count)?;
        let mut number = 0;
        for digit in digits {
            number = number * 10 + u32::from(digit.is_ascii_digit().then(|| digit - b'0')?);
        }
        self.0 = rest;
        Some(number)
    }

    /// Parses a number of any length without leading zeros.
    fn number(&mut self) -> Option<u64> {
        let end = self.0.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(self.0.len());
        let (digits, rest) = self.0.split_at(end);
        if digits.is_empty() || (digits.len() > 1 && digits.starts_with(b"0")) {
            return None;
        }
        let mut number = 0_u64;
        for digit in digits {
            number = number.checked_mul(10)?.checked_add(u64::from(digit - b'0'))?;
        }
        self.0 = rest;
        Some(number)
    }

    fn date(&mut self) -> Option<NaiveDate> {
        let year = self.digits(4)?;
        self.skip(b"-")?;
        let month = self.digits(2)?;
        self.skip(b"-")?;
        NaiveDate::from_ymd_opt(i32::try_from(year).ok()?, month, self.digits(2)?)
    }

    fn date_and_time(&mut self) -> Option<NaiveDateTime> {
        let date = self.date()?;
        self.skip(b"_")?;
        let hour = self.digits(2)?;
        self.skip(b"-")?;
        let minute = self.digits(2)?;
        self.skip(b"-")?;
        date.and_hms_opt(hour, minute, self.digits(2)?)
    }

    /// Parses `_01-00_3866_2330_517204_1`: offset, width, height, sequence, number.
    fn details(&mut self) -> Option<Details> {
        self.skip(b"_")?;
        let offset = self.offset()?;
        let mut next = || self.skip(b"_").and_then(|()| self.number());
        let [width, height] = [u32::try_from(next()?).ok()?, u32::try_from(next()?).ok()?];
        let (sequence, number) = (next()?, u32::try_from(next()?).ok()?);
        (width > 0 && height > 0).then_some(Details { sequence, number, size: Size { width, height }, offset })
    }

    fn offset(&mut self) -> Option<Offset> {
        let written = match self.0.first()? {
            b'+' => Sign::Plus,
            b'-' => Sign::Minus,
            _ => Sign::None,
        };
        if written != Sign::None {
            self.0 = &self.0[1..];
        }
        let hours = self.digits(2).filter(|hours| *hours < 24)?;
        self.skip(b"-")?;
        let sign = match (written, self.skip(b"-")) {
            (written, None) => written,
            (Sign::Minus, Some(())) => Sign::MinusTwice,
            _ => return None,
        };
        let minutes = self.digits(2).filter(|minutes| *minutes < 60)?;
        Some(Offset { minutes: u16::try_from(hours * 60 + minutes).ok()?, sign })
    }
}

impl fmt::Display for Name {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}", self.stem)?;
        if self.kind == Kind::Thumbnail {
            out.write_str(".thumbnail")?;
        }
        write!(out, ".{}", self.extension)
    }
}

impl fmt::Display for Stem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { taken_at: taken, details } = self;
        write!(out, "{}_{:02}-{:02}-{:02}", taken.date(), taken.hour(), taken.minute(), taken.second())?;
        match details {
            Some(Details { sequence, number, size: Size { width, height }, offset }) => {
                write!(out, "_{offset}_{width}_{height}_{sequence}_{number}")
            }
            None => Ok(()),
        }
    }
}

impl fmt::Display for Offset {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (before, between) = match self.sign {
            Sign::None => ("", "-"),
            Sign::Plus => ("+", "-"),
            Sign::Minus => ("-", "-"),
            Sign::MinusTwice => ("-", "--"),
        };
        write!(out, "{before}{:02}{between}{:02}", self.minutes / 60, self.minutes % 60)
    }
}

impl fmt::Display for Extension {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let letters = self.kind.text().chars().enumerate();
        letters.into_iter().try_for_each(|(place, letter)| {
            let capital = self.capitals >> place & 1 == 1;
            write!(out, "{}", if capital { letter.to_ascii_uppercase() } else { letter })
        })
    }
}

#[cfg(test)]
mod tests;
