use proptest::prelude::*;

use super::*;

const NAME: &str = "2026-02-27_06-14-44_01-00_3866_2330_517204_1.jpg";
/// All characters that a reference can contain.
const LETTERS: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn reference(folder: &str, name: &str) -> Reference {
    let name = Name::parse(name.as_bytes()).expect(name);
    ReferenceFolder::new(folder).reference(name.stem, name.extension)
}

/// Creates a reference of the second form (`g`) with a correct checksum.
fn general(path: &[u8]) -> String {
    let [_, written @ ..] = checksum(&[path]).to_be_bytes();
    format!("g{}", URL_SAFE_NO_PAD.encode([&written, path].concat()))
}

/// Creates a reference of the first form (`s`) with a correct checksum.
fn short(fields: u128, above: &[u8]) -> String {
    let checksum = checksum(&[&fields.to_be_bytes(), above]) >> (u32::BITS - CHECKSUM_BITS);
    let block = (u128::from(checksum) << FIELD_BITS | fields).to_be_bytes();
    format!("s{}", URL_SAFE_NO_PAD.encode([&block[1..], above].concat()))
}

#[test]
fn reference_of_an_earlier_version_still_finds_its_file() {
    for (folder, name, text) in [
        ("2026-02-27", NAME, "sZ91xiZ-WoIDxoSNA_IqE"),
        ("Ann/LAPTOP/2026-02-27", NAME, "s7B7RiZ-WoIDxoSNA_IqEQW5uL0xBUFRPUA"),
        ("2017-03-28", "2017-03-28_14-05-33.jpg", "gFUFIMjAxNy0wMy0yOC8yMDE3LTAzLTI4XzE0LTA1LTMzLmpwZw"),
        ("", NAME, "gwGBiLzIwMjYtMDItMjdfMDYtMTQtNDRfMDEtMDBfMzg2Nl8yMzMwXzUxNzIwNF8xLmpwZw"),
    ] {
        assert_eq!(reference(folder, name).to_string(), text, "{folder}/{name}");
        let read: Reference = text.parse().unwrap();
        assert_eq!(read.path(Kind::Image, read.extension()), Path::new(folder).join(name));
    }
}

#[test]
fn current_names_in_their_day_folder_have_short_references() {
    for name in [
        NAME,
        "2026-02-27_00-00-00_00-00_1_1_0_0.png",
        "2026-02-27_23-59-59_-03--30_23040_4320_16777215_7.jpeg",
        "2026-02-27_12-00-00_+05-45_1920_1080_1_0.jpg",
        "2026-02-27_12-00-00_14-00_1920_1080_1_0.jpg",
    ] {
        let text = reference("2026-02-27", name).to_string();
        assert!(text.len() <= 22, "{name}: {text}");
        assert!(text.bytes().all(|letter| LETTERS.as_bytes().contains(&letter)), "{text}");
    }
}

#[test]
fn reference_with_any_changed_character_is_rejected() {
    for folder in ["2026-02-27", "Ann/2026-02-27", "Ann/2026-02-26"] {
        let text = reference(folder, NAME).to_string();
        for place in 0..text.len() {
            for letter in LETTERS.chars().filter(|letter| !text[place..].starts_with(*letter)) {
                let changed = format!("{}{letter}{}", &text[..place], &text[place + 1..]);
                let refusal = changed.parse::<Reference>().unwrap_err();
                assert!(refusal == CHANGED || [0, text.len() - 1].contains(&place), "{changed} for {text}: {refusal}");
            }
        }
        assert!(text[..text.len() - 1].parse::<Reference>().is_err());
        assert!(format!("{text}A").parse::<Reference>().is_err());
    }
}

