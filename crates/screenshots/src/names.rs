//! Parses and formats the names of image files and of their folders
//! (docs/spec/manictime.md#file-names).
//!
//! All forms of names are supported, including those of older versions. Parsing works on bytes,
//! allocates no memory, and doesn't depend on the clock or the locale.
//!
//! Invariants: formatting a parsed name returns the original bytes. Therefore numbers with leading
//! zeros, which no known version writes, aren't accepted. All dates and times are valid.

use std::fmt;

use chrono::{FixedOffset, NaiveDate, NaiveDateTime, Timelike};
use schemars::JsonSchema;
use serde::Serialize;

/// The maximum number of nested folders: one each for user, device and day.
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

/// The text that the file names of one screenshot have in common. Stems are ordered by time, then
/// sequence, then number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Stem {
    /// The local time at which the screenshot was taken, in whole seconds.
    pub(super) taken_at: NaiveDateTime,
    /// `None` for names from before 2018, which have no details.
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
    /// A number that increases with every screenshot of a device.
    pub(super) sequence: u64,
    /// The last number in the name. The contract calls it `monitor`.
    pub(super) number: u32,
    /// The size of the full image. The name of a thumbnail also contains the size of the full
    /// image.
    pub(super) size: Size,
    pub(super) offset: Offset,
}

/// Whether a file is the full image or the thumbnail of a screenshot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Kind {
    Image,
    Thumbnail,
}

/// The UTC offset in a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Offset {
    /// The absolute value in minutes, less than a day.
    pub(super) minutes: u16,
    pub(super) sign: Sign,
}

/// The notation of the sign of an offset.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Sign {
    /// `01-00`: the tracker writes no sign for UTC and zones east of UTC.
    None,
    /// `+01-00`: a plus sign.
    Plus,
    /// `-05-00`: a minus sign.
    Minus,
    /// `-03--30`: a minus sign before the hours and before the minutes. Zones west of Greenwich
    /// whose offset contains a half hour have this form.
    MinusTwice,
}

/// A file extension. Capital letters in the extension are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Extension {
    kind: ExtensionKind,
    /// One bit for each letter, which is set if the letter is a capital. The lowest bit is for the
    /// first letter.
    capitals: u8,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum ExtensionKind {
    Jpg,
    Jpeg,
    Png,
}

impl Name {
    /// Parses a file name. Returns `None` if the name has an unknown form.
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
    /// Parses a stem. Before 2018, stems had the form `2017-03-28_14-05-33`. Since then, the
    /// details follow after this form.
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

/// The part of a name that isn't parsed yet.
struct NameParser<'n>(&'n [u8]);

impl NameParser<'_> {
    fn skip(&mut self, expected: &[u8]) -> Option<()> {
        self.0 = self.0.strip_prefix(expected)?;
        Some(())
    }

    /// Parses a number of exactly `count` digits. `count` must be small enough that the number fits
    /// into `u32`.
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

    /// Parses details such as `_01-00_3866_2330_517204_1`: offset, width, height, sequence, number.
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
