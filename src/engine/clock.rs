//! `local_now()` and `today()`: the local wall clock, which every range is in; `now()` is UTC.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, TimeUnit};
use datafusion::common::{Result, ScalarValue};
use datafusion::logical_expr::{
    ColumnarValue, Documentation, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
    scalar_doc_sections::DOC_SECTION_DATETIME,
};

/// The local wall clock, for everything that asks what time it is.
pub(crate) fn local_now() -> chrono::NaiveDateTime {
    chrono::Local::now().naive_local()
}

/// The functions of this file.
pub(super) fn functions() -> [Arc<ScalarUDF>; 2] {
    [Reading::Now, Reading::Today].map(|reading| Arc::new(ScalarUDF::new_from_impl(LocalClock::new(reading))))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Reading {
    Now,
    Today,
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct LocalClock {
    reading: Reading,
    signature: Signature,
    documentation: Documentation,
}

impl LocalClock {
    fn new(reading: Reading) -> Self {
        let (description, example) = match reading {
            Reading::Now => ("The local time now, whole seconds, without zone.", "local_now()"),
            Reading::Today => ("Local midnight at which the present day began.", "today()"),
        };
        let documentation = Documentation::builder(DOC_SECTION_DATETIME, description, example)
            .with_sql_example(format!("SELECT {example};"))
            .build();
        Self { reading, signature: Signature::nullary(Volatility::Stable), documentation }
    }
}

impl ScalarUDFImpl for LocalClock {
    fn name(&self) -> &str {
        match self.reading {
            Reading::Now => "local_now",
            Reading::Today => "today",
        }
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _arguments: &[DataType]) -> Result<DataType> {
        Ok(DataType::Timestamp(TimeUnit::Second, None))
    }

    fn invoke_with_args(&self, _arguments: ScalarFunctionArgs) -> Result<ColumnarValue> {
        let now = local_now();
        let instant = match self.reading {
            Reading::Now => now,
            Reading::Today => now.date().and_time(chrono::NaiveTime::MIN),
        };
        let seconds = instant.and_utc().timestamp();
        Ok(ColumnarValue::Scalar(ScalarValue::TimestampSecond(Some(seconds), None)))
    }

    fn documentation(&self) -> Option<&Documentation> {
        Some(&self.documentation)
    }
}
