//! The colours of a page. Each name has its own colour, changed only as far as the light or dark background requires.

use std::collections::HashMap;
use std::fmt::Write;

use super::super::text_style::{NameColors, PALETTE, Rgb};
use super::neighbours::Neighbours;

/// The background of marks, light and dark; the same as `--track` in the style sheet.
const BACKGROUNDS: [Rgb; 2] = [Rgb(0xf1, 0xee, 0xe7), Rgb(0x22, 0x25, 0x28)];
/// The contrast between a mark and its background (WCAG requires 3), with a margin for rounding.
const CONTRAST: f64 = 3.05;
/// Brighter colours would glare on the dark background.
const MAX_LUMINANCE: f64 = 0.62;

/// The CSS classes of colours, each with a light and a dark variant.
#[derive(Debug, Default)]
pub(super) struct Colors {
    classes: HashMap<Rgb, usize>,
    in_order: Vec<Rgb>,
}

/// Returns the colours of names: the first colour that comes with a name. Names without a colour get one from the
/// palette, in order, as long as there are enough. Neighbours with similar colours are separated.
pub(super) fn legend<'a>(
    names: impl IntoIterator<Item = (&'a str, Option<&'a str>)> + Clone,
    neighbours: &Neighbours<'a>,
) -> NameColors<'a> {
    let mut colors = HashMap::new();
    for (name, color) in names.clone() {
        if let Some(color) = color.and_then(Rgb::parse) {
            colors.entry(name).or_insert(color);
        }
    }
    let mut free: Vec<Rgb> = PALETTE.to_vec();
    for (name, _) in names.clone() {
        colors.entry(name).or_insert_with(|| {
            let own = Rgb::from_name(name);
            match free.iter().position(|color| *color == own).or_else(|| free.len().checked_sub(1)) {
                Some(place) => free.remove(place),
                None => own,
            }
        });
    }
    neighbours.separate_colors(names.into_iter().map(|(name, _)| name), &mut colors);
    NameColors(colors)
}

impl Colors {
    /// Returns the class for `color`.
    pub(super) fn class(&mut self, color: Rgb) -> String {
        let next = self.in_order.len();
        let place = *self.classes.entry(color).or_insert(next);
        if place == next {
            self.in_order.push(color);
        }
        format!("c{place}")
    }

    /// Returns the CSS rules of all classes that were used.
    pub(super) fn rules(&self) -> String {
        let mut rules = String::new();
        for (place, color) in self.in_order.iter().enumerate() {
            let both = variants(*color);
            let ([light, dark], [on_light, on_dark]) = (both.map(hex), both.map(text_color_on));
            // Writing to a string can't fail.
            let _ =
                write!(rules, ".c{place}{{--light:{light};--dark:{dark};--on-light:{on_light};--on-dark:{on_dark}}}");
        }
        rules
    }
}

/// Returns a colour's variants for the light and the dark background.
pub(super) fn variants(color: Rgb) -> [Rgb; 2] {
    let [light, dark] = BACKGROUNDS.map(Rgb::luminance);
    let darkest = CONTRAST * (dark + 0.05) - 0.05;
    [color.clamp_luminance(0.0, (light + 0.05) / CONTRAST - 0.05), color.clamp_luminance(darkest, MAX_LUMINANCE)]
}

/// Returns the text colour on `color`: black or white. One of them has a contrast of at least 4.5 to any colour.
fn text_color_on(color: Rgb) -> &'static str {
    let luminance = color.luminance();
    if (luminance + 0.05) / 0.05 >= 1.05 / (luminance + 0.05) { "#000" } else { "#fff" }
}

fn hex(Rgb(red, green, blue): Rgb) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
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
        // A colour changes only as far as needed: yellow gets darker on the light background and keeps its hue, and
        // stays on the dark one.
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
            assert_eq!(value("track"), ground, "the marks' ground is the style sheet's");
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
        let name_colors = legend(names.iter().map(|name| (name.as_str(), None)), &Neighbours::default());
        let of = |number: usize| name_colors.color_of(&names[number]);
        let distinct: std::collections::HashSet<_> = (0..PALETTE.len()).map(of).collect();
        assert_eq!(distinct.len(), PALETTE.len());
        assert_eq!(of(0), Rgb::from_name("tag 0"), "the first name has the colour that it has in a terminal");
        let known = legend([("Mail", None), ("Mail", Some("5CAA24"))], &Neighbours::default());
        assert_eq!(known.color_of("Mail"), Rgb(0x5c, 0xaa, 0x24), "the user's colour wins wherever it comes");
    }

    #[test]
    fn one_colour_is_one_class() {
        let mut colors = Colors::default();
        let classes = [Rgb(1, 2, 3), Rgb(4, 5, 6), Rgb(1, 2, 3)].map(|color| colors.class(color));
        assert_eq!(classes, ["c0", "c1", "c0"]);
        assert_eq!(colors.rules().matches("--dark:").count(), 2);
    }
}
