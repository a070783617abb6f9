//! Rates, rounding of billed hours, and amounts.
//!
//! The configuration contains [`Terms`] for all projects, for one project or for one task. Terms can start on a given
//! day. [`Rates::bill`] applies the terms to entries. Rounding affects only the billed hours that a page or file shows.
//! Logged hours never change.
//!
//! Invariants: amounts are exact. Each entry's amount is rounded to cents once, and totals are sums of the rounded
//! amounts.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Add;
use std::str::FromStr;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::apportion::distribute_by_weight;
use crate::day::Day;
use crate::entry::TimeEntry;
use crate::hours::Hours;
use crate::project::Project;
use crate::refusal::Refusal;

/// An amount of money with two decimals, in any currency.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Money(i64);

/// The error for a text that isn't a valid amount.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{0}` is not an amount from 0 to 99999999.99 with at most two decimals, such as 95.50")]
pub struct InvalidMoney(String);

impl Money {
    /// The largest allowed rate, in hundredths of the currency.
    const MAX_CENTS: i64 = 9_999_999_999;

    /// Creates an amount from hundredths of the currency, such as cents.
    pub const fn from_cents(cents: i64) -> Self {
        Self(cents)
    }

    /// Returns the amount in hundredths of the currency.
    pub const fn cents(self) -> i64 {
        self.0
    }

    /// Returns the price of these hours if `self` is the price of one hour. Half a cent is rounded up.
    fn for_hours(self, hours: Hours) -> Self {
        let exact = i128::from(self.0) * i128::from(hours.hundredths());
        Self(i64::try_from((exact + 50).div_euclid(100)).unwrap_or(i64::MAX))
    }
}

impl FromStr for Money {
    type Err = InvalidMoney;

    fn from_str(text: &str) -> Result<Self, InvalidMoney> {
        let is_decimal = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        let number = Decimal::from_str_exact(text).ok().filter(|_| is_decimal);
        let cents = number.and_then(|number| number.checked_mul(Decimal::ONE_HUNDRED));
        let whole = cents.filter(Decimal::is_integer).and_then(|cents| cents.to_i64());
        whole
            .filter(|cents| (0..=Self::MAX_CENTS).contains(cents))
            .map(Self)
            .ok_or_else(|| InvalidMoney(text.to_owned()))
    }
}

impl fmt::Display for Money {
    /// Formats the amount with two decimals, such as `95.50`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&Decimal::new(self.0, 2), formatter)
    }
}

impl Add for Money {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Serialize for Money {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Money {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "expected an amount, such as 95.50")]
        enum Written {
            Number(f64),
            Text(String),
        }

        let amount: Result<Self, _> = match Written::deserialize(deserializer)? {
            // `to_string` returns the shortest decimal that is read as this binary number. The configuration contains
            // the same decimal.
            Written::Number(number) => number.to_string().parse(),
            Written::Text(text) => text.parse(),
        };
        amount.map_err(D::Error::custom)
    }
}

/// A rule for rounding the billed hours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rounding {
    /// The step: billed hours are multiples of this value, which is 0.01 to 24 hours.
    to: Hours,
    /// The direction of rounding.
    #[serde(default)]
    mode: RoundingMode,
    /// The entries whose hours are rounded together.
    #[serde(default)]
    per: RoundingScope,
}

/// The direction of rounding.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundingMode {
    /// Rounds to the nearest step. Half a step rounds up.
    #[default]
    Nearest,
    /// Rounds up to the next step.
    Up,
    /// Rounds down to the previous step.
    Down,
}

/// The entries whose hours are rounded together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RoundingScope {
    /// Each entry is rounded separately.
    #[default]
    Entry,
    /// The entries of a task on the same day are rounded together. The rounded sum is split among them in proportion to
    /// their hours.
    Task,
}

