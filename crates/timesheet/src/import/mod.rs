//! Import of projects from files of other tools or from the user's tags, and import of entries from other trackers.
//!
//! [`projects`] reads projects from a file and checks them with the rules for projects ([`check_projects`]). The caller
//! passes the content of the file. [`projects_from_tags`] creates projects from tags. [`entries()`] reads the entries
//! of other trackers, and [`resolve`] finds their projects.

mod csv;
mod entries;
mod tags;

use std::borrow::Cow;
use std::fmt::Display;

use encoding_rs::{Encoding, WINDOWS_1252};
use serde::Deserialize;

use crate::project::{Project, ProjectTag, ProjectTask};
use crate::refusal::Refusal;
use crate::rules::check_projects;

pub use entries::{
    DateOrder, ResolvedEntries, ResolvedEntry, TrackedEntries, TrackedEntry, TrackedTime, entries, resolve,
};
pub use tags::{project_code, projects_from_tags};

/// Projects read from a file or created from tags.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedProjects {
    /// The projects. Projects from a file are in the order of the file, and projects from tags are ordered by code.
    pub projects: Vec<Project>,
    /// Messages to the user about the import. Each is one sentence without a full stop.
    pub notes: Vec<String>,
}

/// Reads the projects of a file in UTF-8, UTF-16 with a byte order mark, or Windows-1252.
///
/// A text that begins with `{` or `[` is JSON. It is a list of projects in the form of the tool
/// `get_available_projects`, or an object that contains this list as `projects`.
///
/// Any other text is CSV, separated by commas, semicolons or tabs. Its header contains `code`, `name`, `task` and
/// optionally `tag` and `value`, in any order. The file has a line for each task and for each value of a tag. The
/// fields that a line doesn't need may be empty. Other columns are ignored, and a note lists them.
///
/// # Errors
///
/// `VALIDATION_ERROR` for `file`, with the line if known. Also `VALIDATION_ERROR` for a project that the API wouldn't
/// accept.
pub fn projects(file: &[u8]) -> Result<ImportedProjects, Refusal> {
    let (text, note) = decode(file)?;
    let is_json = text.trim_start().starts_with(['{', '[']);
    let (projects, mut notes) = if is_json { (read_json(&text)?, Vec::new()) } else { csv::read(&text)? };
    if projects.is_empty() {
        return Err(refusal("it contains no projects"));
    }
    check_projects(&projects)?;
    notes.extend(note);
    Ok(ImportedProjects { projects, notes })
}

/// Decodes a file. Returns the text, and a note if the encoding was guessed.
fn decode(file: &[u8]) -> Result<(Cow<'_, str>, Option<String>), Refusal> {
    if let Some((encoding, mark)) = Encoding::for_bom(file) {
        return match encoding.decode_without_bom_handling_and_without_replacement(&file[mark..]) {
            Some(text) => Ok((text, None)),
            None => Err(refusal(format_args!("its text is not valid {}", encoding.name()))),
        };
    }
    if file.contains(&0) {
        return Err(refusal("it is not a text file. In a spreadsheet, save it as CSV"));
    }
    if let Ok(text) = str::from_utf8(file) {
        return Ok((text.into(), None));
    }
    // Excel uses this encoding for CSV files in Western Europe and America.
    let (text, _) = WINDOWS_1252.decode_without_bom_handling(file);
    Ok((text, Some("the file is not UTF-8; it was read as Windows-1252".to_owned())))
}

/// Returns a `VALIDATION_ERROR` for the field `file`.
fn refusal(why: impl Display) -> Refusal {
    Refusal::invalid("file", format_args!("cannot import the file: {why}"))
}

