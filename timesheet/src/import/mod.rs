//! Projects from a file of another tool.
//!
//! Owns: how projects stand in a file. Does not own: what a project may be ([`crate::rules::definition`]), and where the
//! file comes from. [`projects`] is all there is to call; each format is a file here.

mod csv;
mod json;
mod unread;

use self::unread::refusal;
use crate::project::Project;
use crate::refusal::Refusal;
use crate::rules::definition::check_projects;

/// The projects of a file, in the order in which they first stand there.
///
/// What begins with `{` or `[` is JSON: an object whose `projects` are as the tool `get_available_projects` gives them, or
/// such a list alone. All else is CSV with a header, in any order, of `code`, `name`, `task` and, where there are tags,
/// `tag` and `value`: a line for each task and each value, in which the others may be empty.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `file`, with the line where that is known; and for a project that is not as it could be at the
/// API.
pub fn projects(text: &str) -> Result<Vec<Project>, Refusal> {
    let text = text.trim_start_matches('\u{feff}');
    let projects = if text.trim_start().starts_with(['{', '[']) { json::read(text)? } else { csv::read(text)? };
    if projects.is_empty() {
        return Err(refusal("it has no projects"));
    }
    check_projects(&projects)?;
    Ok(projects)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::project::{ProjectTag, ProjectTask};

    fn expected() -> Vec<Project> {
        let task = |name: &str| ProjectTask { name: name.to_owned(), is_active: true };
        let tag = ProjectTag {
            name: "Billable".to_owned(),
            is_required: false,
            is_active: true,
            allowed_values: vec!["Yes".to_owned(), "No".to_owned()],
        };
        let project = |code: &str, name: &str, tasks, tags| Project {
            code: code.to_owned(),
            name: name.to_owned(),
            is_active: true,
            tasks,
            tags,
        };
        vec![
            project("ACME", "Acme, Inc.", vec![task("Website"), task("Support")], vec![tag]),
            project("ADMIN", "ADMIN", vec![task("Mail")], Vec::new()),
        ]
    }

    #[test]
    fn both_formats_say_the_same() {
        let csv = "\u{feff}name,code,task,value,tag\r\n\"Acme, Inc.\",ACME,Website,Yes,Billable\r\n\
                   ,ADMIN,Mail,,\r\n,ACME, Support ,No,Billable\r\n,ACME,Website,,\r\n";
        assert_eq!(projects(csv), Ok(expected()));
        let json = r#"{"projects": [
            {"code": "ACME", "name": "Acme, Inc.", "tasks": ["Website", "Support"],
             "tags": [{"name": "Billable", "allowedValues": ["Yes", "No"]}]},
            {"code": "ADMIN", "tasks": ["Mail"]}], "session": "x"}"#;
        assert_eq!(projects(json), Ok(expected()));
        let list = r#"[{"code": "ADMIN", "isActive": false, "tasks": []}]"#;
        assert!(!projects(list).unwrap()[0].is_active);
    }

    #[test]
    fn what_is_wrong_is_told_with_its_line() {
        for (text, told) in [
            ("", "no projects"),
            ("code,name,task\n", "no projects"),
            ("code;name;task\nACME;Acme;Website\n", "the header lacks `code`"),
            ("code,name,task,colour\nACME,Acme,Website,red\n", "`colour`"),
            ("code,name,task\nACME,Acme,Website\n,Acme,Support\n", "line 3: it has no code"),
            ("code,name,task\nACME,Acme\n", "line 2: it has 2 fields"),
            ("code,name,task\nACME,Acme,Website\nACME,Acme Ltd,Support\n", "line 3: `ACME` is named `Acme`"),
            ("code,name,task,tag,value\nACME,,Website,,Yes\n", "line 2: a value needs a tag"),
            ("code,name,task\nTOO-LONG-A-CODE,,Website\n", "at most 10 characters"),
            ("[{\"name\": \"Acme\"}]", "missing field `code`"),
            ("{\"project\": []}", "missing field `projects`"),
        ] {
            let refusal = projects(text).unwrap_err();
            assert!(refusal.message.contains(told), "{}", refusal.message);
        }
    }
}
