//! The light and the dark ground of a page, and how a colour stands on each.

use super::super::ink::Rgb;

/// The ground on which marks stand, light and dark; the style sheet has the same as `--track`.
pub(super) const GROUNDS: [Rgb; 2] = [Rgb(0xf1, 0xee, 0xe7), Rgb(0x22, 0x25, 0x28)];
/// What a mark keeps from its ground (WCAG asks for 3), with room for rounding.
const CONTRAST: f64 = 3.05;
/// On the dark ground nothing glares.
const BRIGHTEST: f64 = 0.62;

/// A colour as it stands on the light and on the dark ground.
pub(super) fn variants(color: Rgb) -> [Rgb; 2] {
    let [light, dark] = GROUNDS.map(Rgb::luminance);
    let darkest = CONTRAST * (dark + 0.05) - 0.05;
    [color.within(0.0, (light + 0.05) / CONTRAST - 0.05), color.within(darkest, BRIGHTEST)]
}
