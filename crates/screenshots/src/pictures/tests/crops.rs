//! Checks that a crop shows the correct region in all units and formats, and at the edges of the
//! image.

use proptest::prelude::*;

use super::super::{Format, InvalidRegion, PixelRect, Region, Units};
use super::{FIELD, Folder, SIZE, colour, decode, encode, fields, name, pictures};
use crate::Size;

fn rect(x: u32, y: u32, width: u32, height: u32) -> PixelRect {
    PixelRect { x, y, width, height }
}

/// Returns regions of a 200 x 120 image in percent, each with the expected pixels.
fn known_regions() -> Vec<([f64; 4], PixelRect)> {
    vec![
        // The first region covers one field, and the others cover several fields.
        ([20.0, 100.0 / 3.0, 20.0, 100.0 / 3.0], rect(40, 40, 40, 40)),
        ([0.0, 0.0, 100.0, 100.0], rect(0, 0, 200, 120)),
        ([25.0, 25.0, 50.0, 50.0], rect(50, 30, 100, 60)),
        // Each of these regions touches one of the four edges.
        ([0.0, 40.0, 10.0, 10.0], rect(0, 48, 20, 12)),
        ([90.0, 40.0, 10.0, 10.0], rect(180, 48, 20, 12)),
        ([40.0, 0.0, 10.0, 10.0], rect(80, 0, 20, 12)),
        ([40.0, 90.0, 10.0, 10.0], rect(80, 108, 20, 12)),
        // These regions are partly outside of the image.
        ([-10.0, -10.0, 20.0, 20.0], rect(0, 0, 20, 12)),
        ([95.0, 95.0, 50.0, 50.0], rect(190, 114, 10, 6)),
        ([-1e308, 50.0, 1.5e308, 1e308], rect(0, 60, 200, 60)),
        // These regions are completely outside of the image. The result is the nearest row or
        // column.
        ([150.0, 0.0, 10.0, 100.0], rect(199, 0, 1, 120)),
        ([100.0, 0.0, 10.0, 100.0], rect(199, 0, 1, 120)),
        ([-50.0, 0.0, 10.0, 100.0], rect(0, 0, 1, 120)),
        ([0.0, 200.0, 100.0, 5.0], rect(0, 119, 200, 1)),
        ([0.0, -30.0, 100.0, 30.0], rect(0, 0, 200, 1)),
        ([300.0, 300.0, 1.0, 1.0], rect(199, 119, 1, 1)),
        // These regions are smaller than a pixel, or end between pixels.
        ([50.0, 50.0, 1e-300, 1e-300], rect(100, 60, 1, 1)),
        ([10.2, 10.2, 10.2, 10.2], rect(20, 12, 21, 13)),
    ]
}

#[test]
fn a_crop_contains_the_pixels_of_its_region_in_both_units() {
    for format in [Format::Png, Format::Jpeg] {
        let folder = Folder::with(&encode(&fields(), format));
        for ([x, y, width, height], expected) in known_regions() {
            for (units, part) in [(Units::Percent, 1.0), (Units::Normalized, 0.01)] {
                let region = Region::new(x * part, y * part, width * part, height * part, units).unwrap();
                let crop = pictures().crop(&folder.dir, name(), &region, None).unwrap();
                assert_eq!((crop.rect, crop.whole), (expected, SIZE), "{region:?}");
                assert_eq!(crop.picture.format, format);
                let found = decode(&crop.picture.bytes);
                assert_eq!(found.dimensions(), (expected.width, expected.height));
                assert_eq!(crop.picture.size, Size { width: expected.width, height: expected.height });
                for (x, y, pixel) in found.enumerate_pixels() {
                    let (x, y) = (expected.x + x, expected.y + y);
                    // In a JPEG, pixels near the border between two colours have artefacts, so they
                    // aren't checked.
                    if format == Format::Png || far_from_edges(x) && far_from_edges(y) {
                        let most = if format == Format::Png { 0 } else { 8 };
                        let off = |channel: usize| pixel[channel].abs_diff(colour(x, y)[channel]) > most;
                        assert!(!(0..3).any(off), "{format:?} {region:?}: {pixel:?} at {x}, {y}");
                    }
                }
            }
        }
    }
}

fn far_from_edges(at: u32) -> bool {
    (8..FIELD - 8).contains(&(at % FIELD))
}

#[test]
fn inexact_hundredth_counts_as_exact() {
    let size = Size { width: 100, height: 100 };
    for at in 0..100_u32 {
        let start = f64::from(at) / 100.0;
        let found = Region::new(start, start, 0.01, 0.01, Units::Normalized).unwrap().resolve(size);
        assert_eq!(found, rect(at, at, 1, 1));
    }
}

#[test]
fn error_for_an_invalid_number_contains_its_name() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        for (at, name) in ["x", "y", "width", "height"].into_iter().enumerate() {
            let mut sides = [1.0; 4];
            sides[at] = bad;
            let [x, y, width, height] = sides;
            let error = Region::new(x, y, width, height, Units::Percent).unwrap_err();
            assert!(matches!(error, InvalidRegion::NotFinite { side, .. } if side == name), "{error:?}");
        }
    }
    for bad in [0.0, -0.0, -5.0] {
        let error = Region::new(0.0, 0.0, 10.0, bad, Units::Percent).unwrap_err();
        assert_eq!(error, InvalidRegion::NoArea { side: "height", value: bad });
        assert!(Region::new(0.0, 0.0, bad, 10.0, Units::Normalized).is_err());
    }
}

#[test]
fn crop_is_scaled_down_on_request() {
    let folder = Folder::with(&encode(&fields(), Format::Png));
    let region = Region::new(0.0, 0.0, 50.0, 100.0, Units::Percent).unwrap();
    for (most, expected) in [(50, (50, 60)), (100, (100, 120)), (5000, (100, 120)), (0, (1, 1))] {
        let crop = pictures().crop(&folder.dir, name(), &region, Some(most)).unwrap();
        assert_eq!((crop.picture.size.width, crop.picture.size.height), expected);
        assert_eq!(crop.rect, rect(0, 0, 100, 120));
    }
}

proptest! {
    #[test]
    fn any_region_returns_at_least_one_pixel(
        sides in [any::<f64>(), any::<f64>(), any::<f64>(), any::<f64>()],
        (width, height) in (1..32_768_u32, 1..32_768_u32),
        percent: bool,
    ) {
        let [x, y, w, h] = sides;
        let units = if percent { Units::Percent } else { Units::Normalized };
        let Ok(region) = Region::new(x, y, w.abs(), h.abs(), units) else { return Ok(()) };
        let rect = region.resolve(Size { width, height });
        prop_assert!(rect.width >= 1 && rect.height >= 1);
        prop_assert!(rect.x + rect.width <= width && rect.y + rect.height <= height);
    }

    #[test]
    fn adjacent_regions_leave_no_gap(cut in 1..99_u32, (width, height) in (100..9000_u32, 100..9000_u32)) {
        let size = Size { width, height };
        let left = Region::new(0.0, 0.0, f64::from(cut), 100.0, Units::Percent).unwrap().resolve(size);
        let right = Region::new(f64::from(cut), 0.0, f64::from(100 - cut), 100.0, Units::Percent).unwrap().resolve(size);
        prop_assert_eq!((left.x, right.x + right.width), (0, width));
        // A pixel that the border crosses belongs to both halves.
        let shared = left.width - right.x;
        prop_assert_eq!(shared, u32::from(width * cut % 100 != 0));
    }
}
