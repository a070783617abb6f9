//! Comma-separated values: plain for programs, or as spreadsheets need them.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, Write};
use std::str::FromStr;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, RecordBatch, StringArray};
use datafusion::arrow::csv::WriterBuilder;
use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Schema};
use datafusion::arrow::error::ArrowError;
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use serde_with::{DeserializeFromStr, SerializeDisplay};

use super::values::{flatten, io_error};

/// The byte order mark. Without one, Excel reads a file as the legacy encoding of the system.
const BYTE_ORDER_MARK: &str = "\u{feff}";
/// Local and UTC times as Excel recognises them; it takes the `T` of ISO 8601 for text.
const SPREADSHEET_TIME: &str = "%Y-%m-%d %H:%M:%S%.f";
/// Characters that make a spreadsheet read the text of a cell as a formula. Excel accepts the full-width forms too.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// A dialect of comma-separated values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Csv {
    separator: Separator,
    /// Without formulas, and with a byte order mark if nothing comes before.
    for_spreadsheets: bool,
    begins_file: bool,
}

impl Csv {
    /// Values separated by tabs, for programs.
    pub const TABS: Self = Self::plain(Separator(b'\t'));

    /// Values as they are, for programs (RFC 4180).
    pub const fn plain(separator: Separator) -> Self {
        Self { separator, for_spreadsheets: false, begins_file: true }
    }

    /// For spreadsheets: a byte order mark, and a `'` before each text that would be read as a formula. Numbers stay
    /// numbers; they have a decimal comma if values are separated by semicolons, as in the countries that use these.
    pub const fn spreadsheet(separator: Separator) -> Self {
        Self { separator, for_spreadsheets: true, begins_file: true }
    }

    /// The same for rows that follow others in a file: a byte order mark belongs at its start alone.
    #[must_use]
    pub const fn with_preceding_rows(self, after_others: bool) -> Self {
        Self { begins_file: !after_others, ..self }
    }

    /// Writes the byte order mark, if any, and the names of the columns.
    pub(super) fn write_header(self, out: &mut dyn Write, columns: &Schema) -> io::Result<()> {
        if self.for_spreadsheets && self.begins_file {
            out.write_all(BYTE_ORDER_MARK.as_bytes())?;
        }
        self.write_rows(out, &RecordBatch::new_empty(Arc::new(columns.clone())), true)
    }

    /// Writes the rows of `batch`.
    pub(super) fn write(self, out: &mut dyn Write, batch: &RecordBatch) -> io::Result<()> {
        self.write_rows(out, batch, false)
    }

    fn write_rows(self, out: &mut dyn Write, batch: &RecordBatch, has_header: bool) -> io::Result<()> {
        // Arrow would wrap what `out` returns, and its kind with it.
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

    /// The batch with every name and value as a spreadsheet needs it.
    fn escape_cells(self, batch: &RecordBatch) -> Result<RecordBatch, ArrowError> {
        let schema = batch.schema();
        let mut fields: Vec<FieldRef> = Vec::with_capacity(schema.fields().len());
        let mut columns: Vec<ArrayRef> = Vec::with_capacity(schema.fields().len());
        for (field, column) in schema.fields().iter().zip(batch.columns()) {
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
            fields.push(Arc::new(Field::new(escape_formula(field.name()), column.data_type().clone(), true)));
            columns.push(column);
        }
        RecordBatch::try_new(Arc::new(Schema::new(fields)), columns)
    }
}

/// The values of a column as text, each changed by `change`.
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

/// The text with a `'` before it if a spreadsheet would read it as a formula. A text that has such a `'` already gets
/// another one, so that removing one always returns the original text.
fn escape_formula(text: &str) -> Cow<'_, str> {
    if text.trim_start_matches('\'').starts_with(FORMULA) { format!("'{text}").into() } else { text.into() }
}

/// The character between two values: one of ASCII, but no quotation mark or line end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, SerializeDisplay, DeserializeFromStr)]
pub struct Separator(u8);

/// A text that is not a separator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("use one character such as `;`, or `tab`")]
pub struct InvalidSeparator;

impl Separator {
    /// The comma.
    pub const COMMA: Self = Self(b',');

    /// Whether the countries that separate values like this write `1,5`.
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
