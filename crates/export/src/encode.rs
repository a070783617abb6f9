//! Encodes record batches in the format of an export.
//!
//! Parquet files are compressed with zstd and have dictionaries. Their rows are sorted by time, and every page has
//! statistics. A reader that needs only a range of time can therefore skip the pages outside the range. Local times are
//! timestamps without a time zone, and UTC times are marked as UTC. All times are in milliseconds, the coarsest unit of
//! Parquet.

use std::io::Write;
use std::sync::Arc;

use arrow::array::RecordBatch;
use arrow::compute::cast;
use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::{Compression, ZstdLevel};
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, SortingColumn};
use parquet::file::properties::{EnabledStatistics, WriterProperties};

use dayledger_rows::{Csv, RowFormat, RowWriter, Separator};

/// The number of rows per row group. A month of a busy history fits into a few groups.
const ROW_GROUP_ROWS: usize = 64 * 1024;

/// The format of exported files.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, clap::ValueEnum, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum FileFormat {
    /// Parquet, compressed with zstd; `sql --exports` can query it.
    #[default]
    Parquet,
    /// CSV with a header; lists as JSON.
    Csv,
    /// CSV for spreadsheets, with a byte order mark and protection against formulas.
    #[serde(rename = "csv-excel")]
    CsvExcel,
    /// JSON Lines: one object per line.
    #[serde(rename = "ndjson")]
    #[value(name = "ndjson")]
    JsonLines,
}

impl FileFormat {
    /// Returns the value of `--format`.
    pub(super) fn name(self) -> &'static str {
        if self == Self::CsvExcel { "csv-excel" } else { self.extension() }
    }

    /// Returns the extension of file names.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Parquet => "parquet",
            Self::Csv | Self::CsvExcel => "csv",
            Self::JsonLines => "ndjson",
        }
    }
}

/// Writes rows as a file of `format`. Only Parquet stores the `metadata`.
///
/// # Errors
/// Fails if Arrow or Parquet can't write a value, or if writing to `out` fails.
pub(super) fn encode(
    mut out: impl Write + Send,
    (schema, batches): (&SchemaRef, &[RecordBatch]),
    clock: &str,
    (format, separator): (FileFormat, Option<Separator>),
    metadata: Vec<(String, String)>,
) -> Result<(), ParquetError> {
    let separator = separator.unwrap_or_default();
    let format = match format {
        FileFormat::Parquet => return write_parquet(out, (schema, batches), clock, metadata),
        FileFormat::Csv => RowFormat::Csv(Csv::plain(separator)),
        FileFormat::CsvExcel => RowFormat::Csv(Csv::spreadsheet(separator)),
        FileFormat::JsonLines => RowFormat::JsonLines,
    };
    Ok(RowWriter::new(format, schema).write_all(&mut out, batches)?)
}

fn write_parquet(
    out: impl Write + Send,
    (schema, batches): (&SchemaRef, &[RecordBatch]),
    clock: &str,
    metadata: Vec<(String, String)>,
) -> Result<(), ParquetError> {
    let schema = to_parquet_schema(schema);
    let sorted = schema.index_of(clock).ok().and_then(|column| i32::try_from(column).ok());
    let sorted = sorted.map(|column_idx| vec![SortingColumn { column_idx, descending: false, nulls_first: false }]);
    let metadata = metadata.into_iter().map(|(key, value)| KeyValue::new(key, value)).collect();
    let properties = WriterProperties::builder()
        .set_created_by(concat!("dayledger ", env!("CARGO_PKG_VERSION")).to_owned())
        .set_compression(Compression::ZSTD(ZstdLevel::try_new(6)?))
        .set_max_row_group_row_count(Some(ROW_GROUP_ROWS))
        .set_statistics_enabled(EnabledStatistics::Page)
        .set_sorting_columns(sorted)
        .set_key_value_metadata(Some(metadata))
        .build();
    // The file doesn't contain Arrow's own schema, so that readers use the types of Parquet.
    let options = ArrowWriterOptions::new().with_properties(properties).with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(out, Arc::clone(&schema), options)?;
    for batch in batches {
        let columns = batch.columns().iter().zip(schema.fields());
        let columns = columns.map(|(column, field)| cast(column, field.data_type())).collect::<Result<_, _>>()?;
        writer.write(&RecordBatch::try_new(Arc::clone(&schema), columns)?)?;
    }
    writer.close()?;
    Ok(())
}

/// Converts the schema to types that every reader of Parquet supports.
fn to_parquet_schema(schema: &Schema) -> SchemaRef {
    let fields = schema.fields().iter().map(|field| {
        let data_type = match field.data_type() {
            DataType::Timestamp(_, _) => {
                let zone = field.name().ends_with("_utc").then(|| Arc::from("UTC"));
                DataType::Timestamp(TimeUnit::Millisecond, zone)
            }
            DataType::Utf8View => DataType::Utf8,
            DataType::List(_) => DataType::List(Arc::new(Field::new("element", DataType::Utf8, true))),
            other => other.clone(),
        };
        Field::new(field.name(), data_type, field.is_nullable())
    });
    Arc::new(Schema::new(fields.collect::<Vec<_>>()))
}
