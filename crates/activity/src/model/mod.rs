//! The SQL model: its views and table functions, which are defined by files in `sql/`. This module also describes the
//! model, and runs statements of users and language models.
//!
//! Start reading at [`register`]. `description` and `glossary` describe the model, `query` runs a statement, and `cell`
//! converts the resulting rows to JSON.

mod cell;
mod description;
mod glossary;
mod meetings;
mod query;

use dayledger_udfs::breaks::Boundary;

use crate::devices::RANGE;
use crate::filter;
use crate::rules_and_tags::rule_functions;
use crate::screenshots::screenshot_table;
use dayledger_calendar::Calendars;
use dayledger_engine::{
    FilteredFunctions, Function, Model, Parameter, PartitionPolicy, PartitionScheme, Statement, View, statement,
};
use dayledger_rules::Rules;
use dayledger_screenshots::Screenshots;
use dayledger_source::{Capability, Privacy};

pub use cell::Cell;
pub use description::{DescribeModelRequest, ModelOverview, NameDetails};
pub use glossary::{column_meaning, table_meaning};
pub use query::{QueryColumn, QueryLimitedBy, QueryRequest, QueryResponse, QueryTruncation};

/// Adds the views, the functions and the table of meetings to `model`. The functions apply the user's `rules`. The
/// table contains the meetings of `calendars`, redacted as `privacy` requires.
pub fn register(model: Model, rules: &Rules, calendars: &Calendars, privacy: &Privacy) -> Model {
    let model = meetings::register(rule_functions::register(model, rules), calendars, privacy)
        .with_definitions(VIEWS, FUNCTIONS);
    let model = if rules.count_calls() { model } else { model.with_function(WITHOUT_CALLS) };
    let model = if rules.rules().is_empty() { model.with_function(WITHOUT_RULES) } else { model };
    model.with_partitioning(PartitionPolicy::new(&OCCUPIED, &BEGINNING)).with_filtered_functions(FILTERED)
}

/// Adds the table `screenshots` to `model`.
pub fn register_screenshots(model: Model, screenshots: Screenshots) -> Model {
    model.with_virtual_table(screenshot_table(screenshots))
}

macro_rules! view {
    ($name:literal) => {
        view!($name, $name, &[])
    };
    ($name:literal, $file:literal, $needs:expr) => {
        View { name: $name, sql: include_str!(concat!("../../../../sql/views/", $file, ".sql")), needs: $needs }
    };
}

macro_rules! function {
    ($name:literal, $parameters:expr) => {
        function!($name, $parameters, None)
    };
    // A function that processes the rows of a role in order of time. Long ranges are computed in parts.
    ($name:literal, $parameters:expr, cut at $at:expr, parts of $role:expr, breaks longer than $gaps:expr) => {
        function!($name, $parameters, Some(PartitionScheme { at: $at, role: $role, gaps: $gaps }))
    };
    ($name:literal, $parameters:expr, $parts:expr) => {
        function!($name in "functions", $parameters, $parts)
    };
    ($name:literal in $folder:literal, $parameters:expr, $parts:expr) => {
        Function {
            name: $name,
            parameters: $parameters,
            sql: include_str!(concat!("../../../../sql/", $folder, "/", $name, ".sql")),
            parts: $parts,
        }
    };
}

static OCCUPIED: Statement = statement!(partitions / "occupied", ROLE_AND_RANGE);
static BEGINNING: Statement = statement!(partitions / "beginning", &[Parameter::text("role")]);

const VIEWS: &[View] = &[
    view!("recorded_activities"),
    view!("applications"),
    view!("documents"),
    view!("websites"),
    // If several views have the same name, the model uses the first view for which all required capabilities exist. The
    // view without requirements must therefore come last.
    view!("tags", "tags_with_links", &[Capability::LinkedTags]),
    view!("tags"),
    view!("computer_usage"),
    view!("active_intervals"),
    view!("browsers"),
    view!("recorded_bounds"),
    view!("app_usage"),
    view!("website_usage"),
    view!("document_usage"),
    view!("tag_usage"),
    view!("segments"),
];

const ROLE_AND_RANGE: &[Parameter] = &[Parameter::text("role"), Parameter::instant("start"), Parameter::instant("end")];
const DEVICE_AND_RANGE: &[Parameter] =
    &[Parameter::text("device"), Parameter::instant("start"), Parameter::instant("end")];

