//! The SQL functions `split_by_rule` and `main_rule`.

use std::sync::Arc;

use arrow::array::{Array, ArrayRef, BooleanArray, Int64Array, ListArray, StringViewArray};
use arrow::buffer::OffsetBuffer;
use arrow::datatypes::{DataType, Field, FieldRef, Fields};
use datafusion::common::{Result, exec_datafusion_err, exec_err};
use datafusion::logical_expr::WindowUDF;
use hashbrown::HashMap;

use crate::columns::{check_list_items, integer, integer_column, list_array, list_type, text, text_column};
use crate::declare::{Declaration, Parameter, window};
use crate::interval::{IntervalBuilder, IntervalColumns};

use super::sweep::{Detail, Piece, RuleInterval, dominant_rule, sweep_ruled};

const PARAMETERS: &[Parameter] = &[
    Parameter::text("kind", "'piece', 'tag', or another kind of row that can belong to pieces."),
    Parameter::text("device", "The device. It is ignored for tags."),
    Parameter::integer("activity_id", "The activity of a piece, or the activity that a row is linked to."),
    Parameter::text("conditions", "The numbers of the conditions that the row meets, separated by spaces."),
    Parameter::instant("start_local", "Local start of the row."),
    Parameter::instant("start_utc", "UTC start of the row."),
    Parameter::instant("end_local", "Local end of the row."),
    Parameter::instant("end_utc", "UTC end of the row."),
    Parameter::text(
        "rules",
        "The numbers of each rule's conditions, separated by spaces, with commas between rules. The same \
         for all rows.",
    ),
];

static SPLIT_BY_RULE: Declaration = Declaration {
    name: "split_by_rule",
    description: "Returns the parts of a piece in which the same rule applies. A new part starts when another rule \
            matches, or when the piece becomes tagged or untagged. The first rule whose conditions are all met \
            applies. The piece itself and the rows that belong to it can meet conditions. A linked row belongs \
            to the pieces of its activity, an unlinked row to the pieces of its device, and a tag to all pieces, \
            each while it lasts. Rows that aren't pieces get an empty list. Rows can be in any order.",
    parameters: PARAMETERS,
    call_suffix: " OVER ()",
    example: "SELECT unnest(stretches) FROM (\n  SELECT split_by_rule(kind, device, activity_id, conditions, start_local, start_utc, \
              end_local, end_utc, '1 2,3') OVER () AS stretches\n  FROM pieces_and_documents\n)",
};

static MAIN_RULE: Declaration = Declaration {
    name: "main_rule",
    description: "Returns the number of the rule that applies longest to a piece, as in `split_by_rule`, or NULL if \
            the time without a rule is longest. On a tie, the earlier rule wins, and no rule comes last. Rows \
            that aren't pieces get NULL. Rows can be in any order.",
    parameters: PARAMETERS,
    call_suffix: " OVER ()",
    example: "SELECT main_rule(kind, device, activity_id, conditions, start_local, start_utc, end_local, end_utc, '1 2,3') OVER () \
              AS rule\nFROM pieces_and_documents",
};

/// Returns `split_by_rule(...) OVER () -> List<Struct{start_local, start_utc, end_local, end_utc, rule, tagged,
/// shadowed}>`: the intervals of a piece. `rule` is the number of the rule, counted from 1, or null. `tagged` is true
/// if a tag overlaps. `shadowed` contains the numbers of later rules that also match in a part of the interval.
///
/// A query fails if `rules` differs between rows, or if `rules` or `conditions` contains text other than numbers.
pub fn split_by_rule() -> WindowUDF {
    window(&SPLIT_BY_RULE, list_type(fields()), evaluate)
}

/// Returns `main_rule(...) OVER () -> Int64`: the number of the rule with the most time in the piece, counted from 1.
/// Time without a rule can also win, and the result is then null. On a tie, the earlier rule wins, and any rule wins
/// against time without a rule.
///
/// A query fails in the same cases as `split_by_rule`.
pub fn main_rule() -> WindowUDF {
    window(&MAIN_RULE, DataType::Int64, main_rules)
}

/// Returns the item field of the list of later rules.
fn shadowed_field() -> FieldRef {
    Arc::new(Field::new_list_field(DataType::Int64, true))
}

fn fields() -> Fields {
    let edge = |name: &str| Field::new(name, crate::columns::INSTANT, true);
    let mut fields: Vec<_> = crate::interval::FIELDS.map(edge).into();
    fields.push(Field::new("rule", DataType::Int64, true));
    fields.push(Field::new("tagged", DataType::Boolean, true));
    fields.push(Field::new("shadowed", DataType::List(shadowed_field()), true));
    fields.into()
}

