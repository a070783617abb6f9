//! The example questions. Each question is a file in `sql/examples/`.

/// An example question, with the SQL statement that answers the question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Example {
    /// The question in plain language.
    pub(super) question: &'static str,
    /// The SQL statement that answers the question.
    pub(super) statement: &'static str,
}

const FILES: [&str; 12] = [
    include_str!("../../../../sql/examples/today.sql"),
    include_str!("../../../../sql/examples/last_week.sql"),
    include_str!("../../../../sql/examples/websites.sql"),
    include_str!("../../../../sql/examples/documents.sql"),
    include_str!("../../../../sql/examples/clients.sql"),
    include_str!("../../../../sql/examples/focus.sql"),
    include_str!("../../../../sql/examples/switches.sql"),
    include_str!("../../../../sql/examples/hours.sql"),
    include_str!("../../../../sql/examples/weekdays.sql"),
    include_str!("../../../../sql/examples/evenings.sql"),
    include_str!("../../../../sql/examples/breaks.sql"),
    include_str!("../../../../sql/examples/two_devices.sql"),
];

/// Returns the examples in the order of their numbers. The numbers start at 1.
pub(super) fn all() -> impl ExactSizeIterator<Item = Example> {
    FILES.into_iter().map(|file| {
        let (comment, statement) = file.split_once('\n').unwrap_or((file, ""));
        Example { question: comment.trim_start_matches("--").trim(), statement: statement.trim() }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every statement in the README and on the documentation page about SQL must be one of the examples.
    #[test]
    fn pages_show_examples_as_they_are() {
        let pages = [include_str!("../../../../README.md"), include_str!("../../../../docs/sql.md")];
        let statements: Vec<_> = pages
            .into_iter()
            .flat_map(|page| page.split("```sql\n").skip(1))
            .filter_map(|part| part.split_once(";\n```"))
            .collect();
        assert!(statements.len() >= 7, "{}", statements.len());
        for (statement, _) in statements {
            assert!(all().any(|example| example.statement == statement), "no example is\n{statement}");
        }
    }
}
