//! Example questions, each in a file of `sql/examples/`.

/// An example: a question and the statement that answers it.
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

/// Returns the examples in the order of their numbers, which start at 1.
pub(super) fn all() -> impl ExactSizeIterator<Item = Example> {
    FILES.into_iter().map(|file| {
        let (comment, statement) = file.split_once('\n').unwrap_or((file, ""));
        Example { question: comment.trim_start_matches("--").trim(), statement: statement.trim() }
    })
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::App;
    use crate::engine::{Engine, QueryLimits, local_now};
    use crate::report::{self, ColorDepth, Format, Style};
    use crate::source::FoundBy;
    use crate::trackers;
    use dayledger_fixtures::demo::{Plan, write};
    use dayledger_fixtures::{Activity, Group, HistoryWriter, SchemaOptions, Span, Timeline};

    #[tokio::test]
    async fn every_example_finds_something_in_the_demo() {
        let dir = tempfile::tempdir().unwrap();
        let today = local_now().date();
        write(dir.path(), &Plan::new(today)).unwrap();
        let app = App::builder(trackers::history_at(dir.path(), FoundBy::Flag)).build().unwrap();
        for example in all() {
            assert!(example.question.ends_with('?'), "{example:?}");
            let answer = app.engine().query(example.statement, &QueryLimits::default()).await;
            let table = answer.unwrap_or_else(|error| panic!("{}: {error}", example.question));
            let rows: usize = table.batches.iter().map(datafusion::arrow::array::RecordBatch::num_rows).sum();
            assert!(rows > 0, "{}", example.question);
        }
    }

    /// Writes an hour of today around six in the evening, in one browser on two devices: 21 minutes on one site and 39
    /// on another, with two tags for half of the hour.
    fn write_evening(folder: &std::path::Path, today: NaiveDate) {
        let at =
            |start: &str, end: &str| Span::local(&format!("{today} {start}"), &format!("{today} {end}"), 0).unwrap();
        let mut writer = HistoryWriter::in_folder(folder, SchemaOptions::default()).unwrap();
        for (device, first) in [("desk", 1), ("lap", 11)] {
            writer.add_environment(device, device, None).unwrap();
            let [applications, documents, tags] = [first, first + 1, first + 2];
            writer.add_timeline(&Timeline::applications(applications, device)).unwrap();
            writer.add_timeline(&Timeline::documents(documents, device)).unwrap();
            writer.add_timeline(&Timeline::tags(tags, device)).unwrap();
            let chrome = writer.add_group(applications, &Group::application("chrome.exe;chrome", "Chrome")).unwrap();
            let browsing = Activity::new("window", at("17:30:00", "18:30:00")).group(chrome);
            let browsing = writer.add_activity(applications, &browsing).unwrap();
            for (site, start, end) in [("one.example", "17:30:00", "17:51:00"), ("two.example", "17:51:00", "18:30:00")]
            {
                let group = writer.add_group(documents, &Group::web_site(site)).unwrap();
                let visit = Activity::new(site, at(start, end)).group(group).related_activity(browsing);
                writer.add_activity(documents, &visit).unwrap();
            }
            let client = writer.add_group(tags, &Group::tag("Client A")).unwrap();
            let list = writer.add_group_list(tags, "Client A", &[client], false).unwrap();
            let tagged = Activity::new("Client A", at("17:30:00", "18:00:00")).group_list(list);
            writer.add_activity(tags, &tagged).unwrap();
        }
        writer.finish().unwrap();
    }

    async fn csv(engine: &Engine, question: &str) -> String {
        let example = all().find(|example| example.question.contains(question)).unwrap();
        let table = engine.query(example.statement, &QueryLimits::default()).await.unwrap();
        let mut out = Vec::new();
        let style = Style { color: ColorDepth::None, width: 80, unicode: true };
        report::write_batches(&mut out, &table.batches, &table.schema, Format::Csv, &style).unwrap();
        String::from_utf8(out).unwrap()
    }

    /// Each minute counts once in every total, and nothing is rounded to whole hours.
    #[tokio::test]
    async fn examples_count_like_the_tools() {
        let dir = tempfile::tempdir().unwrap();
        write_evening(dir.path(), local_now().date());
        let app = App::builder(trackers::history_at(dir.path(), FoundBy::Flag)).build().unwrap();
        for (question, rows) in [
            ("Which sites had my attention", "website,minutes\ntwo.example,39.0\none.example,21.0\n"),
            ("How much time did each client get", "client,hours\nClient A,0.5\n"),
            ("At which hours of the day", "hour,minutes\n17,30.0\n18,30.0\n"),
            ("after six in the evening", "application,minutes\nChrome,30.0\n"),
            ("two devices at once", "minutes_on_two_devices\n60.0\n"),
        ] {
            assert_eq!(csv(app.engine(), question).await, rows, "{question}");
        }
    }

    /// Every statement in the README and on the page about SQL is one of the examples.
    #[test]
    fn pages_show_examples_as_they_are() {
        let pages = [include_str!("../../../README.md"), include_str!("../../../docs/sql.md")];
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
