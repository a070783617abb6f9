//! Tests of rows in every format.

use std::io::Write;
use std::sync::Arc;

use arrow::array::{
    ArrayRef, Decimal128Array, Float64Array, Int64Array, ListBuilder, RecordBatch, StringArray, StringBuilder,
    StructArray, TimestampMicrosecondArray,
};
use arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use insta::assert_snapshot;
use unicode_width::UnicodeWidthStr;

use super::{PLAIN, render};
use crate::{ColorDepth, Format, RowStyle, Style, TableFit, write_batches, write_for_screen};
use dayledger_rows::Separator;

/// Returns rows with nested lists, nulls, pipes, quotes, line ends, wide characters and an escape sequence.
fn batch() -> RecordBatch {
    let mut tags = ListBuilder::new(StringBuilder::new());
    tags.values().append_value("a \"b\", c");
    tags.values().append_null();
    tags.append(true);
    tags.append(true);
    tags.append(false);
    let names = StringArray::from(vec![Some("x|y \"q\", C:\\z"), Some("日本\n\u{1b}[31mrot"), None]);
    // The first time is 2025-01-15 09:30 in local time, in microseconds.
    let starts = TimestampMicrosecondArray::from(vec![Some(1_736_933_400_000_000), Some(1_736_933_400_500_000), None]);
    let inner: ArrayRef = Arc::new(Int64Array::from(vec![Some(1), None, Some(3)]));
    let pair = StructArray::from(vec![(Arc::new(Field::new("n", DataType::Int64, true)), inner)]);
    RecordBatch::try_from_iter_with_nullable(vec![
        ("name", Arc::new(names) as ArrayRef, true),
        ("start_local", Arc::new(starts), true),
        ("minutes", Arc::new(Float64Array::from(vec![Some(20.0), Some(-1.5), None])), true),
        ("tags", Arc::new(tags.finish()), true),
        ("pair", Arc::new(pair), true),
    ])
    .unwrap()
}

fn write_to_string(batches: &[RecordBatch], schema: &SchemaRef, format: Format) -> String {
    render(|out| write_batches(out, batches, schema, format, &PLAIN))
}

fn rows(format: Format) -> String {
    write_to_string(&[batch()], &batch().schema(), format)
}

