//! Shows projects with their tasks and tags.

use std::io::{self, Write};

use crate::sections::{write_item, write_prose};
use crate::style::{Style, TextStyle};
use crate::text::{fit, join, sanitize};
use dayledger_timesheet_service::ProjectAnswer;

/// The text that is shown if the user has no projects.
const NO_PROJECTS: &str = "There are no projects yet. Import them from your tags with `dayledger timesheet projects \
                    import --from-tags` or from a file with `import FILE`, or add `[[timesheet.projects]]` with code, \
                    name and tasks to the configuration file.";

/// Writes projects with their tasks, their tags and the allowed values of these tags.
pub fn write_projects(out: &mut dyn Write, projects: &[ProjectAnswer], style: &Style) -> io::Result<()> {
    if projects.is_empty() {
        return write_prose(out, NO_PROJECTS, TextStyle::Plain, style);
    }
    for project in projects {
        let mut facts = vec![project.code.clone()];
        facts.extend((project.name != project.code).then(|| project.name.clone()));
        facts.extend((project.is_active == Some(false)).then(|| "inactive".to_owned()));
        let heading = sanitize(&join(&facts, style), style).into_owned();
        writeln!(out, "{}", style.paint(&fit(&heading, style.width, style), TextStyle::Strong))?;
        write_item(out, &project.tasks.join(", "), TextStyle::Plain, style)?;
        for tag in &project.tags {
            let required = if tag.is_required.is_some() { ", required" } else { "" };
            let text = format!("tag {}{required}: {}", tag.name, tag.allowed_values.join(", "));
            write_item(out, &text, TextStyle::Faint, style)?;
        }
    }
    Ok(())
}
