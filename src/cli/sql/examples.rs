//! Questions worth asking, each a file of `sql/examples/`.

/// A question with the statement that answers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Example {
    /// The question in words.
    pub(super) question: &'static str,
    /// The statement.
    pub(super) statement: &'static str,
}

const FILES: [&str; 12] = [
    include_str!("../../../sql/examples/today.sql"),
    include_str!("../../../sql/examples/last_week.sql"),
    include_str!("../../../sql/examples/websites.sql"),
    include_str!("../../../sql/examples/documents.sql"),
    include_str!("../../../sql/examples/clients.sql"),
    include_str!("../../../sql/examples/focus.sql"),
    include_str!("../../../sql/examples/switches.sql"),
    include_str!("../../../sql/examples/hours.sql"),
    include_str!("../../../sql/examples/weekdays.sql"),
    include_str!("../../../sql/examples/evenings.sql"),
    include_str!("../../../sql/examples/breaks.sql"),
    include_str!("../../../sql/examples/two_devices.sql"),
];

/// The examples, in the order in which they are counted from 1.
pub(super) fn all() -> impl ExactSizeIterator<Item = Example> {
    FILES.into_iter().map(|file| {
        let (comment, statement) = file.split_once('\n').unwrap_or((file, ""));
        Example { question: comment.trim_start_matches("--").trim(), statement: statement.trim() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::QueryLimits;
    use crate::engine_over;
    use crate::manictime::demo::{Plan, write};
    use crate::manictime::{FoundBy, Locator, Source};

    #[tokio::test]
    async fn every_example_finds_something_in_the_demo() {
        let dir = tempfile::tempdir().unwrap();
        let today = crate::engine::local_now().date();
        write(dir.path(), &Plan::new(today), &mut |_, _| {}).unwrap();
        let engine = engine_over(Source::new(Locator::named(dir.path(), FoundBy::Flag))).unwrap();
        for example in all() {
            assert!(example.question.ends_with('?'), "{example:?}");
            let answer = super::super::ask(&engine, &QueryLimits::default(), example.statement).await;
            let table = answer.unwrap_or_else(|error| panic!("{}: {error}", example.question));
            let rows: usize = table.batches.iter().map(datafusion::arrow::array::RecordBatch::num_rows).sum();
            assert!(rows > 0, "{}", example.question);
        }
    }
}