const FUNCTIONS: &[Function] = &[
    function!("pieces", RANGE, cut at Boundary::Hours, parts of Some("applications"), breaks longer than &[]),
    function!("role_pieces", ROLE_AND_RANGE, cut at Boundary::Hours, parts of None, breaks longer than &[]),
    function!("rule_candidates", RANGE),
    function!("pieces_by_rule", RANGE, cut at Boundary::Hours, parts of Some("applications"), breaks longer than &[]),
    function!("project_usage", RANGE),
    function!("unmatched", RANGE),
    function!("why", RANGE),
    function!("calls_around", RANGE),
    function!("pieces_by_day", ROLE_AND_RANGE, cut at Boundary::Hours, parts of None, breaks longer than &[]),
    function!(
        "narrative",
        &[
            Parameter::instant("start"),
            Parameter::instant("end"),
            Parameter::number("max_gap_minutes").with_default(2.0),
            Parameter::number("interruption_minutes").with_default(0.5),
        ],
        cut at Boundary::Hours,
        parts of Some("applications"),
        breaks longer than &["max_gap_minutes", "interruption_minutes"]
    ),
    // `blocks` is not computed in parts, because blocks span all devices. The start of a day on one device can be midday
    // on another device.
    function!(
        "blocks",
        &[
            Parameter::instant("start"),
            Parameter::instant("end"),
            Parameter::number("switch_cost_minutes").with_default(5.0)
        ]
    ),
    function!(
        "device_blocks",
        &[
            Parameter::text("device"),
            Parameter::instant("start"),
            Parameter::instant("end"),
            Parameter::number("switch_cost_minutes").with_default(5.0),
        ]
    ),
    function!("day_summary", RANGE),
    function!("device_day_summary", DEVICE_AND_RANGE),
    function!(
        "device_active_days",
        DEVICE_AND_RANGE,
        cut at Boundary::Days,
        parts of Some("applications"),
        breaks longer than &[]
    ),
    function!("device_day_totals", DEVICE_AND_RANGE),
    function!("weekday_pattern", RANGE),
    function!("hourly_totals_around", ROLE_AND_RANGE),
    function!("recorded_time", ROLE_AND_RANGE),
    function!("hourly_usage", ROLE_AND_RANGE),
    function!("computer_usage_in", RANGE),
    function!("tags_in", RANGE),
    function!("meetings_around", RANGE),
    function!("note_sessions_around", RANGE),
    function!("client_time", RANGE),
    function!("device_client_time", DEVICE_AND_RANGE),
    function!(
        "away_intervals",
        &[Parameter::instant("start"), Parameter::instant("end"), Parameter::number("min_minutes").with_default(10.0)]
    ),
];

/// Replaces `calls_around` if calls do not count as active time. Queries are then planned and run without steps for
/// calls.
const WITHOUT_CALLS: Function = function!("calls_around" in "unconfigured", RANGE, None);

/// Replaces `pieces` if the configuration has no rules. Queries are then planned without steps for rules. This function
/// is not computed in parts, because `role_pieces` already splits long ranges.
const WITHOUT_RULES: Function = function!("pieces" in "unconfigured", RANGE, None);

/// The functions that replace the unfiltered functions in a statement with a [`Filter`]. The filtered functions return
/// only time during which all terms of the filter match.
///
/// [`Filter`]: crate::Filter
const FILTERED: FilteredFunctions = FilteredFunctions {
    parameters: filter::PARAMETERS,
    functions: &[
        function!(
            "role_pieces" in "filtered",
            ROLE_AND_RANGE,
            Some(PartitionScheme { at: Boundary::Hours, role: None, gaps: &[] })
        ),
        function!("tags_in" in "filtered", RANGE, None),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;

    use dayledger_udfs::interval::DayStart;

    const PAGE: &str = include_str!("../../../../docs/sql.md");

    #[test]
    fn the_page_lists_every_view_and_function() {
        for view in VIEWS {
            assert!(PAGE.contains(&format!("\n| `{}` | ", view.name)), "docs/sql.md lacks the view `{}`", view.name);
        }
        for Function { name, parameters, .. } in FUNCTIONS {
            let (needed, open): (Vec<&Parameter>, Vec<&Parameter>) =
                parameters.iter().partition(|parameter| parameter.default.is_none());
            let needed: Vec<_> = needed.iter().map(|parameter| parameter.name).collect();
            let open: Vec<_> = open.iter().map(|parameter| format!(" [, {}]", parameter.name)).collect();
            let call = format!("\n| `{name}({}{})` | ", needed.join(", "), open.concat());
            assert!(PAGE.contains(&call), "docs/sql.md should have a row that begins with{call}");
        }
        let scalar = dayledger_udfs::scalar_functions(DayStart::default());
        let aggregate = dayledger_udfs::aggregate_functions();
        let window = dayledger_udfs::window_functions(DayStart::default());
        let names = scalar.iter().map(|function| function.name());
        let names = names.chain(aggregate.iter().map(|function| function.name()));
        for name in names.chain(window.iter().map(|function| function.name())) {
            assert!(PAGE.contains(&format!("`{name}(")), "docs/sql.md lacks the function `{name}`");
        }
    }
}
