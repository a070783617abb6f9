//! The clock functions of SQL: names, types and values.

use std::sync::Arc;

use crate::dates::instant::timestamp_value;
use arrow::datatypes::DataType;
use arrow::temporal_conversions::NANOSECONDS;
use chrono::{DateTime, Local, Timelike};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
    scalar_doc_sections::DOC_SECTION_DATETIME,
};
use dayledger_core::local_days::LocalDays;

/// Returns the clock functions.
pub(crate) fn functions() -> [Arc<ScalarUDF>; 5] {
    [Reading::Now, Reading::NowUtc, Reading::Today, Reading::CurrentDate, Reading::CurrentTime]
        .map(|reading| Arc::new(ScalarUDF::new_from_impl(ClockFunction::new(reading))))
}

/// Returns the clock function that an expression calls. Returns `None` for other expressions.
pub(super) fn reading_of(expression: &Expr) -> Option<Reading> {
    match expression {
        Expr::ScalarFunction(call) => {
            call.func.inner().downcast_ref::<ClockFunction>().map(|function| function.reading)
        }
        _ => None,
    }
}

/// The clock functions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Reading {
    Now,
    NowUtc,
    Today,
    CurrentDate,
    CurrentTime,
}

impl Reading {
    pub(super) fn call(self) -> &'static str {
        match self {
            Self::Now => "now()",
            Self::NowUtc => "now_utc()",
            Self::Today => "today()",
            Self::CurrentDate => "current_date",
            Self::CurrentTime => "current_time",
        }
    }

    fn name(self) -> &'static str {
        self.call().trim_end_matches("()")
    }

    fn about(self) -> &'static str {
        match self {
            Self::Now => "The local time now, in whole seconds, without offset, for the `*_local` columns.",
            Self::NowUtc => "The time now in UTC, in whole seconds, for the `*_utc` columns.",
            Self::Today => "The local time at which the current day began. By default, it is midnight.",
            Self::CurrentDate => "The date of the current local day.",
            Self::CurrentTime => "The local time of day, in whole seconds.",
        }
    }

    pub(super) fn at(self, now: DateTime<Local>) -> ScalarValue {
        let (local, days) = (now.naive_local(), LocalDays::current());
        match self {
            Self::Now => timestamp_value(local),
            Self::NowUtc => timestamp_value(now.naive_utc()),
            Self::Today => timestamp_value(days.start_of(days.day_of(local))),
            Self::CurrentDate => ScalarValue::Date32(Some(days.day_of(local).to_epoch_days())),
            Self::CurrentTime => {
                let seconds = i64::from(local.num_seconds_from_midnight());
                ScalarValue::Time64Nanosecond(Some(seconds * NANOSECONDS))
            }
        }
    }
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct ClockFunction {
    reading: Reading,
    aliases: Vec<String>,
    signature: Signature,
    documentation: Documentation,
}

impl ClockFunction {
    fn new(reading: Reading) -> Self {
        let documentation = Documentation::builder(DOC_SECTION_DATETIME, reading.about(), reading.call())
            .with_sql_example(format!("SELECT {};", reading.call()))
            .build();
        // Without this alias, `current_timestamp` would still be DataFusion's function, which returns UTC.
        let aliases = if reading == Reading::Now { vec!["current_timestamp".to_owned()] } else { Vec::new() };
        Self { reading, aliases, signature: Signature::nullary(Volatility::Stable), documentation }
    }
}

impl ScalarUDFImpl for ClockFunction {
    fn name(&self) -> &str {
        self.reading.name()
    }

    fn aliases(&self) -> &[String] {
        &self.aliases
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        Ok(self.reading.at(DateTime::default()).data_type())
    }

    fn invoke_with_args(&self, _arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        Ok(ColumnarValue::Scalar(self.reading.at(Local::now())))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_moment_is_available_in_local_time_and_in_utc() {
        let now = Local::now();
        let (local, utc) = (now.naive_local(), now.naive_utc());
        let seconds =
            |time: chrono::NaiveDateTime| ScalarValue::TimestampSecond(Some(time.and_utc().timestamp()), None);
        assert_eq!(Reading::Now.at(now), seconds(local));
        assert_eq!(Reading::NowUtc.at(now), seconds(utc));
        assert_eq!(Reading::CurrentDate.at(now).to_string(), local.date().to_string());
        let of_day = i64::from(local.time().num_seconds_from_midnight()) * 1_000_000_000;
        assert_eq!(Reading::CurrentTime.at(now), ScalarValue::Time64Nanosecond(Some(of_day)));
    }
}
