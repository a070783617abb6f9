use super::*;

fn browser(device: &'static str, website: Option<&'static str>, start: i64, end: i64) -> SegmentWebsite<'static> {
    SegmentWebsite { device: Some(device), is_browser: true, website, start: Some(start), end: Some(end) }
}

fn carry_all(segments: &[SegmentWebsite<'static>]) -> Vec<Option<&'static str>> {
    let mut websites = Vec::new();
    carry(segments.iter().copied(), |website| websites.push(website)).unwrap();
    websites
}

#[test]
fn a_website_is_copied_along_a_chain_of_browser_segments() {
    let chain = [browser("a", Some("x"), 0, 10), browser("a", None, 310, 400), browser("a", None, 400, 500)];
    assert_eq!(carry_all(&chain), [Some("x"); 3]);
}

#[test]
fn a_pause_of_more_than_five_minutes_ends_the_chain() {
    let chain = [browser("a", Some("x"), 0, 10), browser("a", None, 311, 400), browser("a", None, 400, 500)];
    assert_eq!(carry_all(&chain), [Some("x"), None, None]);
}

#[test]
fn another_application_or_device_ends_the_chain() {
    let editor = SegmentWebsite { is_browser: false, ..browser("a", None, 10, 20) };
    assert_eq!(
        carry_all(&[browser("a", Some("x"), 0, 10), editor, browser("a", None, 20, 30)]),
        [Some("x"), None, None]
    );
    assert_eq!(carry_all(&[browser("a", Some("x"), 0, 10), browser("b", None, 10, 20)]), [Some("x"), None]);
}

#[test]
fn segments_out_of_order_are_an_error() {
    let wrong = [browser("a", None, 10, 20), browser("a", None, 0, 10)];
    let error = carry(wrong, |_| ()).unwrap_err();
    assert!(error.to_string().contains("ORDER BY device, start_utc"), "{error}");
}
