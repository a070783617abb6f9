//! Tests the tools that `serve` offers. They depend on flags and on the table `[serve]` of the configuration.

use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::program::Home;
use super::{assert_fails, stderr_of};

/// Returns the server's responses to `initialize` and `tools/list`.
pub(super) fn initial_responses(command: &mut Command) -> [Value; 2] {
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut input = server.stdin.take().unwrap();
    let hello = json!({"protocolVersion": "2025-06-18", "capabilities": {},
        "clientInfo": {"name": "test", "version": "1"}});
    for message in [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"}),
    ] {
        writeln!(input, "{message}").unwrap();
    }
    let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
    let answers = [(); 2].map(|()| serde_json::from_str(&lines.next().unwrap().unwrap()).unwrap());
    drop(input);
    assert!(server.wait().unwrap().success());
    answers
}

fn tool_names(command: &mut Command) -> Vec<String> {
    let [_, list] = initial_responses(command);
    list["result"]["tools"].as_array().unwrap().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn flags_replace_configured_toolsets_but_not_excluded_tools() {
    let home = Home::with_demo();
    assert_eq!(tool_names(&mut home.program(["serve"])).len(), 17);
    assert_eq!(
        tool_names(&mut home.program(["serve", "--tools", "get_tags,get_timelines"])),
        ["get_tags", "get_timelines"]
    );
    home.configure("[serve]\ntools = ['get_tags', 'get_timelines', 'get_activities']\nexclude_tools = ['get_tags']\n");
    assert_eq!(tool_names(&mut home.program(["serve"])), ["get_timelines", "get_activities"]);
    assert_eq!(
        tool_names(&mut home.program(["--demo", "serve", "--exclude-tools", "get_activities"])),
        ["get_timelines"]
    );
    let chosen = tool_names(&mut home.program(["serve", "--toolsets", "activity,sql", "--read-only"]));
    assert_eq!(chosen.len(), 12, "the flag replaces the file's toolsets, but not its exclusions: {chosen:?}");
    assert!(!chosen.contains(&"get_tags".to_owned()));
}

#[test]
fn invalid_toolsets_prevent_the_start() {
    let home = Home::new();
    let serve = |more: &[&str]| home.program([&["serve"], more].concat());
    assert_fails(
        &mut serve(&["--tools", "get_tag"]),
        "unknown tool `get_tag`; did you mean `get_tags`?",
        "`get_timelines`",
    );
    assert_fails(&mut serve(&["--toolsets", "all"]), "unknown toolset `all`", "`activity`, `screenshots`, `sql`");
    assert_fails(
        &mut serve(&["--tools", "save_screenshot", "--read-only"]),
        "invalid options: they exclude every tool",
        "`activity`, `screenshots`, `sql`",
    );
    home.configure("[serve]\nexclude_tools = ['get_everything']\n");
    assert_fails(&mut serve(&[]), "unknown tool `get_everything`", "`get_timelines`");
    home.configure("[serve]\ntoolset = ['sql']\n");
    let stderr = stderr_of(&mut serve(&[]), 1);
    assert!(stderr.contains("unknown field `toolset`") && stderr.contains("`toolsets`"), "{stderr}");
}
