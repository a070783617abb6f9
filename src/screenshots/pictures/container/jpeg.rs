//! The structure of JPEG: segments behind markers, runs of coded pixels between them (ITU-T T.81, annex B).
//!
//! The end mark `FF D9` is no proof by itself: a segment may hold a small picture with one of its own. So the walk goes
//! from marker to marker. What follows the end mark is nobody's business: cameras and editors append there.

use super::super::error::Error;
use super::walk::{Claim, Walk};

pub(super) const SIGNATURE: [u8; 2] = [0xff, 0xd8];

const START_OF_IMAGE: u8 = 0xd8;
const END_OF_IMAGE: u8 = 0xd9;
const START_OF_SCAN: u8 = 0xda;
/// Baseline, extended, progressive: what is decoded.
const FRAMES: std::ops::RangeInclusive<u8> = 0xc0..=0xc2;
const PROGRESSIVE: u8 = 0xc2;

/// Returns what the frame says, of a file without its signature that is whole.
pub(super) fn claim(bytes: &[u8]) -> Result<Claim, Error> {
    let mut walk = Walk(bytes);
    let mut claim = None;
    let mut scanned = false;
    loop {
        let marker = next_marker(&mut walk)?;
        match marker {
            END_OF_IMAGE => return claim.filter(|_| scanned).ok_or(Error::NotAnImage),
            // Restart marks and `TEM` stand alone.
            0x01 | 0xd0..=0xd7 => {}
            // No markers at all, and those of frames that no decoder here knows: lossless, arithmetic, hierarchical.
            0x00 | START_OF_IMAGE | 0xc3 | 0xc5..=0xc7 | 0xc9..=0xcb | 0xcd..=0xcf => return Err(Error::NotAnImage),
            _ => {
                let length = usize::from(walk.u16()?).checked_sub(2).ok_or(Error::NotAnImage)?;
                let segment = walk.take(length)?;
                if FRAMES.contains(&marker) {
                    // A second frame could claim what the first one did not.
                    if claim.replace(frame(segment, marker)?).is_some() {
                        return Err(Error::NotAnImage);
                    }
                } else if marker == START_OF_SCAN {
                    skip_scan(&mut walk)?;
                    scanned = true;
                }
            }
        }
    }
}

fn next_marker(walk: &mut Walk<'_>) -> Result<u8, Error> {
    if walk.u8()? != 0xff {
        return Err(Error::Incomplete);
    }
    loop {
        // Any number of `FF` may stand before a marker.
        let byte = walk.u8()?;
        if byte != 0xff {
            return Ok(byte);
        }
    }
}

fn frame(segment: &[u8], marker: u8) -> Result<Claim, Error> {
    let &[_precision, h1, h0, w1, w0, components, ..] = segment else { return Err(Error::NotAnImage) };
    let [height, width] = [[h1, h0], [w1, w0]].map(|side| u32::from(u16::from_be_bytes(side)));
    // Pixels come as three bytes; a progressive picture also holds every coefficient, two bytes each, until its end.
    let coefficients = if marker == PROGRESSIVE { 2 * u64::from(components) } else { 0 };
    Ok(Claim { width, height, bytes_per_pixel: 3 + coefficients })
}

/// Goes to the marker that ends a run of coded pixels. In it `FF 00` stands for a byte, and restart marks belong to it.
fn skip_scan(walk: &mut Walk<'_>) -> Result<(), Error> {
    loop {
        let Some(at) = walk.0.iter().position(|byte| *byte == 0xff) else { return Err(Error::Incomplete) };
        walk.take(at)?;
        match walk.0.get(1) {
            None => return Err(Error::Incomplete),
            Some(0x00 | 0xd0..=0xd7) => walk.take(2)?,
            Some(0xff) => walk.take(1)?,
            Some(_) => return Ok(()),
        };
    }
}
