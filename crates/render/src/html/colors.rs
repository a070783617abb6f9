//! Chooses the colours of a page. A colour that the user chose is changed only if it isn't legible on the light or on
//! the dark background.
//!
//! Tags, applications and sites have separate palettes. Otherwise, two names with the same colour in different lanes
//! would seem related. A client has one colour, and its tasks have shades of this colour.

use std::collections::HashMap;
use std::fmt::Write;

use super::super::color::{PALETTE, Palette, Rgb};
use super::super::text::client_of;
use super::neighbours::Neighbours;

/// The light and the dark background of marks. They must be equal to `--track` in the style sheet.
const BACKGROUNDS: [Rgb; 2] = [Rgb(0xf1, 0xee, 0xe7), Rgb(0x22, 0x25, 0x28)];
/// The minimum contrast between a mark and its background. The standard WCAG requires 3. The additional 0.05 is a
/// margin for rounding.
const CONTRAST: f64 = 3.05;
/// The maximum relative luminance on the dark background. A colour above this maximum would be too bright on a dark
/// screen.
const MAX_LUMINANCE: f64 = 0.62;

/// The vivid palette of clients.
const CLIENTS: Palette = [
    Rgb(0x1f, 0x6f, 0xd0),
    Rgb(0xd9, 0x54, 0x1e),
    Rgb(0x1f, 0x91, 0x48),
    Rgb(0xc0, 0x2f, 0x8f),
    Rgb(0xa9, 0x86, 0x00),
    Rgb(0x00, 0x90, 0x9a),
    Rgb(0xd0, 0x30, 0x48),
    Rgb(0x7a, 0x4f, 0xd0),
    Rgb(0x6f, 0x90, 0x00),
    Rgb(0x8a, 0x6a, 0x52),
];
/// The palette of applications.
pub(super) const APPLICATIONS: Palette = PALETTE;
/// The muted palette of sites.
pub(super) const SITES: Palette = [
    Rgb(0xa1, 0x74, 0x69),
    Rgb(0x98, 0x7a, 0x59),
    Rgb(0x85, 0x83, 0x58),
    Rgb(0x6c, 0x8a, 0x68),
    Rgb(0x57, 0x8c, 0x80),
    Rgb(0x54, 0x8a, 0x96),
    Rgb(0x65, 0x83, 0xa3),
    Rgb(0x7d, 0x7b, 0xa3),
    Rgb(0x91, 0x75, 0x96),
    Rgb(0x9e, 0x71, 0x80),
];

/// The minimum distance between the colours of two clients (Oklab, at the same luminance). Colours with a smaller
/// distance look like shades of one colour.
const MIN_HUE_DISTANCE: f64 = 0.06;
/// The number of different shades of a client's colour. If a client has more tasks than shades, the shades are used
/// again.
const SHADES: usize = 4;
/// The relative luminances of shades on the light and on the dark background. The steps from one luminance to the next
/// look equal.
const LUMINANCES: [[f64; SHADES + 1]; 2] = [[0.035, 0.065, 0.11, 0.17, 0.24], [0.17, 0.25, 0.34, 0.45, 0.58]];

/// The variants of a colour for the light and for the dark background.
pub(super) type Variants = [Rgb; 2];

/// The CSS classes of all colours that a page uses. Each class has a light and a dark variant.
#[derive(Debug, Default)]
pub(super) struct Colors {
    classes: HashMap<Variants, usize>,
    in_order: Vec<Variants>,
}

/// The colours of names of one kind, such as applications.
#[derive(Debug)]
pub(super) struct Legend<'a> {
    colors: HashMap<&'a str, Variants>,
    palette: Palette,
}

impl Legend<'_> {
    /// Returns the colour of `name`.
    pub(super) fn color_of(&self, name: &str) -> Variants {
        self.colors.get(name).copied().unwrap_or_else(|| variants(Rgb::from_name(name, &self.palette)))
    }
}

