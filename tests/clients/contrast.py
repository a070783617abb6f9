"""Computes the contrast of two colours (WCAG), for scripts that check a page in the browser."""

# `contrast(one, other)` returns the contrast of two colours. A colour is a list that begins with red, green and blue
# from 0 to 255.
CONTRAST = """
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
  };
  const contrast = (one, other) => {
    const [dark, light] = [luminance(one), luminance(other)].sort((x, y) => x - y);
    return (light + 0.05) / (dark + 0.05);
  };
"""
