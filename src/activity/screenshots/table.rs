//! The table `screenshots` of the model: a row is a screenshot's metadata.

use std::ops::Range;
use std::sync::Arc;

use chrono::NaiveDateTime;
use datafusion::arrow::array::{
    ArrayRef, BooleanArray, Int64Array, RecordBatch, StringViewArray, TimestampSecondArray,
};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};

use crate::engine::{RangedTable, TableRows, read_at_once};
use crate::screenshots::{Screenshot, Screenshots};

/// The screenshots of a local range as rows.
#[derive(Debug)]
pub(in crate::activity) struct ScreenshotTable {
    screenshots: Screenshots,
    schema: SchemaRef,
}

impl ScreenshotTable {
    pub(in crate::activity) fn new(screenshots: Screenshots) -> Self {
        let instant = DataType::Timestamp(TimeUnit::Second, None);
        let fields = vec![
            Field::new("screenshot_ref", DataType::Utf8View, false),
            Field::new("taken_local", instant.clone(), false),
            // Absent where the file's name tells no offset.
            Field::new("taken_utc", instant, true),
            Field::new("width", DataType::Int64, true),
            Field::new("height", DataType::Int64, true),
            Field::new("sequence", DataType::Int64, true),
            Field::new("monitor", DataType::Int64, true),
            Field::new("has_image", DataType::Boolean, false),
            Field::new("has_thumbnail", DataType::Boolean, false),
        ];
        Self { screenshots, schema: Arc::new(Schema::new(fields)) }
    }

    /// The rows of a local range, end exclusive. Blocks.
    fn read(&self, range: Range<NaiveDateTime>) -> Result<RecordBatch, Box<dyn std::error::Error + Send + Sync>> {
        let found = self.screenshots.within(&range)?.screenshots;
        let seconds = |instant: NaiveDateTime| instant.and_utc().timestamp();
        let whole = |number: Option<u64>| number.and_then(|number| i64::try_from(number).ok());
        let rows = || found.iter();
        let numbers = |number: fn(&Screenshot) -> Option<u64>| -> ArrayRef {
            Arc::new(rows().map(|shot| whole(number(shot))).collect::<Int64Array>())
        };
        let columns: Vec<ArrayRef> = vec![
            Arc::new(rows().map(|shot| Some(shot.reference.to_string())).collect::<StringViewArray>()),
            Arc::new(rows().map(|shot| Some(seconds(shot.taken))).collect::<TimestampSecondArray>()),
            Arc::new(rows().map(|shot| shot.taken_utc().map(seconds)).collect::<TimestampSecondArray>()),
            numbers(|shot| Some(shot.size?.width.into())),
            numbers(|shot| Some(shot.size?.height.into())),
            numbers(|shot| shot.sequence),
            numbers(|shot| Some(shot.monitor?.into())),
            Arc::new(rows().map(|shot| Some(shot.has_image())).collect::<BooleanArray>()),
            Arc::new(rows().map(|shot| Some(shot.has_thumbnail())).collect::<BooleanArray>()),
        ];
        Ok(RecordBatch::try_new(self.schema(), columns)?)
    }
}

impl RangedTable for ScreenshotTable {
    fn name(&self) -> &'static str {
        "screenshots"
    }

    fn clock(&self) -> &'static str {
        "taken_local"
    }

    fn schema(&self) -> SchemaRef {
        Arc::clone(&self.schema)
    }

    fn rows(self: Arc<Self>, range: Range<NaiveDateTime>) -> TableRows {
        read_at_once(move || self.read(range))
    }
}
