//! Chooses the colours of names, and changes colours that aren't legible.

use std::collections::HashMap;

use dayledger_activity::ApplicationTotal;

use super::text::client_of;

/// A 24-bit colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) struct Rgb(pub(super) u8, pub(super) u8, pub(super) u8);

/// The colour of bars for a total that doesn't belong to a name.
pub(super) const ACCENT: Rgb = Rgb(0x4c, 0x8d, 0xae);

/// A list of colours for names whose colour the user didn't choose.
pub(super) type Palette = [Rgb; 10];

/// The palette of applications, and of all names in a terminal. All of its colours have the same lightness, but
/// different hues.
pub(super) const PALETTE: Palette = [
    Rgb(0x5b, 0x8d, 0xc9),
    Rgb(0xc2, 0x7b, 0x4e),
    Rgb(0x5a, 0xa0, 0x6c),
    Rgb(0xb5, 0x6b, 0x9d),
    Rgb(0x9a, 0x8f, 0x3c),
    Rgb(0x4a, 0x9f, 0x9f),
    Rgb(0xc4, 0x6a, 0x6a),
    Rgb(0x8a, 0x7c, 0xc2),
    Rgb(0x8c, 0x8c, 0x8c),
    Rgb(0xa8, 0x83, 0x6a),
];

/// The bounds of a colour's relative luminance (WCAG) in a terminal. Within these bounds, a colour has a contrast of at
/// least 3:1 to white and of about 4:1 to black. Both contrasts are needed, because the background of the terminal
/// isn't known.
const MIN_LUMINANCE: f64 = 0.15;
const MAX_LUMINANCE: f64 = 0.30;

impl Rgb {
    /// Parses a colour of six hexadecimal digits, with or without a leading `#`.
    pub(super) fn parse(text: &str) -> Option<Self> {
        let digits = text.strip_prefix('#').unwrap_or(text);
        // `from_str_radix` also accepts a sign and fewer digits.
        if digits.len() != 6 || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        let [_, red, green, blue] = u32::from_str_radix(digits, 16).ok()?.to_be_bytes();
        Some(Self(red, green, blue))
    }

    /// Returns a colour with the same hue and with a luminance that is legible on any background.
    fn readable(self) -> Self {
        self.clamp_luminance(MIN_LUMINANCE, MAX_LUMINANCE)
    }

    /// Returns a colour with the same hue, and with a relative luminance between `darkest` and `lightest`.
    pub(super) fn clamp_luminance(self, darkest: f64, lightest: f64) -> Self {
        let channels = [self.0, self.1, self.2].map(linear);
        let luminance = luminance(channels);
        let moved = if luminance > lightest {
            channels.map(|channel| channel * lightest / luminance)
        } else if luminance < darkest {
            let towards_white = (darkest - luminance) / (1.0 - luminance);
            channels.map(|channel| channel + (1.0 - channel) * towards_white)
        } else {
            return self;
        };
        let [red, green, blue] = moved.map(gamma);
        Self(red, green, blue)
    }

    /// Returns the relative luminance (WCAG), from 0 to 1.
    pub(super) fn luminance(self) -> f64 {
        luminance([self.0, self.1, self.2].map(linear))
    }