impl Rounding {
    fn round(self, hours: Hours) -> Hours {
        let (hours, step) = (hours.hundredths(), self.to.hundredths().max(1));
        let steps = match self.mode {
            RoundingMode::Nearest => (hours.saturating_mul(2).saturating_add(step)) / (step * 2),
            RoundingMode::Up => hours.saturating_add(step - 1) / step,
            RoundingMode::Down => hours / step,
        };
        Hours::from_hundredths(steps * step)
    }
}

/// Billing terms for all projects, for one project or for one task.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Terms {
    /// The code of the project. By default, the terms apply to all projects.
    project: Option<String>,
    /// The task. By default, the terms apply to all tasks of the project.
    task: Option<String>,
    /// The first day on which the terms apply. By default, they apply to all days.
    from: Option<Day>,
    /// The price of an hour.
    rate: Option<Money>,
    /// The currency of the rate, such as `EUR`.
    currency: Option<String>,
    /// Whether the hours are billed. By default, hours with a rate are billed.
    billable: Option<bool>,
    /// The rounding of the billed hours. By default, hours aren't rounded.
    rounding: Option<Rounding>,
}

impl Terms {
    /// Returns the first key that both terms set, if they apply to the same task and days.
    fn repeated_key(&self, other: &Self) -> Option<&'static str> {
        let scope = |terms: &Self| (terms.project.clone(), terms.task.clone(), terms.from);
        if scope(self) != scope(other) {
            return None;
        }
        let keys = [
            ("rate", self.rate.is_some() && other.rate.is_some()),
            ("currency", self.currency.is_some() && other.currency.is_some()),
            ("billable", self.billable.is_some() && other.billable.is_some()),
            ("rounding", self.rounding.is_some() && other.rounding.is_some()),
        ];
        keys.into_iter().find_map(|(key, is_repeated)| is_repeated.then_some(key))
    }
}

/// The billing terms of the configuration.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Rates(Vec<Terms>);

/// An amount in a currency, with the rate from which it was calculated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    /// The price of an hour.
    pub rate: Money,
    /// The currency, such as `EUR`.
    pub currency: String,
    /// The price of all billed hours of the entry.
    pub amount: Money,
}

/// The billed hours of an entry, and their price.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BilledTime {
    /// The hours after rounding.
    pub hours: Hours,
    /// Whether the hours are billed. `None` if neither a rate nor `billable` is set for them.
    pub is_billable: Option<bool>,
    /// The price, if the hours are billed and have a rate.
    pub price: Option<Price>,
}

impl BilledTime {
    /// Whether the rate is missing: the hours have no price, although they aren't excluded from billing.
    pub fn lacks_rate(&self) -> bool {
        self.price.is_none() && self.is_billable != Some(false)
    }
}

/// The billed totals, one for each currency.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Amounts(BTreeMap<String, Money>);

impl Amounts {
    /// Whether there is no amount in any currency.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<'b> FromIterator<&'b BilledTime> for Amounts {
    fn from_iter<I: IntoIterator<Item = &'b BilledTime>>(billed: I) -> Self {
        let mut totals = BTreeMap::new();
        for price in billed.into_iter().filter_map(|billed| billed.price.as_ref()) {
            let total: &mut Money = totals.entry(price.currency.clone()).or_default();
            *total = *total + price.amount;
        }
        Self(totals)
    }
}

impl fmt::Display for Amounts {
    /// Formats the totals, ordered by currency code, such as `95.50 CHF, 1200.00 EUR`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (place, (currency, total)) in self.0.iter().enumerate() {
            let separator = if place > 0 { ", " } else { "" };
            write!(formatter, "{separator}{total} {currency}")?;
        }
        Ok(())
    }
}

