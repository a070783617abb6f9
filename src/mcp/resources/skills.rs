//! The skills: playbooks that a client loads when a question needs them (extension `io.modelcontextprotocol/skills`).
//!
//! The texts are files of the plugin for Claude Code. The guide contains the playbook of each skill. If a skill's text
//! names a tool that isn't served, the line is removed, as in the guide. If the first line of the playbook names such a
//! tool, the skill isn't offered.

use dayledger_mcp::ServedTools;
use rmcp::model::{Skill, SkillFrontmatter, SkillResource, SkillResources};

use super::guide::filter_block;
use crate::mcp::history_handler::HistoryHandler;

/// The name and the text of each skill, in the order of the list.
const TEXTS: [(&str, &str); 4] = [
    ("day-review", include_str!("../../../release/plugin/skills/day-review/SKILL.md")),
    ("week-review", include_str!("../../../release/plugin/skills/week-review/SKILL.md")),
    ("screenshot-investigation", include_str!("../../../release/plugin/skills/screenshot-investigation/SKILL.md")),
    ("timesheet", include_str!("../../../release/plugin/skills/timesheet/SKILL.md")),
];

/// The number of blocks before the playbook: the header and the heading.
const BLOCKS_BEFORE_PLAYBOOK: usize = 2;

/// Returns the guide's text with the playbook of each skill instead of its placeholder.
pub(super) fn insert_playbooks(guide: &str) -> String {
    let insert = |guide: String, (name, text): &(&str, &str)| {
        let playbook = text.split("\n\n").nth(BLOCKS_BEFORE_PLAYBOOK).unwrap_or_default();
        guide.replace(&format!("{{{name}}}"), playbook)
    };
    TEXTS.iter().fold(guide.to_owned(), insert)
}

/// A skill that a server offers.
#[derive(Debug)]
pub(super) struct ServedSkill {
    /// The skill's entry in `skills/list`.
    pub(super) definition: Skill,
    /// The content of the skill's only file.
    pub(super) text: String,
}

/// Returns the skills of a server with these `tools`.
pub(super) fn served_skills<R: HistoryHandler>(tools: &ServedTools<R>) -> Vec<ServedSkill> {
    let absent: Vec<String> = tools.absent().iter().map(|name| format!("`{name}`")).collect();
    TEXTS.iter().filter_map(|(name, text)| served_skill(name, text, &absent)).collect()
}

/// Returns the skill without the lines that name a tool of `absent`, or `None` if the playbook isn't possible.
fn served_skill(name: &str, text: &str, absent: &[String]) -> Option<ServedSkill> {
    let blocks: Option<Vec<String>> = text.trim_end().split("\n\n").map(|block| filter_block(block, absent)).collect();
    let text = blocks?.join("\n\n") + "\n";
    let description = text.lines().find_map(|line| line.strip_prefix("description: "))?;
    let uri = format!("skill://{name}/SKILL.md");
    let definition = Skill::new(
        uri.as_str(),
        SkillFrontmatter::new(name, description),
        SkillResources::Files(vec![SkillResource::from_bytes(uri.as_str(), text.as_bytes())]),
    );
    Some(ServedSkill { definition, text })
}

#[cfg(test)]
mod tests {
    use rmcp::model::validate_skills;

    use super::*;
    use crate::{App, mcp::tools::inventory};

    /// Returns the skills of a server without the tools in `excluded`.
    fn skills_without(excluded: &[&str]) -> Vec<ServedSkill> {
        served_skills(&ServedTools::new(inventory::<App>(), |name| !excluded.contains(&name)))
    }

    fn names(skills: &[ServedSkill]) -> Vec<&str> {
        skills.iter().map(|skill| skill.definition.name()).collect()
    }

    #[test]
    fn a_server_with_all_tools_offers_the_files_of_the_plugin() {
        let skills = skills_without(&[]);
        assert_eq!(names(&skills), TEXTS.map(|(name, _)| name));
        let definitions: Vec<_> = skills.iter().map(|skill| skill.definition.clone()).collect();
        validate_skills(&definitions).expect("valid skills");
        for (skill, (name, text)) in skills.iter().zip(TEXTS) {
            assert_eq!(skill.text, text, "{name}");
            let frontmatter = &skill.definition.frontmatter;
            let header = format!("---\nname: {name}\ndescription: {}\n---\n", frontmatter.description);
            assert!(text.starts_with(&header), "{text}");
        }
    }

    #[test]
    fn a_skill_is_offered_only_with_the_tools_that_it_needs() {
        let without_timesheet = skills_without(&["suggest_time_entries"]);
        assert_eq!(names(&without_timesheet), ["day-review", "week-review", "screenshot-investigation"]);
        let without_crop = skills_without(&["crop_screenshot"]);
        let text = &without_crop[2].text;
        assert!(text.contains("`get_screenshot`") && !text.contains("crop_screenshot"), "{text}");
        let SkillResources::Files(files) = &without_crop[2].definition.resources else { panic!("files") };
        assert_eq!(files[0].verify(text.as_bytes()), Ok(()));
    }
}
