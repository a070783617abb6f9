//! The names of the author of the notes. An action belongs to the author if its owner is one of these names.

/// Returns the configured name. Without a configured name, returns the login name and the identity in the user's git
/// configuration. The first word of each name counts as a name too.
pub fn names(configured: Option<&str>, login: Option<&str>) -> Vec<String> {
    let configured = configured.map(str::trim).filter(|name| !name.is_empty());
    match configured {
        Some(name) => with_first_names([name.to_owned()]),
        None => with_first_names(login.map(str::to_owned).into_iter().chain(git_identity())),
    }
}

fn with_first_names(names: impl IntoIterator<Item = String>) -> Vec<String> {
    let both = |name: String| [name.split_whitespace().next().map(str::to_owned), Some(name)];
    names.into_iter().flat_map(both).flatten().collect()
}

/// Returns the name in the user's git configuration, and the part of the email address before the `@`. The workspace's
/// own git configuration isn't read, because Chronicle writes its own identity there.
fn git_identity() -> Vec<String> {
    let Ok(config) = gix::config::File::from_globals() else { return Vec::new() };
    let value = |key: &str| config.string(key).map(|value| value.to_string());
    let email = value("user.email").and_then(|email| Some(email.split_once('@')?.0.to_owned()));
    value("user.name").into_iter().chain(email).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn configured_name_matches_whole_or_by_its_first_word() {
        assert_eq!(names(Some(" Ada Lovelace "), Some("root")), ["Ada", "Ada Lovelace"]);
        assert_eq!(names(Some("ada"), None), ["ada", "ada"]);
        assert!(names(Some(" "), Some("ada")).contains(&"ada".to_owned()));
    }
}