    /// Converts the colour to the colour space Oklab. In Oklab, the distance of two colours corresponds to their
    /// visible difference.
    pub(super) fn to_oklab(self) -> [f64; 3] {
        let [red, green, blue] = [self.0, self.1, self.2].map(linear);
        let mix = |[of_red, of_green, of_blue]: [f64; 3]| of_red * red + of_green * green + of_blue * blue;
        let [long, medium, short] = [
            [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
            [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
            [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
        ]
        .map(|weights| mix(weights).cbrt());
        [
            0.210_454_255_3 * long + 0.793_617_785_0 * medium - 0.004_072_046_8 * short,
            1.977_998_495_1 * long - 2.428_592_205_0 * medium + 0.450_593_709_9 * short,
            0.025_904_037_1 * long + 0.782_771_766_2 * medium - 0.808_675_766_0 * short,
        ]
    }

    /// Returns a colour of `palette` for `name`. The same name always gets the same colour.
    pub(super) fn from_name(name: &str, palette: &Palette) -> Self {
        // The hash is FNV-1a, because a name must always get the same colour. The standard hasher can change between
        // versions of Rust.
        let hash = name
            .bytes()
            .fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        let place = usize::try_from(hash % palette.len() as u64).unwrap_or_default();
        palette[place]
    }

    /// Returns the number of the most similar colour of the 256 colours of xterm. Ignores the first 16 colours, because
    /// themes change them.
    pub(super) fn to_xterm(self) -> u8 {
        const STEPS: [u8; 6] = [0, 95, 135, 175, 215, 255];
        let distance = |other: Self| {
            let square = |a: u8, b: u8| u32::from(a.abs_diff(b)).pow(2);
            square(self.0, other.0) + square(self.1, other.1) + square(self.2, other.2)
        };
        (16..=255)
            .min_by_key(|number: &u8| {
                distance(if *number >= 232 {
                    let gray = 8 + 10 * (number - 232);
                    Self(gray, gray, gray)
                } else {
                    let step = |place: u8| STEPS[usize::from((number - 16) / place % 6)];
                    Self(step(36), step(6), step(1))
                })
            })
            .unwrap_or(255)
    }
}

fn luminance([red, green, blue]: [f64; 3]) -> f64 {
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn linear(channel: u8) -> f64 {
    let share = f64::from(channel) / 255.0;
    if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
}

fn gamma(share: f64) -> u8 {
    let encoded = if share <= 0.003_130_8 { share * 12.92 } else { 1.055 * share.powf(1.0 / 2.4) - 0.055 };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped to the range of u8 before")]
    let channel = (encoded * 255.0).round().clamp(0.0, 255.0) as u8;
    channel
}

/// The colours of names. A name without a known colour gets a colour of the palette. This colour depends only on the
/// name.
#[derive(Debug, Default)]
pub(super) struct NameColors<'a>(pub(super) HashMap<&'a str, Rgb>);

impl<'a> NameColors<'a> {
    /// Returns the colours of the applications in a response.
    pub(super) fn from_totals(totals: &'a [ApplicationTotal]) -> Self {
        let known = totals.iter().filter_map(|total| {
            let color = total.color.as_deref().and_then(Rgb::parse)?;
            Some((total.name.as_str(), color.readable()))
        });
        Self(known.collect())
    }

    /// Assigns the colours of the palette to clients, in the order in which the clients first appear in `names`. All
    /// names of a client have the same colour.
    pub(super) fn from_names(names: impl Iterator<Item = &'a str>) -> Self {
        let (mut clients, mut name_colors) = (HashMap::new(), HashMap::new());
        for name in names {
            let next = PALETTE[clients.len() % PALETTE.len()];
            name_colors.insert(name, *clients.entry(client_of(name)).or_insert(next));
        }
        Self(name_colors)
    }

    /// Returns the colour of `name`.
    pub(super) fn color_of(&self, name: &str) -> Rgb {
        self.0.get(name).copied().unwrap_or_else(|| Rgb::from_name(name, &PALETTE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_legible_on_black_and_on_white() {
        for color in ["000000", "ffffff", "ffff00", "0000ff", "1e1e1e", "#00ff00", "4285f4"] {
            let luminance = Rgb::parse(color).unwrap().readable().luminance();
            assert!((1.05 / (luminance + 0.05)) >= 2.95, "{color} on white");
            assert!(((luminance + 0.05) / 0.05) >= 3.9, "{color} on black");
        }
    }

    #[test]
    fn a_legible_colour_is_unchanged() {
        let blue = Rgb::parse("4285f4").unwrap();
        assert_eq!(blue.readable(), blue);
    }

    #[test]
    fn invalid_colours_are_rejected() {
        assert_eq!(["", "12345", "+12345", "ääa", "red"].map(Rgb::parse), [None; 5]);
    }

    #[test]
    fn xterm_colours_are_the_nearest() {
        assert_eq!(Rgb(255, 0, 0).to_xterm(), 196);
        assert_eq!(Rgb(0x80, 0x80, 0x80).to_xterm(), 244);
    }

    #[test]
    fn tasks_of_a_client_share_its_colour() {
        let names = ["Acme, Billing", "Mail", "Acme, Review"];
        let name_colors = NameColors::from_names(names.into_iter());
        let [billing, mail, review] = names.map(|name| name_colors.color_of(name));
        assert_eq!(billing, review);
        assert_ne!(billing, mail);
    }

    #[test]
    fn a_name_without_a_colour_always_gets_the_same_one() {
        let name_colors = NameColors::default();
        assert_eq!(name_colors.color_of("Notes"), name_colors.color_of("Notes"));
        assert_ne!(name_colors.color_of("Notes"), name_colors.color_of("Mail"));
    }
}
