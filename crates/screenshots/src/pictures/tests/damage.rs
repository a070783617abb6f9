//! Checks that incomplete images are rejected.

use super::super::{Error, Format, Pictures, Region, Units};
use super::{Folder, encode, fields, name, pictures};

fn every_answer(pictures: &Pictures, folder: &Folder) -> [Result<(), Error>; 3] {
    let region = Region::new(10.0, 10.0, 20.0, 20.0, Units::Percent).unwrap();
    [
        pictures.original(&folder.dir, name()).map(drop),
        pictures.scale(&folder.dir, name(), 20).map(drop),
        pictures.crop(&folder.dir, name(), &region, None).map(drop),
    ]
}

#[test]
fn truncated_image_is_rejected() {
    for format in [Format::Jpeg, Format::Png] {
        let whole = encode(&fields(), format);
        let ends = (1..whole.len()).step_by(97).chain([1, 2, 3, whole.len() - 2, whole.len() - 1]);
        for end in ends {
            for answer in every_answer(&pictures(), &Folder::with(&whole[..end])) {
                assert!(matches!(answer, Err(Error::Incomplete)), "{format:?} at {end}: {answer:?}");
            }
        }
    }
}

#[test]
fn file_with_missing_content_at_full_length_is_rejected() {
    for format in [Format::Jpeg, Format::Png] {
        let whole = encode(&fields(), format);
        for written in (100..whole.len() - 20).step_by(97) {
            let mut bytes = whole.clone();
            bytes[written..].fill(0);
            for answer in every_answer(&pictures(), &Folder::with(&bytes)) {
                assert!(matches!(answer, Err(Error::Incomplete)), "{format:?} at {written}: {answer:?}");
            }
        }
    }
}

#[test]
fn end_marker_of_an_embedded_thumbnail_is_not_the_end() {
    let inner = encode(&fields().thumbnail_exact(16, 16), Format::Jpeg);
    let outer = encode(&fields(), Format::Jpeg);
    let length = u16::try_from(inner.len() + 2).unwrap().to_be_bytes();
    let whole = [&outer[..2], &[0xff, 0xe1], &length, &inner, &outer[2..]].concat();
    assert!(every_answer(&pictures(), &Folder::with(&whole)).iter().all(Result::is_ok));
    for end in [inner.len() + 6, inner.len() + 20, whole.len() - 2] {
        let answers = every_answer(&pictures(), &Folder::with(&whole[..end]));
        assert!(answers.iter().all(|answer| matches!(answer, Err(Error::Incomplete))), "{end}: {answers:?}");
    }
}

#[test]
fn bytes_after_the_end_are_ignored() {
    for format in [Format::Jpeg, Format::Png] {
        let bytes = [encode(&fields(), format), b"a note of an editor".to_vec()].concat();
        for answer in every_answer(&pictures(), &Folder::with(&bytes)) {
            answer.unwrap();
        }
    }
}

#[test]
fn flipped_bit_in_the_pixels_of_a_png_is_found_when_it_is_decoded() {
    let mut bytes = encode(&fields(), Format::Png);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    let [_, scaled, crop] = every_answer(&pictures(), &Folder::with(&bytes));
    for answer in [scaled, crop] {
        assert!(matches!(answer, Err(Error::Incomplete)), "{answer:?}");
    }
}
