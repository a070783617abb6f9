//! References: short texts that identify a screenshot. A reference stays valid after a restart.
//!
//! A reference encodes the folder and the name of a file. It isn't used as a path directly: all its fields are
//! validated when it is parsed, and files are opened only below the root (`index`).
//!
//! There are two forms. The first letter determines the form. The remaining letters are bytes in URL-safe Base64:
//!
//! | letter | bytes |
//! |---|---|
//! | `s` | 120 bits: a checksum and the name's fields; then the folder above the day folder, if there is one |
//! | `g` | a checksum of 24 bits; then the unchanged folder and name |
//!
//! A narrative contains a reference in every segment, so references should be short. With the first form, references to
//! the tracker's usual names have only 21 characters. The second form is for names that the first form can't represent:
//! names from before 2018, files outside of their day's folder, and names with large numbers.

use std::fmt;
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, NaiveDate, NaiveDateTime, TimeDelta};
use serde::{Serialize, Serializer};

use super::names::{Details, Extension, Kind, MAX_FOLDER_DEPTH, Name, Offset, Sign, Size, Stem, parse_day};

const SHORT: char = 's';
const GENERAL: char = 'g';
/// The maximum length in characters. Longer texts aren't decoded, because no path of three folders is so long.
const MAX_LENGTH: usize = 2048;
/// The number of bytes of the packed fields and their checksum.
const BLOCK: usize = 15;
const CHECKSUM_BITS: u32 = 20;

/// Identifies a screenshot. The screenshot has an image, a thumbnail, or both. Outside of this module, a reference is
/// an opaque text.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Reference {
    /// The folder relative to the root, with `/` as separator. Doesn't include the day folder if `in_day` is set.
    above: Arc<str>,
    /// Whether the file is in the folder of the day on which it was taken.
    in_day: bool,
    stem: Stem,
    /// The extension of the image, or of the thumbnail if the image was missing.
    extension: Extension,
}

/// The error for a text that isn't a reference.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("invalid screenshot reference: {reason}")]
pub struct InvalidReference {
    reason: &'static str,
}

/// A folder, with the values that are needed to create references to its files.
pub(super) struct ReferenceFolder {
    whole: Arc<str>,
    /// If the folder is a day folder: the folder above it, and its day.
    day: Option<(Arc<str>, NaiveDate)>,
}

impl ReferenceFolder {
    /// Prepares `folder`, a path relative to the root with `/` as separator.
    pub(super) fn new(folder: &str) -> Self {
        let (above, last) = folder.rsplit_once('/').unwrap_or(("", folder));
        Self { whole: folder.into(), day: parse_day(last.as_bytes()).map(|day| (above.into(), day)) }
    }

    /// Returns the reference for files with this stem.
    pub(super) fn reference(&self, stem: Stem, extension: Extension) -> Reference {
        let (above, in_day) = match &self.day {
            Some((above, day)) if *day == stem.taken_at.date() => (above, true),
            _ => (&self.whole, false),
        };
        Reference { above: Arc::clone(above), in_day, stem, extension }
    }
}

impl Reference {
    pub(super) fn stem(&self) -> Stem {
        self.stem
    }

    pub(super) fn extension(&self) -> Extension {
        self.extension
    }

    /// Returns the folder relative to the root, with `/` as separator.
    pub(super) fn folder(&self) -> String {
        match (self.in_day, &*self.above) {
            (false, above) => above.to_owned(),
            (true, "") => self.stem.taken_at.date().to_string(),
            (true, above) => format!("{above}/{}", self.stem.taken_at.date()),
        }
    }

    /// Returns the path of one of the screenshot's files, relative to the root.
    pub(super) fn path(&self, kind: Kind, extension: Extension) -> PathBuf {
        let name = Name { stem: self.stem, kind, extension };
        Path::new(&self.folder()).join(name.to_string())
    }

    fn short(&self) -> Option<Vec<u8>> {
        let fields = self.in_day.then(|| pack(self.stem, self.extension)).flatten()?;
        let checksum = checksum(&[&fields.to_be_bytes(), self.above.as_bytes()]) >> (u32::BITS - CHECKSUM_BITS);
        let block = u128::from(checksum) << FIELD_BITS | fields;
        Some([&block.to_be_bytes()[size_of::<u128>() - BLOCK..], self.above.as_bytes()].concat())
    }

    fn general(&self) -> Vec<u8> {
        let name = Name { stem: self.stem, kind: Kind::Image, extension: self.extension };
        let path = format!("{}/{name}", self.folder());
        let [_, checksum @ ..] = checksum(&[path.as_bytes()]).to_be_bytes();
        [&checksum, path.as_bytes()].concat()
    }

    fn from_short(bytes: &[u8]) -> Result<Self, InvalidReference> {
        let (block, above) = bytes.split_at_checked(BLOCK).ok_or(FOREIGN)?;
        let block = block.iter().fold(0, |number, byte| number << 8 | u128::from(*byte));
        let fields = block & ((1 << FIELD_BITS) - 1);
        let expected = checksum(&[&fields.to_be_bytes(), above]) >> (u32::BITS - CHECKSUM_BITS);
        if u128::from(expected) != block >> FIELD_BITS {
            return Err(CHANGED);
        }
        let (stem, extension) = unpack(fields).ok_or(FOREIGN)?;
        let above = checked_folder(above, MAX_FOLDER_DEPTH - 1)?;
        Ok(Self { above, in_day: true, stem, extension })
    }

