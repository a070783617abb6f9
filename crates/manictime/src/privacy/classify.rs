//! Finds the kind of each text in `ManicTime`'s rows. The timeline and group of a row decide the kind.

use crate::dimensions::Group;
use dayledger_source::{Role, TextKind};

/// Returns the kind of an activity's texts. These texts are its title and the names of its group. The kind depends on
/// the role of the timeline. For documents and other roles, it also depends on the type of the group.
pub(crate) fn classify(role: Role, group: Option<&Group>, common: Option<&Group>) -> TextKind {
    match role {
        Role::Applications | Role::Websites | Role::Tags | Role::ComputerUsage => TextKind::from_role(role),
        Role::Documents => {
            let named = [common, group].into_iter().flatten();
            match named.clone().find_map(|group| group.group_type.as_deref()) {
                Some(group_type) => from_group_type(group_type).unwrap_or(TextKind::Other),
                // In older databases, a group can have a number instead of a type. In this case, the number decides the
                // kind.
                None => match named.clone().find_map(|group| from_group_number(group.report_group_type)) {
                    Some(kind @ (TextKind::Website | TextKind::Document)) => kind,
                    _ => TextKind::Location,
                },
            }
        }
        // Other timelines come from plugins of ManicTime. Plugins can also record sites and files.
        Role::Other => {
            let group_type = [common, group].into_iter().flatten().find_map(|group| group.group_type.as_deref());
            match group_type.and_then(from_group_type) {
                Some(TextKind::Website) => TextKind::Website,
                Some(TextKind::Document) => TextKind::PluginFile,
                _ => TextKind::Other,
            }
        }
    }
}

/// Returns the kind of the names of a common group to which no group refers.
pub(super) fn classify_unreferenced(group: &Group) -> TextKind {
    match group.group_type.as_deref() {
        Some(group_type) => from_group_type(group_type).unwrap_or(TextKind::Other),
        None => from_group_number(group.report_group_type).unwrap_or(TextKind::Nowhere),
    }
}

/// Whether activities with this group type are websites.
pub(crate) fn is_website(group_type: Option<&str>) -> bool {
    group_type.is_some_and(|group_type| group_type.eq_ignore_ascii_case("ManicTime/WebSites"))
}

fn from_group_type(group_type: &str) -> Option<TextKind> {
    if is_website(Some(group_type)) {
        return Some(TextKind::Website);
    }
    group_type.eq_ignore_ascii_case("ManicTime/Files").then_some(TextKind::Document)
}

/// Returns the kind for a number in `ReportGroupType` (docs/spec/manictime.md#group-types).
fn from_group_number(number: Option<i64>) -> Option<TextKind> {
    match number? {
        1 => Some(TextKind::Application),
        2 => Some(TextKind::Document),
        3 => Some(TextKind::Website),
        4 => Some(TextKind::State),
        5 => Some(TextKind::Tag),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn group(group_type: Option<&str>, number: Option<i64>) -> Group {
        Group { group_type: group_type.map(str::to_owned), report_group_type: number, ..Group::default() }
    }

    #[test]
    fn role_then_type_then_number_decide() {
        let (sites, files) = (group(Some("manictime/websites"), None), group(Some("ManicTime/Files"), None));
        let (by_number, unknown) = (group(None, Some(3)), group(None, None));
        let mail = group(Some("ManicTime/Email"), Some(2));
        for (role, own, common, kind) in [
            (Role::Documents, Some(&sites), None, TextKind::Website),
            (Role::Documents, Some(&files), Some(&sites), TextKind::Website),
            (Role::Documents, Some(&files), None, TextKind::Document),
            (Role::Documents, Some(&unknown), Some(&by_number), TextKind::Website),
            (Role::Documents, Some(&mail), None, TextKind::Other),
            (Role::Documents, Some(&unknown), None, TextKind::Location),
            (Role::Documents, None, None, TextKind::Location),
            (Role::Websites, Some(&files), None, TextKind::Website),
            (Role::Applications, Some(&sites), None, TextKind::Application),
            (Role::Other, Some(&sites), None, TextKind::Website),
            (Role::Other, Some(&files), None, TextKind::PluginFile),
            (Role::Other, Some(&mail), None, TextKind::Other),
        ] {
            assert_eq!(classify(role, own, common), kind, "{role:?} {own:?} {common:?}");
        }
        assert_eq!(classify_unreferenced(&unknown), TextKind::Nowhere);
        assert_eq!(classify_unreferenced(&group(Some("Vendor/Own"), Some(3))), TextKind::Other);
    }
}
