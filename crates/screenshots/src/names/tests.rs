use super::*;

/// File names of all forms with the expected result, one name on each line.
const CORPUS: &str = include_str!("corpus.txt");

/// Returns the names of the corpus, each with its expected result.
fn corpus() -> impl Iterator<Item = (&'static str, &'static str)> {
    let lines = CORPUS.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines.map(|line| line.split_once(" => ").expect(line))
}

/// Describes a parsed name in the notation of the corpus.
fn describe_name(name: &str) -> String {
    let Some(Name { stem, kind, extension }) = Name::parse(name.as_bytes()) else { return "unknown".to_owned() };
    let form = if stem.details.is_some() { "since 2018" } else { "before 2018" };
    let kind = if kind == Kind::Image { "image" } else { "thumbnail" };
    let details = stem.details.map_or(String::new(), |Details { sequence, number, size, offset }| {
        let Size { width, height } = size;
        format!(" {} {width}x{height} sequence {sequence} number {number}", offset.to_fixed_offset().unwrap())
    });
    format!("{form}: {}{details} {kind} {extension}", stem.taken_at.format("%Y-%m-%dT%H:%M:%S"))
}

#[test]
fn names_of_the_corpus_are_parsed_as_listed() {
    for (name, expected) in corpus() {
        assert_eq!(describe_name(name), expected, "{name}");
    }
    assert!(corpus().filter(|(_, expected)| *expected == "unknown").count() > 30);
}

#[test]
fn a_day_folder_has_the_date_for_its_name_and_nothing_else() {
    assert_eq!(parse_day(b"2026-02-27"), NaiveDate::from_ymd_opt(2026, 2, 27));
    for other in ["2026-02-30", "2026-02-27 ", " 2026-02-27", "2026-2-27", "26-02-27", "2026_02_27", "20260227", ""] {
        assert_eq!(parse_day(other.as_bytes()), None, "{other}");
    }
}

fn assert_formats_to_same_bytes(name: &[u8]) {
    if let Some(read) = Name::parse(name) {
        assert_eq!(read.to_string().as_bytes(), name, "{}", name.escape_ascii());
    }
}

#[test]
fn any_bytes_are_parsed_without_panic_and_formatted_to_the_same_bytes() {
    bolero::check!().with_iterations(20_000).for_each(assert_formats_to_same_bytes);
}

#[test]
fn slightly_changed_names_are_formatted_to_the_same_bytes_or_are_unknown() {
    let names: Vec<_> = corpus().map(|(name, _)| name).collect();
    bolero::check!().with_type::<(u8, Vec<(u8, u8, u8)>)>().with_iterations(20_000).for_each(|(start, changes)| {
        let mut name = names[usize::from(*start) % names.len()].as_bytes().to_vec();
        for (place, kind, byte) in changes {
            let place = usize::from(*place) % (name.len() + 1);
            let byte = *b"0123456789-_+.jpgJPGethumbnail".get(usize::from(*byte)).unwrap_or(byte);
            match kind % 3 {
                0 => name.insert(place, byte),
                1 if place < name.len() => name[place] = byte,
                _ if place < name.len() => drop(name.remove(place)),
                _ => {}
            }
        }
        assert_formats_to_same_bytes(&name);
    });
}