/// A JSON object with a list of projects.
#[derive(Deserialize)]
struct ProjectsFile {
    projects: Vec<ProjectJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ProjectJson {
    code: String,
    name: Option<String>,
    #[serde(default = "yes")]
    is_active: bool,
    #[serde(default)]
    tasks: Vec<String>,
    #[serde(default)]
    tags: Vec<TagJson>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TagJson {
    name: String,
    #[serde(default)]
    is_required: bool,
    #[serde(default)]
    allowed_values: Vec<String>,
}

const fn yes() -> bool {
    true
}

fn read_json(text: &str) -> Result<Vec<Project>, Refusal> {
    let written = if text.trim_start().starts_with('[') {
        serde_json::from_str(text)
    } else {
        serde_json::from_str(text).map(|answer: ProjectsFile| answer.projects)
    };
    Ok(written.map_err(refusal)?.into_iter().map(Project::from).collect())
}

impl From<ProjectJson> for Project {
    fn from(ProjectJson { code, name, is_active, tasks, tags }: ProjectJson) -> Self {
        let tags = tags.into_iter().map(|TagJson { name, is_required, allowed_values }| ProjectTag {
            name,
            is_required,
            is_active: true,
            allowed_values,
        });
        Self {
            name: name.unwrap_or_else(|| code.clone()),
            code,
            is_active,
            tasks: tasks.into_iter().map(|name| ProjectTask { name, is_active: true }).collect(),
            tags: tags.collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn expected_projects() -> Vec<Project> {
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
    fn csv_and_json_give_the_same_projects() {
        let csv = "\u{feff}name,code,task,value,tag\r\n\"Acme, Inc.\",ACME,Website,Yes,Billable\r\n\
                   ,ADMIN,Mail,,\r\n,ACME, Support ,No,Billable\r\n,ACME,Website,,\r\n";
        assert_eq!(projects(csv.as_bytes()), Ok(ImportedProjects { projects: expected_projects(), notes: Vec::new() }));
        let json = r#"{"projects": [
            {"code": "ACME", "name": "Acme, Inc.", "tasks": ["Website", "Support"],
             "tags": [{"name": "Billable", "allowedValues": ["Yes", "No"]}]},
            {"code": "ADMIN", "tasks": ["Mail"]}], "session": "x"}"#;
        assert_eq!(
            projects(json.as_bytes()),
            Ok(ImportedProjects { projects: expected_projects(), notes: Vec::new() })
        );
        let list = r#"[{"code": "ADMIN", "isActive": false, "tasks": []}]"#;
        assert!(!projects(list.as_bytes()).unwrap().projects[0].is_active);
    }

    #[test]
    fn errors_name_their_line() {
        for (text, expected) in [
            ("", "no projects"),
            ("code,name,task\n", "no projects"),
            ("name,task\nAcme,Website\n", "its header lacks the column `code`"),
            ("code|name|task\nACME|Acme|Website\n", "its header lacks the column `code`"),
            ("code,name,task\nACME,Acme,Website\n,Acme,Support\n", "line 3: it has no code"),
            ("code,name,task\nACME,Acme, Inc.,Website\n", "line 2: it has 4 fields"),
            ("sep=;\ncode;name;task\n;Acme;Website\n", "line 3: it has no code"),
            ("code,name,task\nACME,Acme,Website\nACME,Acme Ltd,Support\n", "line 3: `ACME` has the name `Acme`"),
            ("code,name,task,tag,value\nACME,,Website,,Yes\n", "line 2: a value needs a tag"),
            ("code,name,task\nTOO-LONG-A-CODE,,Website\n", "at most 10 characters"),
            ("[{\"name\": \"Acme\"}]", "missing field `code`"),
            ("{\"project\": []}", "missing field `projects`"),
        ] {
            let refusal = projects(text.as_bytes()).unwrap_err();
            assert!(refusal.message.contains(expected), "{}", refusal.message);
        }
    }
    /// Excel saves CSV with different separators and encodings.
    #[test]
    fn projects_are_read_as_excel_saves_them() {
        let read = |file: &[u8]| projects(file).unwrap();
        let expected = read("code,name,task\nX,Größe,Dev\nX,,€ Übung\n".as_bytes());
        assert_eq!((&*expected.projects[0].name, &expected.notes[..]), ("Größe", &[][..]));

        let semicolons = "code;name;task\r\nX;Größe;Dev\r\nX;;€ Übung\r\n;;\r\n";
        for text in [
            semicolons.to_owned(),
            semicolons.replace(';', "\t"),
            semicolons.replace("code;name;task", "Code;NAME;Task"),
            format!("sep=;\r\n{semicolons}"),
            "code;name;task;tag;;\r\nX;\"Größe\";Dev\r\nX;;€ Übung;;;\r\n".to_owned(),
        ] {
            assert_eq!(read(text.as_bytes()), expected, "{text}");
            assert_eq!(read(format!("\u{feff}{text}").as_bytes()), expected, "{text}");
            let utf16: Vec<u16> = format!("\u{feff}{text}").encode_utf16().collect();
            let little: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_le_bytes()).collect();
            let big: Vec<u8> = utf16.iter().flat_map(|unit| unit.to_be_bytes()).collect();
            assert_eq!((read(&little), read(&big)), (expected.clone(), expected.clone()), "{text}");
        }

        let legacy = read(b"code;name;task\r\nX;Gr\xf6\xdfe;Dev\r\nX;;\x80 \xdcbung\r\n");
        assert_eq!(legacy.projects, expected.projects);
        assert_eq!(legacy.notes, ["the file is not UTF-8; it was read as Windows-1252"]);
    }

    #[test]
    fn unknown_columns_are_ignored_with_a_note() {
        let read = projects(b"Code,Name,Rate,Task\nX,Proj,5,Dev\n").unwrap();
        assert_eq!((&*read.projects[0].code, &*read.projects[0].tasks[0].name), ("X", "Dev"));
        assert_eq!(read.notes, ["ignored the column `rate`"]);
    }

    #[test]
    fn workbook_is_rejected_with_a_hint() {
        let refusal = projects(b"PK\x03\x04\x14\0\x06\0").unwrap_err();
        assert!(refusal.message.contains("save it as CSV"), "{}", refusal.message);
    }
}
