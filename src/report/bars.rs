//! Horizontal bars.

use super::style::Style;

/// A bar for `value` of `greatest`, at most `width` columns; anything above zero shows.
pub(super) fn bar(value: f64, greatest: f64, width: usize, style: &Style) -> String {
    if value <= 0.0 || greatest <= 0.0 || width == 0 {
        return String::new();
    }
    // A heavy line leaves air between rows, where blocks would run together into one slab.
    let (full, steps) = if style.unicode { ("━", &["", "╸"][..]) } else { ("#", &[""][..]) };
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "a share of a line's width, clamped to 0..=1 before"
    )]
    let parts = ((value / greatest).clamp(0.0, 1.0) * (width * steps.len()) as f64).round() as usize;
    let parts = parts.max(1);
    format!("{}{}", full.repeat(parts / steps.len()), steps[parts % steps.len()])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::ColorDepth;

    #[test]
    fn bars_are_in_proportion_and_never_vanish() {
        let unicode = Style::new(ColorDepth::None, 80, true);
        let drawn = [0.0, 0.001, 50.0, 56.25, 100.0, 300.0].map(|value| bar(value, 100.0, 8, &unicode));
        assert_eq!(drawn, ["", "╸", "━━━━", "━━━━╸", "━━━━━━━━", "━━━━━━━━"]);
        let ascii = Style::new(ColorDepth::None, 80, false);
        assert_eq!([0.001, 50.0].map(|value| bar(value, 100.0, 8, &ascii)), ["#", "####"]);
    }
}