    fn from_general(bytes: &[u8]) -> Result<Self, InvalidReference> {
        let (written, path) = bytes.split_at_checked(3).ok_or(FOREIGN)?;
        if checksum(&[path]).to_be_bytes()[1..] != *written {
            return Err(CHANGED);
        }
        let slash = path.iter().rposition(|byte| *byte == b'/').ok_or(FOREIGN)?;
        let folder = checked_folder(&path[..slash], MAX_FOLDER_DEPTH)?;
        let name = Name::parse(&path[slash + 1..]).filter(|name| name.kind == Kind::Image).ok_or(FOREIGN)?;
        Ok(ReferenceFolder::new(&folder).reference(name.stem, name.extension))
    }
}

const FOREIGN: InvalidReference = InvalidReference { reason: "dayledger does not create references of this form" };
const CHANGED: InvalidReference = InvalidReference { reason: "its checksum does not match" };

fn checksum(parts: &[&[u8]]) -> u32 {
    let mut hasher = crc32fast::Hasher::new();
    for part in parts {
        hasher.update(part);
    }
    hasher.finalize()
}

/// Checks that a folder is below the root, and that its path has the form in which the index writes paths.
fn checked_folder(folder: &[u8], most: usize) -> Result<Arc<str>, InvalidReference> {
    let folder = str::from_utf8(folder).map_err(|_| FOREIGN)?;
    let mut parts = Vec::new();
    for part in Path::new(folder).components() {
        match part {
            Component::Normal(part) => parts.push(part.to_str().ok_or(FOREIGN)?),
            _ => return Err(FOREIGN),
        }
    }
    let plain = parts.len() <= most && parts.join("/") == folder && !folder.contains('\0');
    if plain { Ok(folder.into()) } else { Err(FOREIGN) }
}

/// The widths of the packed fields in bits, starting with the highest bits: seconds since 2000 (until 2272), offset in
/// quarters of an hour, sign of the offset, width, height, sequence (enough for over thirty years), number, extension.
const WIDTHS: [u32; 8] = [33, 6, 2, 15, 15, 24, 3, 2];
const FIELD_BITS: u32 = 100;
const SIGNS: [Sign; 4] = [Sign::None, Sign::Plus, Sign::Minus, Sign::MinusTwice];
const QUARTER: u16 = 15;

fn epoch() -> NaiveDateTime {
    // The time 2000-01-01 00:00:00.
    DateTime::from_timestamp_secs(946_684_800).map(|instant| instant.naive_utc()).unwrap_or_default()
}

/// Packs the fields of a name into bits. Returns `None` if a field doesn't fit.
fn pack(stem: Stem, extension: Extension) -> Option<u128> {
    let Details { sequence, number, size: Size { width, height }, offset } = stem.details?;
    let quarters = offset.minutes.is_multiple_of(QUARTER).then_some(offset.minutes / QUARTER)?;
    let fields = [
        u64::try_from((stem.taken_at - epoch()).num_seconds()).ok()?,
        quarters.into(),
        SIGNS.iter().position(|sign| *sign == offset.sign)? as u64,
        width.into(),
        height.into(),
        sequence,
        number.into(),
        Extension::PLAIN.iter().position(|plain| *plain == extension)? as u64,
    ];
    fields.into_iter().zip(WIDTHS).try_fold(0, |bits: u128, (field, width)| {
        let fits = field >> width == 0;
        fits.then_some(bits << width | u128::from(field))
    })
}

fn unpack(mut bits: u128) -> Option<(Stem, Extension)> {
    let mut fields = [0_u64; WIDTHS.len()];
    for (field, width) in fields.iter_mut().zip(WIDTHS).rev() {
        *field = u64::try_from(bits & ((1 << width) - 1)).ok()?;
        bits >>= width;
    }
    let [seconds, quarters, sign, width, height, sequence, number, extension] = fields;
    let taken_at = epoch().checked_add_signed(TimeDelta::try_seconds(i64::try_from(seconds).ok()?)?)?;
    let minutes = u16::try_from(quarters).ok()? * QUARTER;
    let offset = Offset { minutes, sign: *SIGNS.get(usize::try_from(sign).ok()?)? };
    let size = Size { width: u32::try_from(width).ok()?, height: u32::try_from(height).ok()? };
    if size.width == 0 || size.height == 0 {
        return None;
    }
    let details = Details { sequence, number: u32::try_from(number).ok()?, size, offset };
    let extension = *Extension::PLAIN.get(usize::try_from(extension).ok()?)?;
    Some((Stem { taken_at, details: Some(details) }, extension))
}

impl fmt::Display for Reference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (form, bytes) = match self.short() {
            Some(bytes) => (SHORT, bytes),
            None => (GENERAL, self.general()),
        };
        write!(out, "{form}{}", URL_SAFE_NO_PAD.encode(bytes))
    }
}

impl fmt::Debug for Reference {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Reference({self})")
    }
}

impl FromStr for Reference {
    type Err = InvalidReference;

    fn from_str(text: &str) -> Result<Self, InvalidReference> {
        let mut letters = text.chars();
        let form = letters.next().filter(|_| text.len() <= MAX_LENGTH).ok_or(FOREIGN)?;
        let bytes = URL_SAFE_NO_PAD.decode(letters.as_str()).map_err(|_| FOREIGN)?;
        let reference = match form {
            SHORT => Self::from_short(&bytes)?,
            GENERAL => Self::from_general(&bytes)?,
            _ => return Err(FOREIGN),
        };
        // Every screenshot has exactly one reference. If formatting returns another text, dayledger didn't create
        // `text`.
        if reference.to_string() == text { Ok(reference) } else { Err(FOREIGN) }
    }
}

impl Serialize for Reference {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

#[cfg(test)]
mod tests;
