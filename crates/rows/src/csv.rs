//! Writes comma-separated values, either unchanged for programs or changed for spreadsheets.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use arrow::csv::WriterBuilder;
use arrow::datatypes::{DataType, Field, Schema};
use arrow::error::ArrowError;
use arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::values::{flatten, io_error, map_columns};

/// The byte order mark of UTF-8. Without this mark, Excel reads a file in the legacy encoding of the system.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// The format in which Excel recognises local and UTC times. A time in ISO 8601 contains a `T`, so Excel reads it as
/// text.
const SPREADSHEET_TIME: &str = "%Y-%m-%d %H:%M:%S%.f";
/// If a text begins with one of these characters, spreadsheets read it as a formula. Excel also accepts the full-width
/// forms, such as `＝`.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A dialect of comma-separated values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Csv {
    separator: Separator,
    /// Whether to write a byte order mark and change the cells for spreadsheets.
    for_spreadsheets: bool,
    begins_file: bool,
}

impl Csv {
    /// Unchanged values for programs, separated by tabs.
    pub const TABS: Self = Self::plain(Separator(b'\t'));

    /// Unchanged values for programs (RFC 4180).
    pub const fn plain(separator: Separator) -> Self {
        Self { separator, for_spreadsheets: false, begins_file: true }
    }

    /// Values for spreadsheets: with a byte order mark, and with a `'` before each text that a spreadsheet would read
    /// as a formula. Numbers stay numbers. If the separator is a semicolon, numbers have a decimal comma. Countries
    /// that separate values with semicolons write decimals with a comma.
    pub const fn spreadsheet(separator: Separator) -> Self {
        Self { separator, for_spreadsheets: true, begins_file: true }
    }

    /// Omits the byte order mark if the rows are added to a file with other rows. The mark is valid only at the start
    /// of a file.
    #[must_use]
    pub const fn with_preceding_rows(self, after_others: bool) -> Self {
        Self { begins_file: !after_others, ..self }
    }

    /// Writes the byte order mark, if needed, and the names of the columns.
    pub(super) fn write_header(self, out: &mut dyn Write, columns: &Schema) -> io::Result<()> {
        if self.for_spreadsheets && self.begins_file {
            out.write_all(BYTE_ORDER_MARK.as_bytes())?;
        }
        self.write_rows(out, &RecordBatch::new_empty(Arc::new(columns.clone())), true)
    }

    pub(super) fn write_rows(self, out: &mut dyn Write, batch: &RecordBatch, has_header: bool) -> io::Result<()> {
        // The rows are written to memory first, because Arrow would wrap an error of `out` and hide the kind of the
        // error.
        let mut written = Vec::new();
        let builder = WriterBuilder::new().with_header(has_header).with_delimiter(self.separator.0);
        let mut batch = flatten(batch).map_err(io_error)?;
        let builder = if self.for_spreadsheets {
            batch = self.escape_cells(&batch).map_err(io_error)?;
            builder.with_timestamp_format(SPREADSHEET_TIME.to_owned())
        } else {
            builder
        };
        let mut writer = builder.build(&mut written);
        writer.write(&batch).map_err(io_error)?;
        drop(writer);
        out.write_all(&written)
    }

    /// Returns the batch with all names and values changed for spreadsheets.
    fn escape_cells(self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        map_columns(batch, |field, column| {
            let column = match column.data_type() {
                number if number.is_numeric() => {
                    if self.separator.implies_decimal_comma() && !number.is_integer() {
                        texts(column, |text| Cow::Owned(text.replace('.', ",")))?
                    } else {
                        Arc::clone(column)
                    }
                }
                DataType::Boolean | DataType::Date32 | DataType::Date64 | DataType::Timestamp(..) => Arc::clone(column),
                _ => texts(column, escape_formula)?,
            };
            let field = Field::new(escape_formula(field.name()), column.data_type().clone(), true);
            Ok((Arc::new(field), column))
        })
    }
}

/// Returns the values of a column as text, each one changed by `change`.
fn texts(column: &ArrayRef, change: impl Fn(&str) -> Cow<'_, str>) -> Result<ArrayRef, ArrowError> {
    let options = FormatOptions::new().with_display_error(true);
    let formatter = ArrayFormatter::try_new(column, &options)?;
    let texts = (0..column.len()).map(|row| {
        if column.is_null(row) {
            return Ok(None);
        }
        Ok(Some(change(&formatter.value(row).try_to_string()?).into_owned()))
    });
    let texts: StringArray = texts.collect::<Result<_, ArrowError>>()?;
    Ok(Arc::new(texts))
}

/// Puts a `'` before the text if a spreadsheet would read it as a formula. The text `'=1` becomes `''=1`. A program can
/// therefore restore the original text: it removes one `'` from each text with a `'` before a formula.
fn escape_formula(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(FORMULA) { format!("'{text}").into() } else { text.into() }
}

/// The character between two values: any ASCII character except a quotation mark and line ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Separator(u8);

/// The error for a text that isn't a valid separator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("use one character such as `;`, or `tab`")]
pub struct InvalidSeparator;

impl Separator {
    /// The default separator.
    pub const COMMA: Self = Self(b',');

    /// Whether numbers get a decimal comma, such as `1,5`, because this separator is usual in countries with decimal
    /// commas.
    fn implies_decimal_comma(self) -> bool {
        self.0 == b';'
    }
}

impl Default for Separator {
    fn default() -> Self {
        Self::COMMA
    }
}

impl FromStr for Separator {
    type Err = InvalidSeparator;

    fn from_str(text: &str) -> Result<Self, InvalidSeparator> {
        match text.as_bytes() {
            b"tab" | b"\\t" => Ok(Self(b'\t')),
            [byte] if byte.is_ascii_punctuation() && *byte != b'"' || matches!(byte, b'\t' | b' ') => Ok(Self(*byte)),
            _ => Err(InvalidSeparator),
        }
    }
}

impl fmt::Display for Separator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == b'\t' { formatter.pad("tab") } else { write!(formatter, "{}", char::from(self.0)) }
    }
}