/// Returns the colours of names. A name gets the first colour that `names` contains for the name. If `names` doesn't
/// contain a colour for a name, the name gets a colour of `palette` that depends on the name. If another name already
/// has this colour, an unused colour of the palette is chosen if possible. In the end, neighbours with similar colours
/// get other colours.
pub(super) fn legend<'a>(
    names: impl IntoIterator<Item = (&'a str, Option<&'a str>)> + Clone,
    palette: Palette,
    neighbours: &Neighbours<'a>,
) -> Legend<'a> {
    let mut colors = HashMap::new();
    for (name, color) in names.clone() {
        if let Some(color) = color.and_then(Rgb::parse) {
            colors.entry(name).or_insert(color);
        }
    }
    let mut free: Vec<Rgb> = palette.to_vec();
    for (name, _) in names.clone() {
        colors.entry(name).or_insert_with(|| {
            let own = Rgb::from_name(name, &palette);
            match free.iter().position(|color| *color == own).or_else(|| free.len().checked_sub(1)) {
                Some(place) => free.remove(place),
                None => own,
            }
        });
    }
    neighbours.separate_colors(names.into_iter().map(|(name, _)| name), &palette, &mut colors);
    Legend { colors: colors.into_iter().map(|(name, color)| (name, variants(color))).collect(), palette }
}

/// Returns the colours of tags, projects and tasks. All names of a client have shades of one colour. This is the first
/// colour that `names` contains for the client. If it is too similar to the colour of an earlier client, another colour
/// is chosen.
pub(super) fn legend_of_clients<'a>(names: impl IntoIterator<Item = (&'a str, Option<&'a str>)> + Clone) -> Legend<'a> {
    let mut chosen: HashMap<&str, Rgb> = HashMap::new();
    for (name, color) in names.clone() {
        if let Some(color) = color.and_then(Rgb::parse) {
            chosen.entry(client_of(name)).or_insert(color);
        }
    }
    // The colour of each client, and the number of names of the client that already have a colour.
    let mut clients: HashMap<&str, (Rgb, usize)> = HashMap::new();
    let mut colors = HashMap::new();
    for (name, _) in names {
        if colors.contains_key(name) {
            continue;
        }
        let client = client_of(name);
        let (color, tasks) = clients.get(client).copied().unwrap_or_else(|| {
            let used: Vec<_> = clients.values().map(|(color, _)| *color).collect();
            (client_color(client, chosen.get(client).copied(), &used), 0)
        });
        colors.insert(name, shade(color, tasks));
        clients.insert(client, (color, tasks + 1));
    }
    Legend { colors, palette: CLIENTS }
}

/// Returns a colour for a client that differs enough from `used`. The function tries these colours in order: `chosen`,
/// the palette's colour for the client's name, and the most different colour of the palette. If all of them are too
/// similar, it returns `chosen`. If `chosen` is `None`, it returns the palette's colour for the name.
fn client_color(client: &str, chosen: Option<Rgb>, used: &[Rgb]) -> Rgb {
    let least = |color: Rgb| used.iter().map(|other| hue_distance(color, *other)).fold(f64::INFINITY, f64::min);
    let own = Rgb::from_name(client, &CLIENTS);
    let found = chosen.into_iter().chain([own]).find(|color| least(*color) >= MIN_HUE_DISTANCE);
    let farthest = || {
        let free = CLIENTS.into_iter().filter(|color| least(*color) >= MIN_HUE_DISTANCE);
        free.max_by(|one, other| least(*one).total_cmp(&least(*other)))
    };
    found.or_else(farthest).or(chosen).unwrap_or(own)
}

/// Changes both colours to the same luminance, and returns the distance of the results (Oklab).
fn hue_distance(one: Rgb, other: Rgb) -> f64 {
    let [[_, a, b], [_, other_a, other_b]] = [one, other].map(|color| color.clamp_luminance(0.2, 0.2).to_oklab());
    (a - other_a).hypot(b - other_b)
}

/// Returns the shade of `color` for the task `number`. Task 0 gets `color` without a change.
fn shade(color: Rgb, number: usize) -> Variants {
    let own = variants(color);
    if number.is_multiple_of(SHADES) {
        return own;
    }
    std::array::from_fn(|ground| {
        let lightness = own[ground].luminance().cbrt();
        let mut levels = LUMINANCES[ground];
        levels.sort_by(|one, other| (one.cbrt() - lightness).abs().total_cmp(&(other.cbrt() - lightness).abs()));
        // The shades that are nearest to the colour are skipped, because they can look like the colour itself.
        let level = levels[1 + number % SHADES];
        color.clamp_luminance(level, level)
    })
}