impl Rates {
    /// Creates rates from the terms in the configuration, after checking them.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` for a task without a project, a rate without a currency, an invalid currency, a rounding step
    /// outside the range of 0.01 to 24 hours, or two values for the same task and days.
    pub fn new(rates: Vec<Terms>) -> Result<Self, Refusal> {
        let rates = Self(rates);
        for (place, rate) in rates.0.iter().enumerate() {
            let project = rate.project.as_ref().map(|project| format!("`{project}`"));
            let name = project.as_deref().unwrap_or("all projects");
            let refuse = |why: &str| Err(Refusal::invalid("rates", format_args!("the rate of {name} {why}")));
            if rate.task.is_some() && rate.project.is_none() {
                return refuse("has a task but no project: add `project`");
            }
            let is_code = |code: &String| code.len() == 3 && code.bytes().all(|byte| byte.is_ascii_uppercase());
            if rate.currency.as_ref().is_some_and(|currency| !is_code(currency)) {
                return refuse("has an invalid currency: use three capital letters, such as `EUR`");
            }
            if rate.rounding.is_some_and(|rounding| !(1..=2400).contains(&rounding.to.hundredths())) {
                return refuse("has an invalid rounding: `to` must be from 0.01 to 24 hours");
            }
            if let Some(key) = rates.0[..place].iter().find_map(|earlier| rate.repeated_key(earlier)) {
                return refuse(&format!("has `{key}` twice for the same task and days: remove one"));
            }
            let terms = rates.terms(rate.project.as_deref(), rate.task.as_deref(), rate.from);
            if rate.rate.is_some() && terms.currency.is_none() {
                return refuse("has no currency: add `currency`, such as `EUR`");
            }
        }
        Ok(rates)
    }

    /// Checks that `projects` contains the projects and tasks of the terms. The projects of the ledger aren't known when
    /// the configuration is read.
    ///
    /// # Errors
    ///
    /// `VALIDATION_ERROR` for terms of an unknown project or task.
    pub fn check_names(&self, projects: &[Project]) -> Result<(), Refusal> {
        for Terms { project, task, .. } in &self.0 {
            let Some(code) = project else { continue };
            let Some(project) = projects.iter().find(|project| project.code == *code) else {
                let message = format!("`[[timesheet.rates]]` has a rate of the unknown project `{code}`");
                let codes = projects.iter().map(|project| &*project.code);
                return Err(Refusal::invalid("rates", message).with_allowed(codes));
            };
            let names = project.tasks.iter().map(|task| &*task.name);
            if let Some(task) = task
                && !names.clone().any(|name| name == task)
            {
                let message = format!("`[[timesheet.rates]]` has a rate of the unknown task `{task}` of `{code}`");
                return Err(Refusal::invalid("rates", message).with_allowed(names));
            }
        }
        Ok(())
    }

    /// Whether the configuration has no billing terms.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns the terms of a task on a day. Each value comes from the most specific terms that set it: terms of the
    /// task, then of the project, then of all projects. Among equally specific terms, the terms with the latest first
    /// day take precedence.
    fn terms(&self, project: Option<&str>, task: Option<&str>, day: Option<Day>) -> Terms {
        let fits = |own: Option<&str>, asked: Option<&str>| own.is_none() || own == asked;
        let applies = |rate: &&Terms| {
            fits(rate.project.as_deref(), project)
                && fits(rate.task.as_deref(), task)
                && rate.from.is_none_or(|from| Some(from) <= day)
        };
        let mut rates: Vec<_> = self.0.iter().filter(applies).collect();
        rates.sort_by_key(|rate| (rate.project.is_some(), rate.task.is_some(), rate.from));
        rates.into_iter().fold(Terms::default(), |general, rate| Terms {
            rate: rate.rate.or(general.rate),
            currency: rate.currency.clone().or(general.currency),
            billable: rate.billable.or(general.billable),
            rounding: rate.rounding.or(general.rounding),
            ..general
        })
    }

