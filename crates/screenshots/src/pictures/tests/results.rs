//! Checks that results are the original bytes or smaller images in the same format, and that they
//! are cached.

use std::sync::Arc;

use image::{DynamicImage, Rgba, RgbaImage};

use super::super::cache::{CacheKey, new_cache};
use super::super::{Crop, Format, Picture, Region, Units, pixels, reading};
use super::{FIELD, Folder, SIZE, colour, decode, encode, fields, name, pictures};
use crate::Size;

#[test]
fn original_has_the_bytes_of_the_file() {
    for format in [Format::Jpeg, Format::Png] {
        let bytes = encode(&fields(), format);
        let folder = Folder::with(&bytes);
        let expected = Picture { bytes: bytes.into(), format, size: SIZE };
        assert_eq!(pictures().original(&folder.dir, name()).unwrap(), expected);
        // The result must be the original bytes, because the image isn't wider than requested.
        for most in [SIZE.width, SIZE.width + 1, u32::MAX] {
            assert_eq!(pictures().scale(&folder.dir, name(), most).unwrap(), expected);
        }
        assert_eq!(pictures().crop(&folder.dir, name(), &Region::WHOLE, None).unwrap().picture, expected);
    }
}

#[test]
fn a_smaller_picture_shows_the_same_fields() {
    for format in [Format::Jpeg, Format::Png] {
        let folder = Folder::with(&encode(&fields(), format));
        for (width, height) in [(100, 60), (150, 90), (75, 45), (199, 119), (40, 24)] {
            let picture = pictures().scale(&folder.dir, name(), width).unwrap();
            assert_eq!((picture.format, picture.size), (format, Size { width, height }));
            let found = decode(&picture.bytes);
            for (column, row) in (0..5).flat_map(|column| (0..3).map(move |row| (column, row))) {
                let [x, y] = [column, row].map(|field| field * FIELD + FIELD / 2);
                let (pixel, expected) = (found.get_pixel(x * width / SIZE.width, y * width / SIZE.width), colour(x, y));
                assert!(
                    (0..3).all(|channel| pixel[channel].abs_diff(expected[channel]) <= 8),
                    "{pixel:?} {expected:?}"
                );
            }
        }
    }
}

#[test]
fn scaled_image_is_at_least_one_pixel_high() {
    let folder = Folder::with(&encode(&DynamicImage::new_rgb8(3000, 1), Format::Png));
    assert_eq!(pictures().scale(&folder.dir, name(), 10).unwrap().size, Size { width: 10, height: 1 });
}

#[test]
fn image_too_large_for_the_high_quality_filter_is_scaled_down_too() {
    let larger = DynamicImage::ImageRgb8(image::RgbImage::from_pixel(9000, 1000, colour(50, 50)));
    let large = pixels::scale_to_width(&larger, 8999);
    assert_eq!((large.width(), large.height()), (8999, 1000));
    assert!(large.to_rgb8().pixels().all(|pixel| *pixel == colour(50, 50)));
}

#[test]
fn every_pixel_type_can_be_cropped_and_encoded_in_both_formats() {
    let glass = RgbaImage::from_pixel(40, 30, Rgba([200, 100, 50, 0]));
    let glass = DynamicImage::ImageRgba8(glass);
    let kinds: [DynamicImage; 8] = [
        glass.to_luma8().into(),
        glass.to_luma_alpha8().into(),
        glass.to_rgb8().into(),
        glass.clone(),
        glass.to_luma16().into(),
        glass.to_luma_alpha16().into(),
        glass.to_rgb16().into(),
        glass.to_rgba16().into(),
    ];
    let region = Region::new(50.0, 50.0, 25.0, 25.0, Units::Percent).unwrap();
    for kind in kinds {
        let folder = Folder::with(&encode(&kind, Format::Png));
        let crop = pictures().crop(&folder.dir, name(), &region, None).unwrap().picture;
        let kept = image::load_from_memory(&crop.bytes).unwrap();
        assert_eq!(kept, kind.crop_imm(20, 15, 10, 8), "PNG is exact");
        let jpeg = pictures().convert_to(&crop, Format::Jpeg).unwrap();
        assert_eq!((jpeg.format, jpeg.size), (Format::Jpeg, crop.size));
        // Transparent pixels keep their colour when transparency is removed.
        let (found, expected) = (decode(&jpeg.bytes), kept.into_rgb8());
        for (found, expected) in found.pixels().zip(expected.pixels()) {
            assert!((0..3).all(|channel| found[channel].abs_diff(expected[channel]) <= 4), "{found:?} {expected:?}");
        }
    }
}

#[test]
fn another_format_shows_the_same_pixels() {
    let bytes = encode(&fields(), Format::Jpeg);
    let jpeg = Picture { bytes: bytes.into(), format: Format::Jpeg, size: SIZE };
    let png = pictures().convert_to(&jpeg, Format::Png).unwrap();
    assert_eq!((png.format, png.size), (Format::Png, SIZE));
    assert_eq!(decode(&png.bytes), decode(&jpeg.bytes));
    assert!(Arc::ptr_eq(&pictures().convert_to(&png, Format::Png).unwrap().bytes, &png.bytes));
}

#[test]
fn result_is_cached_until_the_file_changes() {
    let folder = Folder::with(&encode(&fields(), Format::Png));
    let pictures = pictures();
    let again = pictures.clone();
    let region = |x| Region::new(x, 10.0, 10.0, 10.0, Units::Percent).unwrap();
    let first = pictures.crop(&folder.dir, name(), &region(10.0), None).unwrap();
    let second = again.crop(&folder.dir, name(), &region(10.0), None).unwrap();
    assert!(Arc::ptr_eq(&first.picture.bytes, &second.picture.bytes));
    // The same numbers in other units, or with another width, are different requests.
    let elsewhere = pictures.crop(&folder.dir, name(), &region(60.0), None).unwrap();
    let parts = Region::new(10.0, 10.0, 10.0, 10.0, Units::Normalized).unwrap();
    let beyond = pictures.crop(&folder.dir, name(), &parts, None).unwrap();
    let narrow = pictures.crop(&folder.dir, name(), &region(10.0), Some(5)).unwrap();
    assert_ne!(first.rect, elsewhere.rect);
    assert_ne!(first.rect, beyond.rect);
    assert_eq!(narrow.picture.size.width, 5);

    folder.put(&encode(&fields().fliph(), Format::Png));
    let changed = pictures.crop(&folder.dir, name(), &region(10.0), None).unwrap();
    assert_eq!(*decode(&changed.picture.bytes).get_pixel(0, 0), colour(SIZE.width - 21, 12));
}

#[test]
fn cache_size_is_bounded() {
    let folder = Folder::with(b"x");
    let stamp = reading::read_stamp(&folder.dir, name()).unwrap();
    let cache = new_cache();
    let key = |width| CacheKey::new(name(), stamp, &Region::WHOLE, Some(width));
    for (width, bytes) in (0..200).map(|width| (width, 1 << 20)).chain([(1000, 40 << 20), (1001, 30 << 20)]) {
        let picture = Picture { bytes: vec![0; bytes].into(), format: Format::Png, size: SIZE };
        cache.insert(key(width), Crop { picture, whole: SIZE, rect: Region::WHOLE.resolve(SIZE) });
        assert!(cache.weight() <= 32 << 20, "{}", cache.weight());
    }
    assert!(cache.get(&key(1000)).is_none() && cache.get(&key(1001)).is_some());
}