#[test]
fn reference_outside_the_root_is_rejected_despite_a_valid_checksum() {
    let folders = ["..", "../..", "a/..", "a/../b", ".", "a/.", "./a", "/", "/etc", "a//b", "a/", "a/b/c/d", "a\0b"];
    for folder in folders {
        let text = general(format!("{folder}/{NAME}").as_bytes());
        assert_eq!(text.parse::<Reference>(), Err(FOREIGN), "{folder}");
    }
    let fields = pack(reference("", NAME).stem, Extension::PLAIN[0]).unwrap();
    assert!(short(fields, b"a/b").parse::<Reference>().is_ok());
    for above in folders.iter().copied().chain(["a/b/c"]) {
        assert_eq!(short(fields, above.as_bytes()).parse::<Reference>(), Err(FOREIGN), "{above}");
    }
    let Stem { taken_at, details } = reference("", NAME).stem;
    let details = details.map(|details| Details { size: Size { width: 0, height: 1 }, ..details });
    let fields = pack(Stem { taken_at, details }, Extension::PLAIN[0]).unwrap();
    assert_eq!(short(fields, b"").parse::<Reference>(), Err(FOREIGN));
    for path in
        [&b"a/passwd"[..], b"a/x.jpg", b"a", b"", b"a/../2017-03-28_14-05-33.jpg", b"\xff/2017-03-28_14-05-33.jpg"]
    {
        assert_eq!(general(path).parse::<Reference>(), Err(FOREIGN), "{}", path.escape_ascii());
    }
    // A reference never identifies a thumbnail. A file in its day's folder has a reference of the
    // first form.
    for path in ["a/2017-03-28_14-05-33.thumbnail.jpg", &format!("2026-02-27/{NAME}")] {
        assert_eq!(general(path.as_bytes()).parse::<Reference>(), Err(FOREIGN), "{path}");
    }
}

#[test]
fn invalid_reference_is_rejected() {
    let long = "s".repeat(100_000);
    for text in
        ["", "s", "g", "x", "sAAAA", "gAAAA", "2026-02-27", "../../etc/passwd", "ä", "s ä", "s====", "%2e%2e", &long]
    {
        let error = text.parse::<Reference>().unwrap_err();
        assert!(error.to_string().starts_with("invalid screenshot reference"), "{error}");
    }
}

fn stems() -> impl Strategy<Value = Stem> {
    let signs = prop::sample::select(SIGNS.to_vec());
    let offset = (0_u16..24 * 60, any::<bool>(), signs).prop_map(|(minutes, whole, sign)| {
        let minutes = if whole { minutes / QUARTER * QUARTER } else { minutes };
        Offset { minutes, sign }
    });
    let size = (1..=u32::MAX, 1..=u32::MAX, 0..32_u32)
        .prop_map(|(width, height, less)| Size { width: (width >> less).max(1), height: (height >> less).max(1) });
    let numbers = (any::<u64>(), 0..64_u32, any::<u32>(), 0..32_u32);
    let details = (numbers, size, offset).prop_map(|((sequence, less, number, fewer), size, offset)| Details {
        sequence: sequence >> less,
        number: number >> fewer,
        size,
        offset,
    });
    // The times of the years 0 to 9999.
    let taken = (-62_167_219_200_i64..253_402_300_800)
        .prop_map(|seconds| DateTime::from_timestamp_secs(seconds).unwrap().naive_utc());
    (taken, prop::option::of(details)).prop_map(|(taken, details)| Stem { taken_at: taken, details })
}

fn names() -> impl Strategy<Value = Name> {
    let extensions = ["jpg", "jpeg", "png", "JPG", "jPeG", "Png"];
    (stems(), prop::sample::select(extensions.to_vec())).prop_map(|(stem, extension)| {
        let name = format!("{stem}.{extension}");
        Name::parse(name.as_bytes()).expect(&name)
    })
}

proptest! {
    #[test]
    fn every_reference_parses_to_its_name_and_folder(
        name in names(),
        folder in prop::collection::vec("[a-zA-Z0-9äß ._-]{1,12}", 0..3),
        in_day in any::<bool>(),
    ) {
        let day = name.stem.taken_at.date().to_string();
        let folder: Vec<_> = folder.into_iter().filter(|part| part != "." && part != "..").chain(in_day.then_some(day)).collect();
        let folder = folder.join("/");
        let written = ReferenceFolder::new(&folder).reference(name.stem, name.extension);
        let text = written.to_string();
        let read: Reference = text.parse().unwrap();
        prop_assert_eq!(&read, &written);
        prop_assert_eq!(read.path(Kind::Image, read.extension()), Path::new(&folder).join(name.to_string()));
        prop_assert_eq!(serde_json::to_string(&read).unwrap(), format!("\"{text}\""));
    }

    #[test]
    fn parsed_reference_is_always_below_the_root(text in "[sg][A-Za-z0-9_-]{0,60}", fields in 0..1_u128 << FIELD_BITS, above in "[./a]{0,4}") {
        for text in [text, short(fields, above.as_bytes())] {
            let Ok(read) = text.parse::<Reference>() else { continue };
            prop_assert_eq!(read.to_string(), text);
            let path = read.path(Kind::Image, read.extension());
            let name = path.file_name().unwrap().as_encoded_bytes();
            prop_assert!(Name::parse(name).is_some(), "{}", name.escape_ascii());
            prop_assert!(path.components().all(|part| matches!(part, Component::Normal(_))), "{}", path.display());
        }
    }
}