impl Colors {
    /// Returns the name of the CSS class for `color`.
    pub(super) fn class(&mut self, color: Variants) -> String {
        let next = self.in_order.len();
        let place = *self.classes.entry(color).or_insert(next);
        if place == next {
            self.in_order.push(color);
        }
        format!("c{place}")
    }

    /// Returns the CSS rules of all classes that [`Self::class`] has returned.
    pub(super) fn rules(&self) -> String {
        let mut rules = String::new();
        for (place, both) in self.in_order.iter().enumerate() {
            let ([light, dark], [on_light, on_dark]) = (both.map(hex), both.map(text_color_on));
            // Writing to a string can't fail.
            let _ =
                write!(rules, ".c{place}{{--light:{light};--dark:{dark};--on-light:{on_light};--on-dark:{on_dark}}}");
        }
        rules
    }
}

/// Returns the variants of a colour for the light and for the dark background.
pub(super) fn variants(color: Rgb) -> Variants {
    let [light, dark] = BACKGROUNDS.map(Rgb::luminance);
    let darkest = CONTRAST * (dark + 0.05) - 0.05;
    [color.clamp_luminance(0.0, (light + 0.05) / CONTRAST - 0.05), color.clamp_luminance(darkest, MAX_LUMINANCE)]
}

/// Returns the text colour on `color`: black or white, depending on the contrast. For every colour, one of the two has
/// a contrast of at least 4.5.
fn text_color_on(color: Rgb) -> &'static str {
    let luminance = color.luminance();
    if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) { "#000" } else { "#fff" }
}

