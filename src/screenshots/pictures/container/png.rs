//! The structure of PNG: chunks with a length, a name and a checksum (W3C PNG, section 5).

use super::super::error::Error;
use super::walk::{Claim, Walk};

pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// Returns what the header says, of a file without its signature that is whole.
pub(super) fn claim(bytes: &[u8]) -> Result<Claim, Error> {
    let mut walk = Walk(bytes);
    let (name, header) = chunk(&mut walk)?;
    let (b"IHDR", &[w3, w2, w1, w0, h3, h2, h1, h0, depth, colour, ..]) = (&name, header) else {
        return Err(Error::NotAnImage);
    };
    let mut pixels = false;
    loop {
        match &chunk(&mut walk)?.0 {
            b"IDAT" => pixels = true,
            b"IEND" if pixels => break,
            b"IEND" | b"IHDR" => return Err(Error::NotAnImage),
            _ => {}
        }
    }
    // A palette and a transparent colour are decoded into channels of their own.
    let channels = match colour {
        0 | 4 => 2,
        2 | 3 | 6 => 4,
        _ => return Err(Error::NotAnImage),
    };
    let bytes_per_channel = if depth == 16 { 2 } else { 1 };
    Ok(Claim {
        width: u32::from_be_bytes([w3, w2, w1, w0]),
        height: u32::from_be_bytes([h3, h2, h1, h0]),
        bytes_per_pixel: channels * bytes_per_channel,
    })
}

/// Returns a chunk's name and content. The checksum is looked at where a decoder does: in chunks that it cannot do
/// without, whose names begin with a capital letter. A file whose length was set before its content was written has
/// wrong ones.
fn chunk<'a>(walk: &mut Walk<'a>) -> Result<([u8; 4], &'a [u8]), Error> {
    let length = usize::try_from(walk.u32()?).map_err(|_| Error::Incomplete)?;
    let name = walk.array()?;
    let content = walk.take(length)?;
    let expected = walk.u32()?;
    if name[0].is_ascii_uppercase() {
        let mut checksum = crc32fast::Hasher::new();
        checksum.update(&name);
        checksum.update(content);
        if checksum.finalize() != expected {
            return Err(Error::Incomplete);
        }
    }
    Ok((name, content))
}
