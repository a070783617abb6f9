//! Tests the names and notes that the server completes while a user types.

use std::path::Path;

use rmcp::model::{ArgumentInfo, CompleteRequestParams, CompletionInfo, Reference};

use super::notes::workspace;
use super::session::{Session, VERSIONS};
use crate::cli::program::{Home, demo};
use crate::histories::{ClosedHistory, History};

async fn complete(session: &Session, reference: Reference, argument: &str, typed: &str) -> CompletionInfo {
    let request = CompleteRequestParams::new(reference, ArgumentInfo::new(argument, typed));
    session.peer().complete(request).await.unwrap().completion
}

async fn subjects(session: &Session, typed: &str) -> Vec<String> {
    complete(session, Reference::for_prompt("weekly_review"), "about", typed).await.values
}

/// Two applications, a website and a tag in January 2025, and an application that was last used in the year before.
fn history() -> ClosedHistory {
    let mut history = History::on_workstation();
    for (name, from, to) in [
        ("Old Editor", "2024-11-02 09:00:00", "2024-11-02 10:00:00"),
        ("Editor", "2025-01-14 09:00:00", "2025-01-14 10:00:00"),
        ("Browser", "2025-01-15 09:00:00", "2025-01-15 10:00:00"),
    ] {
        history.active(1, from, to);
        history.application(2, name, from, to);
    }
    history.website(3, "docs.example.org", "2025-01-15 09:10:00", "2025-01-15 09:40:00");
    history.tag(4, &["Northwind", "Edition"], "2025-01-14 09:00:00", "2025-01-14 09:30:00");
    history.close()
}

async fn session(data: &Path, more: &[&str]) -> Session {
    let home = Home::new();
    home.configure("[[rules]]\napp = 'Browser'\nproject = 'Harbour'\n");
    Session::start_in_home(home, data, VERSIONS[0].clone(), more).await
}

#[tokio::test(flavor = "multi_thread")]
async fn subjects_are_names_of_the_last_month_in_order_of_their_last_use() {
    let history = history();
    let session = session(history.folder(), &[]).await;
    let all = ["Browser", "docs.example.org", "Editor", "Edition", "Northwind", "Harbour"];
    assert_eq!(subjects(&session, "").await, all, "a name that was last used two months earlier is left out");
    assert_eq!(subjects(&session, "EDIT").await, ["Editor", "Edition"]);
    assert_eq!(subjects(&session, "nothing").await, [""; 0]);
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn hidden_names_are_not_completed() {
    let history = history();
    let session = session(history.folder(), &["--hide-app", "Editor", "--hide-site", "docs.example.org"]).await;
    let names = subjects(&session, "").await;
    assert!(!names.iter().any(|name| ["Editor", "docs.example.org", "(hidden)"].contains(&name.as_str())), "{names:?}");
    assert!(names.contains(&"Browser".to_owned()), "{names:?}");
    session.end().await;
    let session = self::session(history.folder(), &["--toolsets", "sql"]).await;
    assert_eq!(subjects(&session, "").await, [""; 0], "without the tools for activity, names of activity are private");
    session.end().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn notes_are_completed_by_a_part_of_their_path() {
    let (home, data) = (Home::new(), demo());
    let folder = workspace(&home);
    home.configure(&format!("[notes]\nworkspace = '{}'\n", folder.display()));
    let file = std::fs::File::options().append(true).open(folder.join("clients/2024-12-09-research.md")).unwrap();
    let later = std::time::SystemTime::now() + std::time::Duration::from_mins(1);
    file.set_modified(later).unwrap();
    let session = Session::start_in_home(home, data.path(), VERSIONS[1].clone(), &["--toolsets", "notes"]).await;
    let notes = async |typed: &str| {
        let reference = Reference::for_resource("note://file/{path}");
        complete(&session, reference, "path", typed).await
    };
    let all = notes("").await;
    assert_eq!(all.values, ["clients/2024-12-09-research.md", "2024-12-10-project-kickoff.md"], "changed last, first");
    assert_eq!((all.total, all.has_more), (Some(2), Some(false)));
    assert_eq!(notes("Kick").await.values, ["2024-12-10-project-kickoff.md"]);
    session.end().await;
}