fn hex(Rgb(red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::neighbours::distance;
    use super::*;

    fn contrast(one: Rgb, other: Rgb) -> f64 {
        let (one, other) = (one.luminance() + 0.05, other.luminance() + 0.05);
        one.max(other) / one.min(other)
    }

    #[test]
    fn every_colour_has_enough_contrast_on_both_backgrounds() {
        let steps = [0x00, 0x20, 0x5c, 0x80, 0xb4, 0xff];
        for red in steps {
            for green in steps {
                for blue in steps {
                    let color = Rgb(red, green, blue);
                    for (variant, ground) in variants(color).into_iter().zip(BACKGROUNDS) {
                        assert!(contrast(variant, ground) >= 3.0, "{color:?} as {variant:?} on {ground:?}");
                        let ink = if text_color_on(variant) == "#000" { Rgb(0, 0, 0) } else { Rgb(0xff, 0xff, 0xff) };
                        assert!(contrast(variant, ink) >= 4.5, "{ink:?} on {variant:?}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_user_colour_with_enough_contrast_is_unchanged() {
        let green = Rgb(0x2f, 0x8f, 0x4e);
        assert_eq!(variants(green), [green, green]);
        // A colour changes only as much as needed. On the light background, yellow gets darker and keeps its hue. On
        // the dark background, yellow doesn't change.
        let [Rgb(red, green, blue), dark] = variants(Rgb(0xe8, 0xc0, 0x10));
        assert!(red > green && green > blue && blue < 0x20, "{red} {green} {blue}");
        assert_eq!(dark, Rgb(0xe8, 0xc0, 0x10));
    }

    #[test]
    fn text_has_enough_contrast_with_its_background() {
        let css = include_str!("page.css");
        let [light, dark] = css.split_once("prefers-color-scheme: dark").map(|(light, dark)| [light, dark]).unwrap();
        for (part, ground) in [(light, BACKGROUNDS[0]), (dark, BACKGROUNDS[1])] {
            let value = |name: &str| {
                let rest = part.split_once(&format!("--{name}: #")).unwrap_or_else(|| panic!("no --{name}")).1;
                Rgb::parse(&rest[..6]).unwrap()
            };
            assert_eq!(value("track"), ground, "marks are drawn on the background of the style sheet");
            for text in ["ink", "faint"] {
                for under in ["paper", "track"] {
                    let contrast = contrast(value(text), value(under));
                    assert!(contrast >= 4.5, "--{text} on --{under}: {contrast:.2}");
                }
            }
            for level in 1..=5 {
                let contrast = contrast(value(&format!("on-heat-{level}")), value(&format!("heat-{level}")));
                assert!(contrast >= 4.5, "level {level}: {contrast:.2}");
            }
            for mark in ["accent", "focus"] {
                assert!(contrast(value(mark), value("track")) >= 3.0, "--{mark}");
            }
        }
    }

    #[test]
    fn names_without_a_colour_get_distinct_colours() {
        let names: Vec<String> = (0..PALETTE.len() + 2).map(|number| format!("tag {number}")).collect();
        let name_colors = legend(names.iter().map(|name| (name.as_str(), None)), APPLICATIONS, &Neighbours::default());
        let of = |number: usize| name_colors.color_of(&names[number]);
        let distinct: HashSet<_> = (0..PALETTE.len()).map(of).collect();
        assert_eq!(distinct.len(), PALETTE.len());
        let in_a_terminal = variants(Rgb::from_name("tag 0", &PALETTE));
        assert_eq!(of(0), in_a_terminal, "the first name has the same colour as in a terminal");
        let known = legend([("Mail", None), ("Mail", Some("5CAA24"))], APPLICATIONS, &Neighbours::default());
        let green = variants(Rgb(0x5c, 0xaa, 0x24));
        assert_eq!(known.color_of("Mail"), green, "the user's colour has precedence at any position");
    }

    fn color_distance(one: Rgb, other: Rgb) -> f64 {
        let parts = one.to_oklab().into_iter().zip(other.to_oklab());
        parts.map(|(one, other)| (one - other).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn tasks_of_a_client_have_distinct_shades_of_its_colour() {
        for color in CLIENTS.into_iter().chain(PALETTE) {
            let shades = [0, 1, 2, 3].map(|task| shade(color, task));
            assert_eq!((shades[0], shade(color, SHADES)), (variants(color), variants(color)));
            for (place, ground) in BACKGROUNDS.into_iter().enumerate() {
                for (task, one) in shades.iter().enumerate() {
                    assert!(contrast(one[place], ground) >= 3.0, "{one:?} on {ground:?}");
                    for other in &shades[..task] {
                        let distance = color_distance(one[place], other[place]);
                        assert!(distance >= 0.05, "{one:?} and {other:?} on {ground:?}: {distance:.3}");
                    }
                }
            }
        }
    }

    #[test]
    fn clients_have_different_colours_even_if_the_user_gave_their_tags_similar_ones() {
        let names = [
            ("Northwind, Billing", Some("1e90ff")),
            ("Harbour, Stock", Some("1e88f0")),
            ("Northwind, Review", Some("ff0000")),
            ("Harbour", None),
        ];
        let legend = legend_of_clients(names);
        let [billing, stock, review, harbour] = names.map(|(name, _)| legend.color_of(name));
        let hue = |one: Variants, other: Variants| hue_distance(one[0], other[0]);
        assert_eq!(billing, variants(Rgb(0x1e, 0x90, 0xff)), "the client has the first colour of its tags");
        assert!(hue(billing, stock) >= MIN_HUE_DISTANCE);
        let angle = |color: Variants| {
            let [_, a, b] = color[0].to_oklab();
            b.atan2(a)
        };
        // A light or dark shade of a colour has less chroma than the colour, but the same hue.
        for (one, other) in [(billing, review), (stock, harbour)] {
            assert!((angle(one) - angle(other)).cos() > 0.98, "{one:?} {other:?}");
        }
        assert!(billing != review && stock != harbour);
    }

    #[test]
    fn palettes_of_tags_applications_and_sites_share_no_colour() {
        let palettes = [CLIENTS, APPLICATIONS, SITES];
        for (place, palette) in palettes.iter().enumerate() {
            for other in palettes[..place].iter().flatten() {
                let least = palette.iter().map(|color| distance(*color, *other)).fold(f64::INFINITY, f64::min);
                assert!(least >= 0.03, "{other:?} of palette {place}: {least:.3}");
            }
        }
    }

    #[test]
    fn one_colour_is_one_class() {
        let mut colors = Colors::default();
        let classes = [Rgb(1, 2, 3), Rgb(4, 5, 6), Rgb(1, 2, 3)].map(|color| colors.class(variants(color)));
        assert_eq!(classes, ["c0", "c1", "c0"]);
        assert_eq!(colors.rules().matches("--dark:").count(), 2);
    }
}
