//! What was done, where a format has one text for it.

/// What was done, with the ticket before it where the description does not name it.
pub(super) fn wording(issue: Option<&str>, description: Option<&str>) -> String {
    match (issue.filter(|text| !text.is_empty()), description.filter(|text| !text.is_empty())) {
        (Some(issue), Some(description)) if !description.contains(issue) => format!("{issue}: {description}"),
        (Some(issue), None) => issue.to_owned(),
        (_, description) => description.unwrap_or_default().to_owned(),
    }
}
