//! Times that a statement writes to the minute, such as `start_local >= '2025-01-15T09:30'`.
//!
//! Tools and table functions take them; Arrow reads none without seconds.

use datafusion::arrow::datatypes::DataType;
use datafusion::common::config::ConfigOptions;
use datafusion::common::tree_node::{Transformed, TreeNode};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::expr::{Cast, TryCast};
use datafusion::logical_expr::expr_rewriter::NamePreserver;
use datafusion::logical_expr::{Expr, LogicalPlan, lit};
use datafusion::optimizer::AnalyzerRule;

use super::instant::parse_instant;

/// `2025-01-15T09:30`.
const TO_THE_MINUTE: usize = 16;

/// Gives such times their seconds, once what they are compared with has made timestamps of them.
#[derive(Debug)]
pub(super) struct ReadMinutes;

impl AnalyzerRule for ReadMinutes {
    fn name(&self) -> &'static str {
        "read_minutes"
    }

    fn analyze(&self, plan: LogicalPlan, _config: &ConfigOptions) -> Result<LogicalPlan> {
        let read = plan.transform_up_with_subqueries(|node| {
            let names = NamePreserver::new(&node);
            node.map_expressions(|whole| {
                let name = names.save(&whole);
                Ok(whole.transform(|part| Ok(with_seconds(part)))?.update_data(|whole| name.restore(whole)))
            })
        });
        Ok(read?.data)
    }
}

fn with_seconds(mut part: Expr) -> Transformed<Expr> {
    if let Expr::Cast(Cast { expr, field }) | Expr::TryCast(TryCast { expr, field }) = &mut part
        && let DataType::Timestamp(..) = field.data_type()
        && let Some(text) = written(expr)
    {
        **expr = lit(format!("{text}:00"));
        return Transformed::yes(part);
    }
    Transformed::no(part)
}

/// The text of a time to the minute.
fn written(part: &Expr) -> Option<&str> {
    let Expr::Literal(ScalarValue::Utf8(text) | ScalarValue::Utf8View(text) | ScalarValue::LargeUtf8(text), _) = part
    else {
        return None;
    };
    text.as_deref().filter(|text| text.len() == TO_THE_MINUTE && parse_instant(text).is_some())
}
