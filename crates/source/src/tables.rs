//! The tables that every source provides, with their columns.
//!
//! Times are whole seconds. Columns named `*_local` contain the local time of the device, and columns named `*_utc`
//! contain UTC. Texts are `Utf8View`.

use std::sync::{Arc, LazyLock};

use arrow::datatypes::{DataType, Field, Schema, SchemaRef, TimeUnit};
use datafusion::logical_expr::Expr;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::OwnTable;
use super::pushdown::{self, PushedFilter, Values};

/// The number of rows in a record batch.
pub const BATCH_ROWS: usize = 8192;
/// The type of a time: whole seconds. The name of the column shows whether the time is local time or UTC.
pub const INSTANT: DataType = DataType::Timestamp(TimeUnit::Second, None);

/// A table of a history.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum Table {
    /// The activities of all timelines, each with its names, keys, colours, role and device. Activities of computer
    /// usage also have a state, such as `active` ([`ComputerState`]).
    Activities,
    /// Timelines with their role and device.
    Timelines,
    /// Devices.
    Devices,
    /// For each timeline, the number of activities, the first start and the last end.
    TimelineBounds,
    /// The hourly totals that the tracker stores. Empty if the tracker doesn't store any.
    HourlyTotals,
    /// One of the source's own tables.
    Own(Arc<OwnTable>),
}

impl Table {
    /// The tables that every history has, with their names in SQL.
    pub const MODEL: [(&'static str, Self); 5] = [
        ("activities", Self::Activities),
        ("timelines", Self::Timelines),
        ("devices", Self::Devices),
        ("timeline_bounds", Self::TimelineBounds),
        ("hourly_totals", Self::HourlyTotals),
    ];

    /// Returns the table's name in SQL.
    pub fn name(&self) -> &str {
        match self {
            Self::Own(table) => &table.name,
            table => Self::MODEL.iter().find(|(_, known)| known == table).map_or("", |(name, _)| name),
        }
    }

    /// Returns the table's columns.
    pub fn schema(&self) -> SchemaRef {
        match self {
            Self::Activities => SchemaRef::clone(&ACTIVITIES),
            Self::Timelines => SchemaRef::clone(&TIMELINES),
            Self::Devices => SchemaRef::clone(&DEVICES),
            Self::TimelineBounds => SchemaRef::clone(&TIMELINE_BOUNDS),
            Self::HourlyTotals => SchemaRef::clone(&HOURLY_TOTALS),
            Self::Own(table) => SchemaRef::clone(&table.schema),
        }
    }

    /// Converts `filter` to a condition that a scan of this table must apply exactly. Returns `None` if the scan can't
    /// apply the filter.
    pub(super) fn push_filter(&self, filter: &Expr, known: Values) -> Option<PushedFilter> {
        let schema = self.schema();
        let type_of = |column: &str| {
            let field = schema.field_with_name(column).ok()?;
            self.pushes_down(column).then(|| field.data_type().clone())
        };
        pushdown::push_filter(filter, type_of, known)
    }

    /// Whether a scan applies conditions on a column. A scan never does this for a column that privacy settings can
    /// change.
    fn pushes_down(&self, column: &str) -> bool {
        match self {
            Self::Activities => matches!(column, "timeline_id" | "role" | "device" | "start_local" | "end_local"),
            Self::HourlyTotals => matches!(column, "role" | "hour_local"),
            Self::Own(_) => true,
            Self::Timelines | Self::Devices | Self::TimelineBounds => false,
        }
    }
}

/// A state of the computer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum ComputerState {
    /// In use.
    Active,
    /// On, but the user is away.
    Away,
    /// Session locked.
    Locked,
    /// Switched off.
    Off,
    /// Anything else.
    Unknown,
}

impl ComputerState {
    /// Returns the state's name in SQL and in responses.
    pub fn name(self) -> &'static str {
        match self {
            Self::Active => "active",
            Self::Away => "away",
            Self::Locked => "locked",
            Self::Off => "off",
            Self::Unknown => "unknown",
        }
    }
}

/// Returns a schema of columns, each with its name, its type, and whether it can be null.
pub fn schema_of(columns: &[(&str, DataType, bool)]) -> SchemaRef {
    let field = |(name, data_type, nullable): &(&str, DataType, bool)| Field::new(*name, data_type.clone(), *nullable);
    SchemaRef::new(Schema::new(columns.iter().map(field).collect::<Vec<_>>()))
}

const TEXT: DataType = DataType::Utf8View;
const NUMBER: DataType = DataType::Int64;
const FLAG: DataType = DataType::Boolean;

static ACTIVITIES: LazyLock<SchemaRef> = LazyLock::new(|| {
    let texts = DataType::List(Arc::new(Field::new_list_field(TEXT, true)));
    schema_of(&[
        ("timeline_id", NUMBER, false),
        ("activity_id", NUMBER, false),
        ("role", TEXT, false),
        ("device", TEXT, false),
        // Whether the device has a timeline of computer usage.
        ("is_tracked", FLAG, false),
        ("name", TEXT, true),
        ("title", TEXT, true),
        ("key", TEXT, true),
        ("color", TEXT, true),
        ("group_name", TEXT, true),
        ("group_key", TEXT, true),
        ("group_color", TEXT, true),
        ("group_type", TEXT, true),
        ("common_name", TEXT, true),
        ("tag_path", texts.clone(), true),
        ("linked_tags", texts, true),
        // For rows of computer usage, the name of a `ComputerState`. It is determined from the original texts, before
        // redaction. Null for all other rows.
        ("state", TEXT, true),
        ("is_billable", FLAG, true),
        ("notes", TEXT, true),
        // For a document or a website, the id of the application activity to which it belongs.
        ("related_activity_id", NUMBER, true),
        ("start_local", INSTANT, true),
        ("start_utc", INSTANT, true),
        ("end_local", INSTANT, true),
        ("end_utc", INSTANT, true),
        ("seconds", NUMBER, true),
        // The text that the user's rules read. This is the original title if rules may read it. Otherwise, it is the
        // title as shown.
        ("rule_text", TEXT, true),
    ])
});

static TIMELINES: LazyLock<SchemaRef> = LazyLock::new(|| {
    schema_of(&[
        ("timeline_id", NUMBER, false),
        ("role", TEXT, false),
        ("schema_name", TEXT, false),
        ("device", TEXT, false),
        ("name", TEXT, true),
    ])
});

static DEVICES: LazyLock<SchemaRef> = LazyLock::new(|| {
    schema_of(&[
        ("device", TEXT, false),
        ("environment_id", TEXT, false),
        ("operating_system", TEXT, true),
        ("application", TEXT, true),
        ("dot_net", TEXT, true),
    ])
});

static TIMELINE_BOUNDS: LazyLock<SchemaRef> = LazyLock::new(|| {
    schema_of(&[
        ("timeline_id", NUMBER, false),
        ("role", TEXT, false),
        ("device", TEXT, false),
        ("activities", NUMBER, false),
        ("first_local", INSTANT, true),
        ("last_local", INSTANT, true),
        ("first_hour", INSTANT, true),
        ("last_hour", INSTANT, true),
    ])
});

static HOURLY_TOTALS: LazyLock<SchemaRef> = LazyLock::new(|| {
    schema_of(&[
        ("timeline_id", NUMBER, false),
        ("role", TEXT, false),
        ("device", TEXT, true),
        ("hour_local", INSTANT, true),
        ("name", TEXT, true),
        ("key", TEXT, true),
        ("color", TEXT, true),
        ("seconds", NUMBER, true),
    ])
});