    /// Returns the billed time of each entry, in the order of the entries. The terms on the first day of an entry apply
    /// to the whole entry.
    pub fn bill(&self, entries: &[TimeEntry]) -> Vec<BilledTime> {
        let terms: Vec<_> = entries
            .iter()
            .map(|entry| self.terms(Some(&entry.project_code), Some(&entry.task), Some(entry.start_date)))
            .collect();
        let hours = round(entries, &terms);
        let billed = terms.into_iter().zip(hours).map(|(terms, hours)| {
            let is_billable = terms.billable.or(terms.rate.map(|_| true));
            let rate = terms.rate.zip(terms.currency).filter(|_| is_billable == Some(true));
            let price = rate.map(|(rate, currency)| Price { rate, currency, amount: rate.for_hours(hours) });
            BilledTime { hours, is_billable, price }
        });
        billed.collect()
    }
}

/// Returns the rounded hours of each entry, in the order of the entries.
fn round(entries: &[TimeEntry], terms: &[Terms]) -> Vec<Hours> {
    let mut hours: Vec<_> = entries.iter().map(TimeEntry::total_hours).collect();
    let mut tasks: BTreeMap<_, (Rounding, Vec<usize>)> = BTreeMap::new();
    for (place, (entry, terms)) in entries.iter().zip(terms).enumerate() {
        match terms.rounding {
            Some(rounding) if rounding.per == RoundingScope::Task => {
                let task = (entry.start_date, entry.completion_date, &entry.project_code, &entry.task);
                tasks.entry(task).or_insert((rounding, Vec::new())).1.push(place);
            }
            Some(rounding) => hours[place] = rounding.round(hours[place]),
            None => {}
        }
    }
    for (rounding, places) in tasks.into_values() {
        let weights: Vec<_> = places.iter().map(|place| hours[*place].hundredths()).collect();
        let total = rounding.round(Hours::from_hundredths(weights.iter().sum()));
        for (place, part) in places.into_iter().zip(distribute_by_weight(total.hundredths(), &weights)) {
            hours[place] = Hours::from_hundredths(part);
        }
    }
    hours
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::entry::NewEntry;
    use crate::id::EntryId;

    fn rates(json: &serde_json::Value) -> Result<Rates, String> {
        let rates = serde_json::from_value(json.clone()).map_err(|error| error.to_string())?;
        Rates::new(rates).map_err(|refusal| refusal.message)
    }

    fn entry(project: &str, task: &str, hours: &str, day: &str) -> TimeEntry {
        let day = day.parse().unwrap();
        let entry = NewEntry::new(project, task, hours.parse().unwrap(), day, day);
        TimeEntry::from_new(EntryId::new(), entry, DateTime::UNIX_EPOCH)
    }

    fn bill(rates: &Rates, entries: &[TimeEntry]) -> Vec<String> {
        let text = |billed: BilledTime| match billed.price {
            Some(Price { rate, currency, amount }) => format!("{} x {rate} = {amount} {currency}", billed.hours),
            None => format!("{} {:?}", billed.hours, billed.is_billable),
        };
        rates.bill(entries).into_iter().map(text).collect()
    }

    #[test]
    fn the_most_specific_rate_applies_and_inherits_the_rest() {
        let rates = rates(&json!([
            {"currency": "EUR", "rate": 100},
            {"project": "NW", "rate": 120.5},
            {"project": "NW", "task": "Portal", "rate": "95.50"},
            {"project": "NW", "from": "2026-07-01", "rate": 130},
            {"project": "SWISS", "currency": "CHF"},
            {"project": "INTERNAL", "billable": false},
        ]))
        .unwrap();
        let entries = [
            entry("NW", "Billing", "2.25", "2026-06-30"),
            entry("NW", "Billing", "2.25", "2026-07-01"),
            entry("NW", "Portal", "0.33", "2026-07-01"),
            entry("SWISS", "Advice", "1", "2026-07-01"),
            entry("INTERNAL", "Office", "1", "2026-07-01"),
        ];
        assert_eq!(
            bill(&rates, &entries),
            [
                "2.25 x 120.50 = 271.13 EUR",
                "2.25 x 130.00 = 292.50 EUR",
                "0.33 x 95.50 = 31.52 EUR",
                "1 x 100.00 = 100.00 CHF",
                "1 Some(false)"
            ]
        );
        assert_eq!(Amounts::from_iter(&rates.bill(&entries)).to_string(), "100.00 CHF, 595.15 EUR");
        let copy: Rates = serde_json::from_str(&serde_json::to_string(&rates).unwrap()).unwrap();
        assert_eq!(bill(&copy, &entries), bill(&rates, &entries), "a worker process gets the same rates");
    }

    #[test]
    fn hours_without_a_rate_have_no_amount() {
        let rates = rates(&json!([{"project": "NW", "rate": 100, "currency": "EUR"}])).unwrap();
        let billed = rates.bill(&[entry("HARBOUR", "Stock", "1", "2026-07-01")]);
        assert_eq!((billed[0].is_billable, billed[0].lacks_rate()), (None, true));
        assert!(Amounts::from_iter(&billed).is_empty());
    }

    #[test]
    fn hours_are_rounded_per_entry_or_per_task_and_day() {
        let hours = |mode: &str, per: &str| {
            let rounding = json!({"to": 0.25, "mode": mode, "per": per});
            let rates = rates(&json!([{"project": "NW", "rounding": rounding}])).unwrap();
            let entries = [
                entry("NW", "Billing", "0.1", "2026-07-01"),
                entry("NW", "Billing", "0.3", "2026-07-01"),
                entry("NW", "Portal", "0.38", "2026-07-01"),
                entry("NW", "Billing", "1.5", "2026-07-02"),
                entry("OTHER", "Billing", "0.1", "2026-07-01"),
            ];
            rates.bill(&entries).into_iter().map(|billed| billed.hours.hundredths()).collect::<Vec<_>>()
        };
        assert_eq!(hours("nearest", "entry"), [0, 25, 50, 150, 10]);
        assert_eq!(hours("up", "entry"), [25, 50, 50, 150, 10]);
        assert_eq!(hours("down", "entry"), [0, 25, 25, 150, 10]);
        assert_eq!(hours("up", "task"), [13, 37, 50, 150, 10], "0.4 h of one task are half an hour");
        assert_eq!(hours("down", "task"), [6, 19, 25, 150, 10]);
    }

    #[test]
    fn invalid_rates_are_refused_with_their_project() {
        for (rate, why) in [
            (json!({"rate": 100}), "the rate of all projects has no currency"),
            (json!({"project": "NW", "currency": "Euro"}), "the rate of `NW` has an invalid currency"),
            (json!({"task": "Billing", "billable": false}), "add `project`"),
            (json!({"project": "NW", "rounding": {"to": 0}}), "from 0.01 to 24 hours"),
            (json!({"project": "NW", "rate": 1.005, "currency": "EUR"}), "`1.005` is not an amount"),
            (json!({"project": "NW", "rate": -1, "currency": "EUR"}), "`-1` is not an amount"),
        ] {
            let error = rates(&json!([rate])).unwrap_err();
            assert!(error.contains(why), "{error}");
        }
    }

    proptest! {
        #[test]
        fn amounts_are_exact_and_half_a_cent_rounds_up(hundredths in 0..1_000_000_i64, cents in 0..10_000_000_i64) {
            let amount = Money::from_cents(cents).for_hours(Hours::from_hundredths(hundredths));
            let exact = Decimal::new(hundredths, 2) * Decimal::new(cents, 2);
            let rounded = exact.round_dp_with_strategy(2, rust_decimal::RoundingStrategy::MidpointAwayFromZero);
            prop_assert_eq!(Decimal::new(amount.cents(), 2), rounded);
        }

        #[test]
        fn printed_amounts_parse_back(cents in 0..9_999_999_999_i64) {
            let money = Money::from_cents(cents);
            prop_assert_eq!(money.to_string().parse(), Ok(money));
        }
    }
}
