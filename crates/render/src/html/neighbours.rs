//! Changes similar colours of names that are next to each other in a lane, so that the names can be distinguished.
//!
//! The name with the most time keeps its colour. If the colour of another name is too similar, the name gets a lighter
//! or darker shade of its own colour. If no shade is different enough, the name gets a colour of the palette. Most
//! colours that the user chose don't change.

use std::collections::HashMap;

use super::super::color::{Palette, Rgb};
use super::colors::variants;

/// The minimum distance (Oklab) of two colours. Colours with a smaller distance look the same next to each other.
const MIN_COLOR_DISTANCE: f64 = 0.065;
/// The maximum number of neighbours of a name. For more neighbours, there wouldn't be enough distinct colours.
const MAX_NEIGHBOURS: usize = 24;
/// The relative luminances (WCAG) of the shades of a colour.
const SHADES: [f64; 4] = [0.10, 0.25, 0.40, 0.04];

/// The neighbours of each name: other names, and colours that are already final.
#[derive(Debug, Default)]
pub(super) struct Neighbours<'a> {
    names: HashMap<&'a str, Vec<&'a str>>,
    colors: HashMap<&'a str, Vec<Rgb>>,
}

impl<'a> Neighbours<'a> {
    /// Adds the names of a lane in order. Each name is a neighbour of the next name.
    pub(super) fn add_lane(&mut self, lane: impl IntoIterator<Item = &'a str>) {
        let mut before: Option<&str> = None;
        for name in lane {
            if let Some(before) = before.filter(|before| *before != name) {
                self.connect(before, name);
                self.connect(name, before);
            }
            before = Some(name);
        }
    }

    /// Adds a colour as a neighbour of a name.
    pub(super) fn add_color(&mut self, name: &'a str, color: Rgb) {
        let colors = self.colors.entry(name).or_default();
        if !colors.contains(&color) {
            colors.push(color);
        }
    }

    fn connect(&mut self, name: &'a str, other: &'a str) {
        let names = self.names.entry(name).or_default();
        if names.len() < MAX_NEIGHBOURS && !names.contains(&other) {
            names.push(other);
        }
    }

    /// Changes each colour in `colors` that is too similar to the colour of a neighbour. If two neighbours have similar
    /// colours, the name that comes first in `names` keeps its colour.
    pub(super) fn separate_colors(
        &self,
        names: impl Iterator<Item = &'a str>,
        palette: &Palette,
        colors: &mut HashMap<&'a str, Rgb>,
    ) {
        let mut settled: HashMap<&str, Rgb> = HashMap::new();
        for name in names {
            let Some(color) = colors.get(name).copied().filter(|_| !settled.contains_key(name)) else { continue };
            let neighbours = self.names.get(name).into_iter().flatten().filter_map(|other| settled.get(other));
            let neighbours: Vec<_> = neighbours.chain(self.colors.get(name).into_iter().flatten()).copied().collect();
            let color = distinct_color(color, palette, &neighbours);
            settled.insert(name, color);
            colors.insert(name, color);
        }
    }
}

/// Returns a colour that differs enough from all `neighbours`. Tries `color` first, then its shades, then the colours
/// of the palette. If all these colours are too similar, returns the colour that differs most.
fn distinct_color(color: Rgb, palette: &Palette, neighbours: &[Rgb]) -> Rgb {
    let least = |color: Rgb| neighbours.iter().map(|other| distance(color, *other)).fold(f64::INFINITY, f64::min);
    let shades = SHADES.into_iter().map(|luminance| color.clamp_luminance(luminance, luminance));
    let candidates: Vec<_> = std::iter::once(color).chain(shades).chain(*palette).collect();
    let found = candidates.iter().find(|candidate| least(**candidate) >= MIN_COLOR_DISTANCE).copied();
    let farthest = || candidates.iter().copied().max_by(|one, other| least(*one).total_cmp(&least(*other)));
    found.or_else(farthest).unwrap_or(color)
}

/// Compares the two colours on the light background and on the dark background. Returns the smaller of the two
/// distances (Oklab).
pub(super) fn distance(one: Rgb, other: Rgb) -> f64 {
    let [light, dark] = [0, 1].map(|ground| {
        let [one, other] = [one, other].map(|color| variants(color)[ground].to_oklab());
        one.iter().zip(other).map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
    });
    light.min(dark)
}

#[cfg(test)]
mod tests {
    use super::super::super::color::PALETTE;
    use super::*;

    #[test]
    fn neighbours_with_similar_colours_get_distinct_ones() {
        let blue = Rgb(0x2d, 0x78, 0xc8);
        let names = ["Editor", "Mail", "Chat", "Alone"];
        let mut neighbours = Neighbours::default();
        neighbours.add_lane(["Editor", "Mail", "Editor", "Chat", "Mail"]);
        let mut colors: HashMap<_, _> = names.iter().map(|name| (*name, blue)).collect();
        colors.insert("Mail", Rgb(0x0f, 0x6c, 0xbd));
        neighbours.separate_colors(names.into_iter(), &PALETTE, &mut colors);
        assert_eq!(
            (colors["Editor"], colors["Alone"]),
            (blue, blue),
            "names with the most time or without neighbours keep their colour"
        );
        for (one, other) in [("Editor", "Mail"), ("Editor", "Chat"), ("Mail", "Chat")] {
            let distance = distance(colors[one], colors[other]);
            assert!(distance >= MIN_COLOR_DISTANCE, "{one} and {other}: {distance:.3}");
        }
    }

    #[test]
    fn a_colour_from_another_lane_counts_as_a_neighbour() {
        let blue = Rgb(0x2d, 0x78, 0xc8);
        let mut neighbours = Neighbours::default();
        neighbours.add_color("Editor", blue);
        let mut colors = HashMap::from([("Editor", blue)]);
        neighbours.separate_colors(["Editor"].into_iter(), &PALETTE, &mut colors);
        assert!(distance(colors["Editor"], blue) >= MIN_COLOR_DISTANCE);
    }

    #[test]
    fn many_neighbours_of_one_colour_all_get_a_colour() {
        let names: Vec<String> = (0..40).map(|number| format!("tag {number}")).collect();
        let mut neighbours = Neighbours::default();
        for name in &names {
            neighbours.add_lane(names.iter().flat_map(|other| [name.as_str(), other.as_str()]));
        }
        let mut colors: HashMap<_, _> = names.iter().map(|name| (name.as_str(), Rgb(0x80, 0x80, 0x80))).collect();
        neighbours.separate_colors(names.iter().map(String::as_str), &PALETTE, &mut colors);
        assert_eq!(colors.len(), 40);
    }
}
