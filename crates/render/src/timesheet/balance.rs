//! Shows the balance of a year as a table: the target hours, the logged hours and their difference, by month.

use std::io::{self, Write};

use chrono::NaiveDate;
use dayledger_timesheet::Hours;

use super::wording::{format_balance, short_date};
use crate::columns::{Cell, Column, Overflow, Row, write_columns};
use crate::style::{Style, TextStyle};
use crate::text::{fit, join};
use dayledger_timesheet_service::{MonthBalance, YearBalance};

/// Writes a line for each month, with the balance at the end of the month.
pub fn write_balance(out: &mut dyn Write, balance: &YearBalance, style: &Style) -> io::Result<()> {
    let until = balance.until.map_or("no day counts yet".to_owned(), |day| format!("until {}", short_date(day)));
    let title = join(&[format!("{:04}", balance.year), until], style);
    writeln!(out, "{}\n", style.paint(&fit(&title, style.width, style), TextStyle::Strong))?;
    let mut columns = vec![Column::left("").with_overflow(Overflow::Shrink)];
    columns.extend((0..4).map(|_| Column::right("").with_narrow_gap()));
    write_columns(out, &columns, &rows(balance), style)
}

fn rows(balance: &YearBalance) -> Vec<Row> {
    let heads = ["", "Target", "Logged", "Difference", "Balance"];
    let mut rows = vec![Row::Cells(heads.map(|head| Cell::new(head, TextStyle::Faint)).into())];
    let carried_over = ["Carried over", "", "", "", &format_balance(balance.carried_over)];
    rows.push(Row::Cells(carried_over.map(|text| Cell::new(text, TextStyle::Plain)).into()));
    let row = |name: &str, [target, logged, difference, balance]: [Hours; 4], style| {
        let hours = [target, logged].map(|hours| format!("{hours:.2}"));
        let cells = [name.to_owned()].into_iter().chain(hours).chain([difference, balance].map(format_balance));
        Row::Cells(cells.map(|text| Cell::new(text, style)).collect())
    };
    rows.extend(balance.months.iter().map(|month| {
        let MonthBalance { target, logged, difference, balance: after, .. } = *month;
        row(&month_name(balance.year, month.month), [target, logged, difference, after], TextStyle::Plain)
    }));
    let sum = |of: fn(&MonthBalance) -> Hours| -> Hours { balance.months.iter().map(of).sum() };
    let sums = [sum(|month| month.target), sum(|month| month.logged), sum(|month| month.difference), balance.balance];
    rows.push(row("Total", sums, TextStyle::Strong));
    rows
}

/// Returns the name of a month, such as `October`.
fn month_name(year: i32, month: u32) -> String {
    NaiveDate::from_ymd_opt(year, month, 1).map(|day| day.format("%B").to_string()).unwrap_or_default()
}
