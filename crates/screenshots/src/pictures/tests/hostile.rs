//! Tests malicious files, and files that aren't images.

use std::fs;
use std::path::Path;

use super::super::header::{self, Header};
use super::super::{Error, Format, Region, pixels};
use super::{Folder, NAME, SIZE, encode, fields, name, pictures};
use crate::Size;

/// Creates a PNG with this size in its header, but with only a few bytes of pixels. Its checksums
/// are correct.
fn claiming_png(width: u32, height: u32, depth: u8, colour: u8) -> Vec<u8> {
    let chunk = |name: &[u8; 4], content: &[u8]| {
        let named = [name, content].concat();
        let length = u32::try_from(content.len()).unwrap().to_be_bytes();
        [&length, named.as_slice(), &crc32fast::hash(&named).to_be_bytes()].concat()
    };
    let header = [&width.to_be_bytes(), &height.to_be_bytes(), [depth, colour, 0, 0, 0].as_slice()].concat();
    [b"\x89PNG\r\n\x1a\n".to_vec(), chunk(b"IHDR", &header), chunk(b"IDAT", b"xx"), chunk(b"IEND", b"")].concat()
}

/// Creates a JPEG with a wrong size in its header.
fn claiming_jpeg(width: u16, height: u16, frame: u8) -> Vec<u8> {
    let mut bytes = encode(&fields(), Format::Jpeg);
    let at = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    bytes[at + 1] = frame;
    bytes[at + 5..at + 7].copy_from_slice(&height.to_be_bytes());
    bytes[at + 7..at + 9].copy_from_slice(&width.to_be_bytes());
    bytes
}

fn original(bytes: &[u8]) -> Result<Format, Error> {
    pictures().original(&Folder::with(bytes).dir, name()).map(|picture| picture.format)
}

#[test]
fn image_that_is_too_large_is_rejected_before_it_is_decoded() {
    let bombs = [
        claiming_png(100_000, 100_000, 8, 2),
        claiming_png(u32::MAX >> 1, u32::MAX >> 1, 16, 6),
        claiming_png(40_000, 1, 8, 2),
        claiming_png(20_000, 20_000, 1, 0),
        // 90 million pixels are below the maximum number, but each pixel of this format takes eight
        // bytes.
        claiming_png(10_000, 9_000, 16, 6),
        claiming_jpeg(65_500, 65_500, 0xc0),
        claiming_jpeg(30_000, 30_000, 0xc0),
        // Decoding a progressive JPEG needs more memory than decoding another JPEG.
        claiming_jpeg(10_000, 9_900, 0xc2),
    ];
    for (at, bomb) in bombs.iter().enumerate() {
        let found = original(bomb);
        assert!(matches!(found, Err(Error::TooLarge)), "{at}: {found:?}");
    }
    assert!(original(&claiming_jpeg(10_000, 9_900, 0xc0)).is_ok(), "three 8K screens are within the limit");
}

#[test]
fn picture_without_pixels_is_refused() {
    for bytes in [claiming_png(0, 10, 8, 2), claiming_png(10, 0, 8, 2), claiming_jpeg(0, 10, 0xc0)] {
        assert!(matches!(original(&bytes), Err(Error::NotAnImage | Error::Incomplete)));
    }
}

#[test]
fn slightly_wrong_size_in_a_header_is_never_returned() {
    // The decoder may either fill the missing pixels or fail. If the decoder succeeds, the result
    // must have the requested size.
    let folder = Folder::with(&claiming_jpeg(240, 400, 0xc0));
    if let Ok(picture) = pictures().scale(&folder.dir, name(), 24) {
        assert_eq!(picture.size, Size { width: 24, height: 40 });
    }
    let folder = Folder::with(&claiming_png(240, 400, 8, 2));
    assert!(matches!(pictures().scale(&folder.dir, name(), 24), Err(Error::Incomplete)));
}

#[test]
fn content_determines_the_format_and_not_the_name() {
    assert_eq!(original(&encode(&fields(), Format::Png)).unwrap(), Format::Png);
    assert_eq!(original(&encode(&fields(), Format::Jpeg)).unwrap(), Format::Jpeg);
    for other in [b"GIF89a with more behind it".as_slice(), b"just text", &[0; 4096], b"\xff\xd8\xff\xd8", b"\x89PNG"] {
        let found = original(other);
        assert!(matches!(found, Err(Error::NotAnImage | Error::Incomplete)), "{found:?}");
    }
    assert!(matches!(original(b"GIF89a"), Err(Error::NotAnImage)));
}

