//! Pages of long lists. Each page states how many rows it leaves out, and where the next page starts.
//!
//! A list is cut at the limit of its request, or at the maximum size of a response. The crate `mcp` defines this size.
//! Invariants: all pages of a list together contain the whole list, and every page has the same totals.

use std::fmt::{self, Debug, Display};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::ops::Range;

use schemars::JsonSchema;
use serde::Serialize;
use serde_with::{SerializeDisplay, skip_serializing_none};

use super::{Error, codes};

/// A response that can be shortened. Shortening removes rows from the end of its main list, but keeps its totals. A
/// response without a main list can't be shortened.
pub trait Truncate {
    /// Returns the number of rows in the main list, or 0 if the response has no main list.
    fn rows(&self) -> usize {
        0
    }

    /// Keeps only the first `rows` rows, and updates `truncation` with the start of the next page.
    fn keep(&mut self, _rows: usize) {}
}

/// The start of a page: the number of rows before the page, and a hash of the request (docs/contract.md,
/// `truncation.nextCursor`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, SerializeDisplay)]
pub struct Cursor {
    request_hash: u32,
    after: usize,
}

impl Cursor {
    /// Parses the parameter `field`.
    ///
    /// # Errors
    /// Fails with `INVALID_CURSOR` if the text is not a cursor.
    pub fn parse(text: &str, field: &str) -> Result<Self, Error> {
        // The number parsers accept a sign such as `+`, but cursors in responses never contain a sign.
        let is_plain = |part: &str| part.bytes().all(|byte| byte.is_ascii_hexdigit());
        let parts = text.split_once('-').filter(|(hash, after)| hash.len() == 8 && is_plain(hash) && is_plain(after));
        parts
            .and_then(|(hash, after)| {
                Some(Self { request_hash: u32::from_str_radix(hash, 16).ok()?, after: after.parse().ok()? })
            })
            .ok_or_else(|| invalid_cursor(field, "invalid cursor: this tool did not return it"))
    }
}

impl Display for Cursor {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:08x}-{}", self.request_hash, self.after)
    }
}

fn invalid_cursor(field: &str, message: &str) -> Error {
    Error::with_field(
        codes::INVALID_CURSOR,
        field,
        message,
        "pass `truncation.nextCursor` of the previous response unchanged, with the same arguments, or omit it to start",
    )
}

/// The limit that shortened a list (docs/contract.md, `truncation.limitedBy`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum LimitedBy {
    /// The parameter `maxSegments`.
    MaxSegments,
    /// The parameter `limit`.
    Limit,
    /// The parameter `maxCount`: the returned rows are spread evenly over the range.
    MaxCount,
    /// A cap that the tool sets itself.
    Cap,
    /// The maximum size of a response.
    AnswerSize,
}

/// Whether rows were cut off, by which limit, and how to continue (docs/contract.md, `truncation`).
#[skip_serializing_none]
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub struct Truncation {
    /// Whether rows are missing from the response.
    pub truncated: bool,
    /// Number of rows in the response.
    pub returned_count: usize,
    /// Total number of rows.
    pub total_available: usize,
    /// The limit that cut the list.
    pub limited_by: Option<LimitedBy>,
    /// The value to pass as `cursor` to get the next rows. Absent on the last page.
    #[schemars(with = "String")]
    pub next_cursor: Option<Cursor>,
    /// The page that starts at the first returned row, or `None` if the list has no pages.
    #[serde(skip)]
    page: Option<Page>,
}

impl Truncation {
    /// Describes a response that contains `returned` of the `available` rows of a list without pages.
    pub fn new(returned: usize, available: usize) -> Self {
        Self {
            truncated: returned < available,
            returned_count: returned,
            total_available: available,
            limited_by: None,
            next_cursor: None,
            page: None,
        }
    }

    /// Describes a response without a list, because the list was not requested. The list would have `available` rows.
    /// They don't count as missing.
    pub fn not_requested(available: usize) -> Self {
        Self { truncated: false, ..Self::new(0, available) }
    }

    /// Records that the response was reduced to its first `rows` rows, because it was too large. Does nothing if the
    /// response has at most `rows` rows.
    pub fn keep(&mut self, rows: usize) {
        if rows < self.returned_count {
            self.truncated = true;
            self.returned_count = rows;
            self.limited_by = Some(LimitedBy::AnswerSize);
            self.next_cursor = self.page.map(|page| page.cursor_after(rows));
        }
    }
}

