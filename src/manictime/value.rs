//! Values of `SQLite` rows as what they should be; anything else reads as null.
//!
//! `SQLite` stores what it is given: a column declared `datetime` may hold a number, a text may be no UTF-8. One odd value
//! must cost that value and nothing else.

use std::borrow::Cow;

use rusqlite::Row;
use rusqlite::types::ValueRef;

use super::instant::InstantParser;

/// The whole number at `index`, or null.
pub(crate) fn number(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<i64>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Integer(number) => Some(number),
        _ => None,
    })
}

/// The flag at `index` (0 is false), or null.
pub(crate) fn flag(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<bool>> {
    Ok(number(row, index)?.map(|number| number != 0))
}

/// The text at `index`, what is no UTF-8 replaced, or null.
pub(crate) fn text(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<String>> {
    Ok(borrowed_text(row, index)?.map(Cow::into_owned))
}

/// The same without a copy where the text is UTF-8.
pub(crate) fn borrowed_text<'r>(row: &'r Row<'_>, index: usize) -> rusqlite::Result<Option<Cow<'r, str>>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Text(text) => Some(String::from_utf8_lossy(text)),
        _ => None,
    })
}

/// The instant at `index` in seconds on the clock that it was written for, or null.
pub(crate) fn instant(row: &Row<'_>, index: usize) -> rusqlite::Result<Option<i64>> {
    Ok(match row.get_ref(index)? {
        ValueRef::Text(text) => InstantParser::default().parse(text),
        _ => None,
    })
}