#[test]
fn two_frames_in_one_picture_are_refused() {
    let bytes = encode(&fields(), Format::Jpeg);
    let at = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap();
    let length = usize::from(u16::from_be_bytes([bytes[at + 2], bytes[at + 3]])) + 2;
    let twice = [&bytes[..at + length], &bytes[at..]].concat();
    assert!(matches!(original(&twice), Err(Error::NotAnImage | Error::Incomplete)));
}

#[test]
fn special_files_are_never_opened() {
    let folder = Folder::new();
    fs::create_dir(folder.temporary.path().join("folder.jpg")).unwrap();
    let missing = pictures().original(&folder.dir, Path::new("gone.jpg"));
    assert!(matches!(missing, Err(Error::Missing)), "{missing:?}");
    let found = pictures().original(&folder.dir, Path::new("folder.jpg"));
    assert!(matches!(found, Err(Error::NotAnImage)), "{found:?}");
    let escaped = pictures().original(&folder.dir, Path::new("../outside.jpg"));
    assert!(matches!(escaped, Err(Error::Unreadable { .. })), "{escaped:?}");
}

#[cfg(unix)] // on Windows, few users may create links
#[test]
fn links_are_never_followed() {
    let outside = Folder::with(&encode(&fields(), Format::Png));
    let folder = Folder::with(&encode(&fields(), Format::Png));
    let targets = [outside.temporary.path().join(NAME), NAME.into(), "/dev/zero".into()];
    for (at, target) in targets.iter().enumerate() {
        let link = format!("link{at}.jpg");
        std::os::unix::fs::symlink(target, folder.temporary.path().join(&link)).unwrap();
        let found = pictures().original(&folder.dir, Path::new(&link));
        assert!(matches!(found, Err(Error::NotAnImage)), "{found:?}");
    }
    // A folder in the path may be a link. The link must not lead out of the root.
    std::os::unix::fs::symlink(outside.temporary.path(), folder.temporary.path().join("day")).unwrap();
    assert!(pictures().original(&folder.dir, &Path::new("day").join(NAME)).is_err());
    // Opening a socket or pipe could block forever.
    let socket = folder.temporary.path().join("socket.jpg");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    assert!(matches!(pictures().original(&folder.dir, Path::new("socket.jpg")), Err(Error::NotAnImage)));
}

#[test]
fn a_file_beyond_the_limit_is_not_read() {
    let folder = Folder::new();
    let file = fs::File::create(folder.temporary.path().join(NAME)).unwrap();
    file.set_len((64 << 20) + 1).unwrap();
    assert!(matches!(pictures().original(&folder.dir, name()), Err(Error::TooLarge)));
}

/// Decodes and crops an image if its header is valid.
fn decode_and_cut(bytes: &[u8]) {
    let Ok(header) = header::read(bytes) else { return };
    let Ok(decoded) = header::decode(bytes, &header) else { return };
    let Header { size, format } = header;
    assert_eq!((decoded.width(), decoded.height()), (size.width, size.height));
    let rect = Region::WHOLE.resolve(size);
    let made = pixels::encode(&pixels::scale_to_width(&pixels::crop_pixels(decoded, rect, size), 1), format).unwrap();
    assert_eq!(made.size.width, 1);
}

#[test]
fn random_bytes_are_rejected() {
    bolero::check!().with_type::<(bool, Vec<u8>)>().for_each(|(jpeg, bytes)| {
        let signature: &[u8] = if *jpeg { b"\xff\xd8\xff" } else { b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR" };
        decode_and_cut(&[signature, bytes].concat());
        decode_and_cut(bytes);
    });
}

#[test]
fn changed_pictures_never_cause_a_panic() {
    let whole = [Format::Jpeg, Format::Png].map(|format| encode(&fields(), format));
    bolero::check!().with_type::<(bool, Vec<(u16, u8)>)>().for_each(|(jpeg, changes)| {
        let mut bytes = whole[usize::from(!jpeg)].clone();
        let length = bytes.len();
        for (at, byte) in changes {
            bytes[usize::from(*at) % length] = *byte;
        }
        // Images with many pixels are skipped, because decoding them is slow but not dangerous.
        let small = |size: Size| size.width.max(size.height) <= 4 * SIZE.width;
        if header::read(&bytes).is_ok_and(|header| small(header.size)) {
            decode_and_cut(&bytes);
        }
    });
}