/// A page of a list, for one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Page {
    request_hash: u32,
    first: usize,
}

impl Page {
    /// Returns the page that starts at `cursor`, or the first page if `cursor` is `None`. `request` must be equal for
    /// all pages of a list. Therefore, pass the request without its cursor and its limit.
    ///
    /// # Errors
    /// Fails with `INVALID_CURSOR` if the cursor is from a response to another request.
    pub fn from_cursor(request: &impl Debug, cursor: Option<Cursor>) -> Result<Self, Error> {
        let mut hasher = DefaultHasher::new();
        format!("{request:?}").hash(&mut hasher);
        #[expect(clippy::cast_possible_truncation, reason = "32 bits distinguish the requests of a conversation")]
        let request_hash = hasher.finish() as u32;
        match cursor {
            Some(cursor) if cursor.request_hash != request_hash => {
                Err(invalid_cursor("cursor", "invalid cursor: it belongs to another request"))
            }
            _ => Ok(Self { request_hash, first: cursor.map_or(0, |cursor| cursor.after) }),
        }
    }

    /// Returns the positions of the rows on this page, and the truncation to report. The page has at most `most` rows,
    /// and the whole list has `available` rows.
    pub fn rows(self, available: usize, most: usize, limited_by: LimitedBy) -> (Range<usize>, Truncation) {
        let first = self.first.min(available);
        let end = first.saturating_add(most).min(available);
        let follows = end < available;
        let truncation = Truncation {
            limited_by: follows.then_some(limited_by),
            next_cursor: follows.then(|| self.cursor_after(end - first)),
            page: Some(Self { first, ..self }),
            ..Truncation::new(end - first, available)
        };
        (first..end, truncation)
    }

    /// Returns the number of rows from the start of the list to the end of this page. The page has at most `most` rows.
    pub fn rows_until_end(self, most: usize) -> usize {
        self.first.saturating_add(most)
    }

    fn cursor_after(self, rows: usize) -> Cursor {
        Cursor { request_hash: self.request_hash, after: self.first.saturating_add(rows) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a list of 10 in pages of 4. The second page is reduced to 1 row because of its size.
    #[test]
    fn next_page_continues_where_the_last_one_ended() {
        let mut begins = Vec::new();
        let mut cursor = None;
        loop {
            let (rows, mut truncation) = Page::from_cursor(&"request", cursor).unwrap().rows(10, 4, LimitedBy::Limit);
            begins.push(rows.start);
            if rows.start == 4 {
                truncation.keep(1);
                assert_eq!((truncation.returned_count, truncation.limited_by), (1, Some(LimitedBy::AnswerSize)));
            }
            assert_eq!((truncation.truncated, truncation.total_available), (true, 10));
            let Some(next) = truncation.next_cursor else { break };
            cursor = Some(Cursor::parse(&next.to_string(), "cursor").unwrap());
        }
        assert_eq!(begins, [0, 4, 5, 9]);
    }

    #[test]
    fn keeping_everything_changes_nothing() {
        let (_, whole) = Page::from_cursor(&"request", None).unwrap().rows(3, 4, LimitedBy::Limit);
        let mut kept = whole;
        kept.keep(3);
        assert_eq!((kept, kept.truncated), (whole, false));
    }

    #[test]
    fn cursors_of_other_requests_and_invalid_cursors_are_rejected() {
        let (_, truncation) = Page::from_cursor(&"request", None).unwrap().rows(9, 4, LimitedBy::Limit);
        let other = Page::from_cursor(&"other request", truncation.next_cursor).unwrap_err();
        assert_eq!(other.code, codes::INVALID_CURSOR);
        for text in ["", "-", "after-4", "00000000-", "00000000--1", "00000000-+1", "+0000000-1", "0-1", "00000000-1.5"]
        {
            assert_eq!(Cursor::parse(text, "cursor").unwrap_err().code, codes::INVALID_CURSOR, "{text}");
        }
        let beyond = Cursor::parse("00000000-99999999999999999999", "cursor");
        assert!(beyond.is_err());
    }

    #[test]
    fn a_list_that_became_shorter_ends() {
        let (_, truncation) = Page::from_cursor(&"request", None).unwrap().rows(9, 4, LimitedBy::Limit);
        let (rows, truncation) =
            Page::from_cursor(&"request", truncation.next_cursor).unwrap().rows(2, 4, LimitedBy::Limit);
        assert_eq!((rows, truncation.next_cursor), (2..2, None));
    }
}