#[test]
fn a_table() {
    assert_snapshot!(rows(Format::Table), @r#"
     name          │ start_local             │ minutes │ tags                │ pair
    ───────────────┼─────────────────────────┼─────────┼─────────────────────┼────────────
     x|y "q", C:\z │ 2025-01-15T09:30:00     │    20.0 │ ["a \"b\", c",null] │ {"n":1}
     日本␊␛[31mrot │ 2025-01-15T09:30:00.500 │    -1.5 │ []                  │ {"n":null}
     NULL          │ NULL                    │    NULL │ NULL                │ {"n":3}
    (3 rows)
    "#);
}

#[test]
fn csv() {
    let lines = [
        "name,start_local,minutes,tags,pair",
        r#""x|y ""q"", C:\z",2025-01-15T09:30:00,20.0,"[""a \""b\"", c"",null]","{""n"":1}""#,
        "\"日本\n\u{1b}[31mrot\",2025-01-15T09:30:00.500,-1.5,[],\"{\"\"n\"\":null}\"",
        r#",,,,"{""n"":3}""#,
    ];
    assert_eq!(rows(Format::Csv), lines.join("\n") + "\n");
}

/// Without the byte order mark, Excel would show `Größe` as `GrÃ¶ÃŸe`. Without the escapes, Excel would read the title
/// of a web page as a formula.
#[test]
fn csv_for_excel_has_a_byte_order_mark_and_no_formulas() {
    let texts = ["Größe", "=1+1", "-x", "@a", "+1", "\tb", "\rc", "'=d", "'e", "f; g", "-5"];
    let count = i32::try_from(texts.len()).unwrap();
    let hours = Decimal128Array::from_iter_values((0..count).map(|row| i128::from(row * 25 - 50)));
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("=title", Arc::new(StringArray::from(texts.to_vec()))),
        ("hours", Arc::new(hours.with_precision_and_scale(12, 2).unwrap())),
        ("number", Arc::new(Int64Array::from_iter_values((0..i64::from(count)).map(|row| row - 5)))),
        ("start_local", Arc::new(TimestampMicrosecondArray::from(vec![1_736_933_400_500_000; texts.len()]))),
    ];
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let written = |format: Format, separator: &str| {
        let separator: Separator = separator.parse().unwrap();
        let style = RowStyle { separator: Some(separator), ..format.into() };
        render(|out| write_batches(out, std::slice::from_ref(&batch), &batch.schema(), style, &PLAIN))
    };
    let lines = [
        "\u{feff}'=title;hours;number;start_local",
        "Größe;-0,50;-5;2025-01-15 09:30:00.500",
        "'=1+1;-0,25;-4;2025-01-15 09:30:00.500",
        "'-x;0,00;-3;2025-01-15 09:30:00.500",
        "'@a;0,25;-2;2025-01-15 09:30:00.500",
        "'+1;0,50;-1;2025-01-15 09:30:00.500",
        "'\tb;0,75;0;2025-01-15 09:30:00.500",
        "\"'\rc\";1,00;1;2025-01-15 09:30:00.500",
        "''=d;1,25;2;2025-01-15 09:30:00.500",
        "'e;1,50;3;2025-01-15 09:30:00.500",
        "\"f; g\";1,75;4;2025-01-15 09:30:00.500",
        "'-5;2,00;5;2025-01-15 09:30:00.500",
    ];
    assert_eq!(written(Format::CsvExcel, ";"), lines.join("\n") + "\n");
    let commas = written(Format::CsvExcel, ",");
    assert!(commas.contains("\nGröße,-0.50,-5,2025-01-15 09:30:00.500\n"), "{commas}");
    let plain = written(Format::Csv, ";");
    assert!(plain.starts_with("=title;hours;number;start_local\nGröße;-0.50;-5;2025-01-15T09:30:00.500\n"), "{plain}");
    assert!(plain.contains("\n=1+1;-0.25;"), "{plain}");
    for wrong in ["", "\"", "\n", ";;", "a", "ö"] {
        assert!(wrong.parse::<Separator>().is_err(), "{wrong:?}");
    }
}

#[test]
fn json() {
    assert_snapshot!(rows(Format::Json), @r#"[{"name":"x|y \"q\", C:\\z","start_local":"2025-01-15T09:30:00","minutes":20.0,"tags":["a \"b\", c",null],"pair":{"n":1}},{"name":"日本\n\u001b[31mrot","start_local":"2025-01-15T09:30:00.500","minutes":-1.5,"tags":[],"pair":{"n":null}},{"name":null,"start_local":null,"minutes":null,"tags":null,"pair":{"n":3}}]"#);
    let parsed: serde_json::Value = serde_json::from_str(&rows(Format::Json)).unwrap();
    assert_eq!(parsed[0]["tags"], serde_json::json!(["a \"b\", c", null]));
}

#[test]
fn json_lines_have_an_object_per_line() {
    let lines: Vec<serde_json::Value> =
        rows(Format::JsonLines).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        serde_json::Value::Array(lines),
        serde_json::from_str::<serde_json::Value>(&rows(Format::Json)).unwrap()
    );
}

#[test]
fn markdown() {
    assert_snapshot!(rows(Format::Markdown), @r#"
    | name | start_local | minutes | tags | pair |
    | --- | --- | ---: | --- | --- |
    | x\|y "q", C:\\z | 2025-01-15T09:30:00 | 20.0 | ["a \\"b\\", c",null] | {"n":1} |
    | 日本<br>␛[31mrot | 2025-01-15T09:30:00.500 | -1.5 | [] | {"n":null} |
    |  |  |  |  | {"n":3} |
    "#);
}

#[test]
fn vertical() {
    assert_snapshot!(rows(Format::Vertical), @r#"
    ─ row 1 ────────────────
     name        │ x|y "q", C:\z
     start_local │ 2025-01-15T09:30:00
     minutes     │ 20.0
     tags        │ ["a \"b\", c",null]
     pair        │ {"n":1}
    ─ row 2 ────────────────
     name        │ 日本␊␛[31mrot
     start_local │ 2025-01-15T09:30:00.500
     minutes     │ -1.5
     tags        │ []
     pair        │ {"n":null}
    ─ row 3 ────────────────
     name        │ NULL
     start_local │ NULL
     minutes     │ NULL
     tags        │ NULL
     pair        │ {"n":3}
    "#);
}

#[test]
fn a_table_is_cut_to_the_screen_and_drops_its_last_columns_if_needed() {
    let framed = |format, columns| {
        let mut fitted = TableFit::default();
        let text = render(|out| {
            fitted = write_for_screen(out, &[batch()], &batch().schema(), (format, columns), &PLAIN)?;
            Ok(())
        });
        (text, fitted)
    };
    let fitted = |columns| framed(Format::Table, columns);
    let whole = rows(Format::Table);
    let whole = whole.strip_suffix("(3 rows)\n").unwrap();
    assert_eq!(fitted(86), (whole.to_owned(), TableFit::default()));
    let (narrow, cut) = fitted(80);
    assert_eq!(cut, TableFit { is_cut: true, left_out: 0 });
    assert!(narrow.contains('…') && narrow.lines().all(|line| line.width() <= 80), "{narrow}");
    assert!(narrow.contains("│ 2025-01-15T09:30:00.500 │    -1.5 │"), "times and numbers are not truncated: {narrow}");
    let (narrow, cut) = fitted(45);
    assert_eq!(cut, TableFit { is_cut: false, left_out: 3 });
    assert_snapshot!(narrow, @r#"
     name          │ start_local             │ …
    ───────────────┼─────────────────────────┼───
     x|y "q", C:\z │ 2025-01-15T09:30:00     │ …
     日本␊␛[31mrot │ 2025-01-15T09:30:00.500 │ …
     NULL          │ NULL                    │ …
    "#);
    let (narrow, cut) = framed(Format::Box, 56);
    assert_eq!(cut, TableFit { is_cut: true, left_out: 2 });
    assert!(narrow.lines().all(|line| line.width() <= 56), "{narrow}");
    assert_snapshot!(narrow, @r#"
    ┌──────────────┬─────────────────────────┬─────────┬───┐
    │ name         │ start_local             │ minutes │ … │
    ├──────────────┼─────────────────────────┼─────────┼───┤
    │ x|y "q", C:… │ 2025-01-15T09:30:00     │    20.0 │ … │
    │ 日本␊␛[31mr… │ 2025-01-15T09:30:00.500 │    -1.5 │ … │
    │ NULL         │ NULL                    │    NULL │ … │
    └──────────────┴─────────────────────────┴─────────┴───┘
    "#);
    for columns in 0..100 {
        let (text, cut) = framed(Format::Box, columns);
        let widest = text.lines().map(UnicodeWidthStr::width).max().unwrap();
        assert!(widest <= columns || cut == TableFit::default() && columns < 20, "{widest} of {columns}: {text}");
    }
    assert_eq!(fitted(10), (whole.to_owned(), TableFit::default()), "a table that can't fit is not truncated");
}

#[test]
fn no_rows_still_have_a_header() {
    let schema: SchemaRef = batch().schema();
    let of = |format| write_to_string(&[], &schema, format);
    assert_eq!(of(Format::Csv), "name,start_local,minutes,tags,pair\n");
    assert_eq!(of(Format::Json), "[]\n");
    assert_eq!(of(Format::JsonLines), "");
    assert_snapshot!(of(Format::Table), @r"
     name │ start_local │ minutes │ tags │ pair
    ──────┼─────────────┼─────────┼──────┼──────
    (0 rows)
    ");
    assert_snapshot!(of(Format::Markdown), @r"
    | name | start_local | minutes | tags | pair |
    | --- | --- | ---: | --- | --- |
    ");
    let empty_batch = RecordBatch::new_empty(Arc::clone(&schema));
    assert_eq!(write_to_string(std::slice::from_ref(&empty_batch), &schema, Format::Json), "[]\n");
    assert_eq!(write_to_string(&[empty_batch], &schema, Format::Csv), "name,start_local,minutes,tags,pair\n");
}

#[test]
fn several_batches_are_one_table() {
    let schema = Arc::new(Schema::new(vec![Field::new("n", DataType::Int64, false)]));
    let one = |n| {
        let column: ArrayRef = Arc::new(Int64Array::from(vec![n]));
        RecordBatch::try_new(Arc::clone(&schema), vec![column]).unwrap()
    };
    let batches = [one(1), one(200)];
    assert_eq!(write_to_string(&batches, &schema, Format::Csv), "n\n1\n200\n");
    assert_eq!(write_to_string(&batches, &schema, Format::Json), "[{\"n\":1},{\"n\":200}]\n");
    assert_eq!(write_to_string(&batches, &schema, Format::JsonLines), "{\"n\":1}\n{\"n\":200}\n");
    assert_eq!(write_to_string(&batches, &schema, Format::Table), "   n\n─────\n   1\n 200\n(2 rows)\n");
}

#[test]
fn only_a_table_is_coloured() {
    let style = Style { color: ColorDepth::TrueColor, ..PLAIN };
    let schema = Arc::new(Schema::new(vec![Field::new("n", DataType::Int64, false)]));
    for format in [Format::Csv, Format::Json, Format::JsonLines, Format::Markdown, Format::Table] {
        let text = render(|out| write_batches(out, &[], &schema, format, &style));
        assert_eq!(text.contains('\u{1b}'), format == Format::Table, "{format:?}");
    }
}

#[test]
fn a_closed_pipe_differs_from_other_failures() {
    struct ClosedPipe;
    impl Write for ClosedPipe {
        fn write(&mut self, _: &[u8]) -> std::io::Result<usize> {
            Err(std::io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }
    for format in [Format::Table, Format::Csv, Format::Json, Format::JsonLines, Format::Markdown] {
        let error = write_batches(&mut ClosedPipe, &[batch()], &batch().schema(), format, &PLAIN).unwrap_err();
        assert_eq!(error.kind(), std::io::ErrorKind::BrokenPipe, "{format:?}");
    }
}

/// Formatting panics if a width in a format string is above 65,535.
#[test]
fn a_column_name_longer_than_the_format_limit_is_written() {
    let name = "x".repeat(70_000);
    let column: ArrayRef = Arc::new(Int64Array::from(vec![7]));
    let other = Arc::clone(&column);
    let batch = RecordBatch::try_from_iter(vec![(name.as_str(), column), ("short", other)]).unwrap();
    for format in [Format::Table, Format::Vertical, Format::Markdown] {
        let text = write_to_string(std::slice::from_ref(&batch), &batch.schema(), format);
        assert!(text.contains(&name) && text.contains("short"), "{format:?}");
    }
}
