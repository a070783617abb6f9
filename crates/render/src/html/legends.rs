//! Chooses the colours of the names on a page.

use super::clock::ClockChange;
use super::colors::{APPLICATIONS, Legend, SITES, legend, legend_of_clients};
use super::leads::leads;
use super::neighbours::Neighbours;
use super::segments::subject;
use dayledger_activity::{NamedInterval, NamedTotal, RangeReport};

/// The colours of the names on a page, for each kind of name.
pub(super) struct Legends<'a> {
    pub(super) applications: Legend<'a>,
    pub(super) websites: Legend<'a>,
    pub(super) tags: Legend<'a>,
}

impl<'a> Legends<'a> {
    /// Returns the colours of all names in `report`.
    pub(super) fn from_report(report: &'a RangeReport) -> Self {
        let aggregate = &report.summary.aggregate;
        let (mut applications, mut websites) = (Neighbours::default(), Neighbours::default());
        let blocks = report.day.iter().flat_map(|day| &day.blocks);
        let subjects = blocks.clone().filter_map(subject);
        applications.add_lane(leads_of_days(&report.applications));
        websites.add_lane(names(&report.websites));
        // Names with the most time come first, because the first names get distinct colours if the user hasn't chosen
        // their colours.
        let named = |totals: &'a [NamedTotal]| totals.iter().map(|total| (total.name.as_str(), None));
        let tasks = report.purposes.tasks();
        let tasks = tasks.iter().map(|task| task.name.as_str()).chain(subjects).map(|name| (name, None));
        let tags = legend_of_clients(tasks.chain(names_with_colors(&report.tags)));
        // A block about an application can be next to a block about a tag, so their colours must differ.
        let blocks: Vec<_> = blocks.collect();
        for (one, other) in blocks.iter().zip(blocks.iter().skip(1)) {
            for (one, other) in [(one, other), (other, one)] {
                if let (None, Some(subject)) = (subject(one), subject(other)) {
                    let [light, _] = tags.color_of(subject);
                    applications.add_color(&one.application, light);
                }
            }
        }
        let top_applications = aggregate.top_apps.iter().map(|total| (total.name.as_str(), total.color.as_deref()));
        Self {
            applications: legend(
                top_applications.chain(names_with_colors(&report.applications)),
                APPLICATIONS,
                &applications,
            ),
            websites: legend(
                named(&aggregate.top_websites).chain(names_with_colors(&report.websites)),
                SITES,
                &websites,
            ),
            tags,
        }
    }
}

fn names(intervals: &[NamedInterval]) -> impl Iterator<Item = &str> {
    intervals.iter().map(|interval| interval.name.as_str())
}

/// Returns the applications that the page draws, in order of time.
fn leads_of_days(pieces: &[NamedInterval]) -> Vec<&str> {
    let days = pieces.chunk_by(|one, other| one.date == other.date);
    let leads = days.flat_map(|day| {
        let day: Vec<_> = day.iter().collect();
        leads(&day, ClockChange::detect(day.iter().copied())).into_iter().map(|lead| lead.name).collect::<Vec<_>>()
    });
    leads.collect()
}

fn names_with_colors(intervals: &[NamedInterval]) -> impl Iterator<Item = (&str, Option<&str>)> + Clone {
    intervals.iter().map(|interval| (interval.name.as_str(), interval.color.as_deref()))
}
