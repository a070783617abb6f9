//! Draws horizontal bars.

use super::style::Style;
use dayledger_request::Minutes;

/// Returns a bar for `length`. The bar for `greatest` is `width` columns wide, and other bars are proportional. Any
/// length above zero is visible.
pub(super) fn bar(length: Minutes, greatest: Minutes, width: usize, style: &Style) -> String {
    if length <= Minutes::ZERO || greatest <= Minutes::ZERO || width == 0 {
        return String::new();
    }
    // Bars are heavy lines, because lines leave space between the rows. Block characters would touch the blocks of the
    // next row.
    let (full, steps) = if style.unicode { ("━", &["", "╸"][..]) } else { ("#", &[""][..]) };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a line's width, clamped to 0..=1 before"
    )]
    let parts = (length.share_of(greatest).clamp(0.0, 1.0) * (width * steps.len()) as f64).round() as usize;
    let parts = parts.max(1);
    format!("{}{}", full.repeat(parts / steps.len()), steps[parts % steps.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ColorDepth;
    use dayledger_request::minutes;

    #[test]
    fn bars_are_in_proportion_and_never_vanish() {
        let unicode = Style::new(ColorDepth::None, 80, true);
        let drawn = [0, 1, 800, 900, 1600, 4800].map(|seconds| bar(minutes(seconds), minutes(1600), 8, &unicode));
        assert_eq!(drawn, ["", "╸", "━━━━", "━━━━╸", "━━━━━━━━", "━━━━━━━━"]);
        let ascii = Style::new(ColorDepth::None, 80, false);
        assert_eq!([1, 800].map(|seconds| bar(minutes(seconds), minutes(1600), 8, &ascii)), ["#", "####"]);
    }
}