/// Reads the arguments, and calls `visit` with each interval of each piece. The first argument of `visit` is the index
/// of the piece's row.
fn sweep_rows(columns: &[ArrayRef], rows: usize, mut visit: impl FnMut(usize, RuleInterval)) -> Result<()> {
    let (kinds, devices, activities) =
        (text_column(columns, 0)?, text_column(columns, 1)?, integer_column(columns, 2)?);
    let (conditions, rules) =
        (Conditions::from_column(text_column(columns, 3)?)?, parse_rules(text_column(columns, 8)?)?);
    let intervals = IntervalColumns::from_columns(columns, 4)?;
    let (mut pieces, mut places, mut details) = (Vec::new(), Vec::new(), Vec::new());
    for row in 0..rows {
        let Some(interval) = intervals.get(row) else { continue };
        let kind = text(kinds, row).unwrap_or_default();
        let conditions = conditions.row(row);
        let device = text(devices, row);
        let activity = integer(activities, row);
        if kind == "piece" {
            places.push(row);
            pieces.push(Piece { device, activity, interval, conditions });
        } else {
            let span = (interval.start_utc, interval.end_utc);
            details.push(Detail { device, activity, is_tag: kind == "tag", span, conditions });
        }
    }
    sweep_ruled(&pieces, &details, &rules, |piece, stretch| visit(places[piece], stretch));
    Ok(())
}

/// Returns the number of a rule in SQL, where rules are counted from 1.
fn rule_number(rule: usize) -> Option<i64> {
    i64::try_from(rule + 1).ok()
}

fn evaluate(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let (mut edges, mut numbers, mut tagged) = (IntervalBuilder::default(), Vec::new(), Vec::new());
    let mut lengths = vec![0; rows];
    let (mut others, mut other_lengths) = (Vec::new(), Vec::new());
    sweep_rows(columns, rows, |row, stretch| {
        edges.push(stretch.interval);
        numbers.push(stretch.rule.and_then(rule_number));
        tagged.push(stretch.tagged);
        other_lengths.push(stretch.shadowed.len());
        others.extend(stretch.shadowed.into_iter().filter_map(rule_number));
        lengths[row] += 1;
    })?;
    // `OffsetBuffer::from_lengths` panics if the sum of the lengths overflows.
    check_list_items(others.len())?;
    let mut fields_of = edges.finish(None)?.columns().to_vec();
    fields_of.push(Arc::new(Int64Array::from(numbers)));
    fields_of.push(Arc::new(BooleanArray::from(tagged)));
    let (others, lengths_of_others) = (Arc::new(Int64Array::from(others)), OffsetBuffer::from_lengths(other_lengths));
    fields_of.push(Arc::new(ListArray::try_new(shadowed_field(), lengths_of_others, others, None)?));
    list_array(fields(), fields_of, lengths)
}

fn main_rules(columns: &[ArrayRef], rows: usize) -> Result<ArrayRef> {
    let mut intervals = Vec::new();
    sweep_rows(columns, rows, |row, stretch| intervals.push((row, stretch)))?;
    let mut main = vec![None; rows];
    for of_piece in intervals.chunk_by(|(row, _), (next, _)| row == next) {
        let rule = dominant_rule(of_piece.iter().map(|(_, stretch)| stretch));
        main[of_piece[0].0] = rule.and_then(rule_number);
    }
    Ok(Arc::new(Int64Array::from(main)))
}

/// Returns the numbers in a text, sorted and without duplicates.
fn parse_numbers(text: &str) -> Result<Vec<u32>> {
    let numbers = text.split_ascii_whitespace().map(str::parse);
    let mut numbers: Vec<u32> = numbers
        .collect::<Result<_, _>>()
        .map_err(|_| exec_datafusion_err!("`{text}` should hold the numbers of conditions, with blanks between"))?;
    numbers.sort_unstable();
    numbers.dedup();
    Ok(numbers)
}

/// Returns the conditions of each rule.
fn parse_rules(column: &StringViewArray) -> Result<Vec<Vec<u32>>> {
    let first = column.iter().next().flatten().unwrap_or_default();
    if column.iter().any(|rules| rules.unwrap_or_default() != first) {
        return exec_err!("`rules` of `split_by_rule` must be one text for all rows");
    }
    if first.is_empty() { Ok(Vec::new()) } else { first.split(',').map(parse_numbers).collect() }
}

/// The conditions that each row meets. Many rows have the same set of conditions, so `rows` contains an index into
/// `sets` for each row.
struct Conditions {
    sets: Vec<Vec<u32>>,
    rows: Vec<usize>,
}

impl Conditions {
    fn from_column(column: &StringViewArray) -> Result<Self> {
        let mut known: HashMap<&str, usize> = HashMap::new();
        let mut sets = Vec::new();
        let mut rows = Vec::with_capacity(column.len());
        for text in column {
            let text = text.unwrap_or_default();
            if let Some(place) = known.get(text) {
                rows.push(*place);
                continue;
            }
            known.insert(text, sets.len());
            rows.push(sets.len());
            sets.push(parse_numbers(text)?);
        }
        Ok(Self { sets, rows })
    }

    fn row(&self, row: usize) -> &[u32] {
        self.rows.get(row).and_then(|place| self.sets.get(*place)).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_numbers_are_rejected() {
        let column = |texts: &[&str]| StringViewArray::from_iter_values(texts.iter().copied());
        assert!(Conditions::from_column(&column(&["1 x"])).is_err());
        assert!(parse_rules(&column(&["1,2", "1"])).is_err());
        assert_eq!(parse_rules(&column(&["2 1,3"])).unwrap(), [vec![1, 2], vec![3]]);
        assert_eq!(parse_rules(&column(&[""])).unwrap(), Vec::<Vec<u32>>::new());
    }
}
