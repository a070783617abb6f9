//! Windows names of time zones, which Outlook uses too.

/// Returns Windows names with the IANA name of the place that represents the zone (Unicode's table, territory 001).
pub(super) fn zone_names() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("windows.csv").lines().filter_map(|line| line.split_once(','))
}

/// Returns the IANA name for a Windows name.
pub(super) fn iana_name(windows_name: &str) -> Option<&'static str> {
    zone_names().find(|(name, _)| name.eq_ignore_ascii_case(windows_name)).map(|(_, name)| name)
}
