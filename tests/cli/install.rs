//! Tests `install`: how it changes the configuration of each client.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};
use serde_json::{Value, json};

use super::program::{Home, demo, folder_hash, write_demo};
use super::toolsets::initial_responses;
use super::{assert_fails, stderr_of, stdout_of};

/// The names of the clients, each with the place of its list of servers.
const CLIENTS: [(&str, &str); 10] = [
    ("claude-desktop", "/mcpServers"),
    ("claude-code", "/mcpServers"),
    ("vscode", "/servers"),
    ("cursor", "/mcpServers"),
    ("codex", "/mcp_servers"),
    ("gemini-cli", "/mcpServers"),
    ("copilot-cli", "/mcpServers"),
    ("windsurf", "/mcpServers"),
    ("zed", "/context_servers"),
    ("opencode", "/mcp"),
];

/// Returns the path of the program, as configurations contain it.
fn program() -> String {
    std::path::absolute(env!("CARGO_BIN_EXE_dayledger")).unwrap().to_str().unwrap().to_owned()
}

/// Returns the configuration file of a client.
fn file_of(home: &Home, client: &str) -> PathBuf {
    let settings = home.folder(if cfg!(target_os = "macos") { "Library/Application Support" } else { "config" });
    match client {
        "claude-desktop" => settings.join("Claude").join("claude_desktop_config.json"),
        "claude-code" => home.folder(".claude.json"),
        "vscode" => settings.join("Code").join("User").join("mcp.json"),
        "codex" => home.folder(".codex/config.toml"),
        "gemini-cli" => home.folder(".gemini/settings.json"),
        "copilot-cli" => home.folder(".copilot/mcp-config.json"),
        "windsurf" => home.folder(".codeium/windsurf/mcp_config.json"),
        "zed" => home.folder(if cfg!(windows) { "config/Zed/settings.json" } else { "config/zed/settings.json" }),
        "opencode" => home.folder("config/opencode/opencode.json"),
        _ => home.folder(".cursor").join("mcp.json"),
    }
}

/// Creates the configuration file of a client. Returns its path.
fn configure(home: &Home, client: &str, text: &str) -> PathBuf {
    let file = file_of(home, client);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(&file, text).unwrap();
    file
}

fn install(home: &Home, client: &str, more: &[&str]) -> Command {
    home.program([&["install", client], more].concat())
}

fn json_of(file: &Path) -> Value {
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// Parses a configuration as the client does.
fn parse_configuration(client: &str, text: &str) -> Value {
    match client {
        "codex" => toml::from_str(text).unwrap(),
        "claude-desktop" | "claude-code" | "copilot-cli" | "windsurf" => serde_json::from_str(text).unwrap(),
        _ => {
            let options = (CollectOptions::default(), ParseOptions::default());
            parse_to_ast(text, &options.0, &options.1).unwrap().value.unwrap().into()
        }
    }
}

/// Returns the entry of the server `dayledger` in a configuration.
fn server_in(client: &str, list: &str, text: &str) -> Option<Value> {
    parse_configuration(client, text).pointer(list)?.get("dayledger").cloned()
}

/// Returns the program and its arguments from a server's entry.
fn command_line(client: &str, server: &Value) -> Vec<String> {
    if client == "opencode" {
        return serde_json::from_value(server["command"].clone()).unwrap();
    }
    let args: Vec<String> = serde_json::from_value(server["args"].clone()).unwrap();
    [server["command"].as_str().unwrap().to_owned()].into_iter().chain(args).collect()
}

/// Returns a file of `tests/cli/install`, with the path of the program filled in.
fn golden(client: &str, state: &str) -> String {
    let kind = if client == "codex" { "toml" } else { "json" };
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/install").join(format!("{client}.{state}.{kind}"));
    let text = fs::read_to_string(path).unwrap().replace("\r\n", "\n");
    text.replace("\"PROGRAM\"", &json!(program()).to_string())
}

#[test]
fn install_keeps_all_other_settings() {
    for (client, outcome) in [
        ("claude-desktop", "Added the server `dayledger`"),
        ("claude-code", "Added the server `dayledger`"),
        ("vscode", "Replaced the server `dayledger`"),
        ("cursor", "Replaced the server `dayledger`"),
        ("codex", "Replaced the server `dayledger`"),
        ("gemini-cli", "Added the server `dayledger`"),
        ("copilot-cli", "Replaced the server `dayledger`"),
        ("windsurf", "Replaced the server `dayledger`"),
        ("zed", "Added the server `dayledger`"),
        ("opencode", "Added the server `dayledger`"),
    ] {
        let home = Home::new();
        let (before, after) = (golden(client, "before"), golden(client, "after"));
        for newline in ["\n", "\r\n"] {
            let file = configure(&home, client, &before.replace('\n', newline));
            let output = stdout_of(&mut install(&home, client, &[]));
            assert!(output.starts_with(outcome), "{output}");
            assert_eq!(fs::read_to_string(&file).unwrap(), after.replace('\n', newline), "{client}");
        }
    }
}

#[test]
fn second_install_reports_that_nothing_changed() {
    for (client, _) in CLIENTS {
        let home = Home::new();
        let file = configure(&home, client, &golden(client, "after"));
        let output = stdout_of(&mut install(&home, client, &[]));
        assert!(output.starts_with("Nothing to change: "), "{output}");
        assert_eq!(fs::read_to_string(&file).unwrap(), golden(client, "after"));
    }
}

#[test]
fn install_without_a_client_lists_what_it_would_do() {
    let home = Home::new();
    let before = golden("cursor", "before");
    let cursor = configure(&home, "cursor", &before);
    let code = configure(&home, "claude-code", &golden("claude-code", "after"));
    let output = stdout_of(&mut home.program(["install"]));
    let line = |client: &str| output.lines().find(|line| line.starts_with(client)).unwrap();
    assert!(line("claude-desktop").contains("does not seem to be installed"), "{output}");
    assert!(line("claude-code").contains(&format!("is connected: the server `dayledger` in `{}`", code.display())));
    assert!(line("vscode").contains("does not seem to be installed"), "{output}");
    assert!(CLIENTS.iter().all(|(client, _)| !line(client).is_empty()), "{output}");
    assert!(line("cursor").contains(&format!("would replace the server `dayledger` in `{}`", cursor.display())));
    assert!(output.contains("run `dayledger install ASSISTANT`"), "{output}");
    assert_eq!(fs::read_to_string(&cursor).unwrap(), before);
    assert!(stdout_of(&mut home.program(["--demo", "install"])).contains("run `dayledger --demo install ASSISTANT`"));
    stderr_of(&mut home.program(["install", "--print"]), 2);
}

/// All other content of the file must stay, including comments.
#[test]
fn uninstall_keeps_everything_else() {
    let uninstall = |home: &Home, client: &str, more: &[&str]| home.program([&["uninstall", client], more].concat());
    for (client, list) in CLIENTS {
        let home = Home::new();
        assert_fails(&mut uninstall(&home, client, &[]), "does not seem to be installed", "there is nothing to remove");
        let file = configure(&home, client, &golden(client, "before"));
        stdout_of(&mut install(&home, client, &["--name", "other"]));
        let before = fs::read_to_string(&file).unwrap();
        let had = server_in(client, list, &before).is_some();
        stdout_of(&mut install(&home, client, &[]));
        let output = stdout_of(&mut uninstall(&home, client, &[]));
        assert!(
            output.starts_with("Removed the server `dayledger` from `") && output.contains("\nRestart "),
            "{output}"
        );
        let left = fs::read_to_string(&file).unwrap();
        assert_eq!(server_in(client, list, &left), None);
        assert!(parse_configuration(client, &left).pointer(list).unwrap().get("other").is_some());
        if !had {
            assert_eq!(left, before, "{client}");
        }
        let output = stdout_of(&mut uninstall(&home, client, &[]));
        assert!(output.starts_with("Nothing to change: "), "{output}");
        stdout_of(&mut uninstall(&home, client, &["--name", "other"]));
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
    }
    let home = Home::new();
    let file = configure(&home, "claude-desktop", "{\"mcpServers\": {\"dayledger\": {}, \"dayledger\": {}}}");
    let before = fs::read_to_string(&file).unwrap();
    assert_fails(&mut uninstall(&home, "claude-desktop", &[]), "cannot be changed safely", "by hand");
    assert_eq!(fs::read_to_string(&file).unwrap(), before);
}

/// Texts without the server `dayledger`: comments, odd formatting, and unusual notations.
const JSON_TEXTS: [&str; 17] = [
    "",
    " \n",
    "{}",
    "{ }\n",
    "{\n}\n",
    "{\"LIST\": {}}",
    "{\n  \"LIST\": {\n  }\n}\n",
    "{\n  \"a\": 1,\n  \"LIST\": {}\n}",
    "{\n  \"a\": 1\n}\n",
    "{\"a\":1}",
    "  {\"a\":[1,2],\"LIST\":{\"x\":{\"command\":\"y\"}},\"b\":{}}  ",
    "{\n\t\"LIST\" :\n\t{\n\t\t\"x\": {\"command\": \"y\"}}\n}",
    "{\r\n    \"LIST\": {\r\n\r\n        \"x\": {},\r\n\r\n        \"y\": {}\r\n\r\n    }\r\n}",
    "\u{feff}{\n  \"LIST\": {\n    \"x\": {}\n  }\n}\n",
    "{\n  \"LIST\": {\"x\": {},\n           \"dayledger-2\": {}}\n}",
    "{\"LIST\":\n{\"x\":\n{}}}",
    "{\n  \"LIST\": {\n    \"x\": {} },\n  \"dayledger\": 1\n}",
];
const COMMENTED_JSON_TEXTS: [&str; 7] = [
    "// mine\n{\n  // none yet\n}\n// end\n",
    "{\n  \"LIST\": { // none yet\n  }\n}",
    "{\"LIST\": {\"x\": {} // mine, {too}\n}}",
    "{\n  \"LIST\": {\n    \"x\": {} /* a */ , // b\n    // c, d\n  },\n}",
    "{\n  \"LIST\": {\n    \"x\": {} /* a,\n    b */\n  } // c\n}",
    "{\"a\": 1,\"LIST\": {\"x\": {},},}",
    "{\r\n  \"a\": \"// no comment\", // a\r\n  /* b */\r\n}\r\n",
];
const TOML_TEXTS: [&str; 13] = [
    "",
    "\n",
    "model = \"x\"",
    "model = \"x\"\n",
    "model = \"x\"\n\n\n",
    "# only a comment\r\n",
    "a.b = 1\nc = 2\na.d = 3\n",
    "[LIST]\n# none yet\n",
    "[LIST.x]\ncommand = \"y\"\n[LIST.x.env]\nA = \"1\" # end",
    "LIST.x = { command = \"y\" }\n[other]\ntext = \"\"\"\n[LIST.dayledger]\n\"\"\"\n",
    "\u{feff}[ \"LIST\" . 'x' ]\r\nargs = [\r\n  \"a\", # b\r\n]\r\n\r\n# end\r\n",
    "[[list]]\na = [[1], [2]]\n[[list]]\n  [list.dayledger]\n  b = 1979-05-27\n",
    "mixed = 1\r\nlines = 2\n",
];

#[test]
fn uninstall_restores_every_byte() {
    for (client, place) in CLIENTS {
        let texts: Vec<_> = match client {
            "codex" => TOML_TEXTS.to_vec(),
            "claude-desktop" | "claude-code" | "copilot-cli" | "windsurf" => JSON_TEXTS.to_vec(),
            _ => [&JSON_TEXTS[..], &COMMENTED_JSON_TEXTS].concat(),
        };
        // The clients share the code for each format, so one client of each format tries all texts.
        let step = if ["windsurf", "zed", "codex"].contains(&client) { 1 } else { 6 };
        let home = Home::new();
        for text in texts.into_iter().step_by(step) {
            let text = text.replace("LIST", &place[1..]);
            let file = configure(&home, client, &text);
            stdout_of(&mut install(&home, client, &[]));
            let installed = fs::read_to_string(&file).unwrap();
            let body = installed.trim_start_matches('\u{feff}');
            let server = server_in(client, place, body).unwrap_or_else(|| panic!("{client}: {installed}"));
            assert_eq!(command_line(client, &server), [&*program(), "serve"], "{client}: {installed}");
            stdout_of(&mut home.program(["uninstall", client]));
            assert_eq!(fs::read_to_string(&file).unwrap(), text, "{client}: {installed}");
        }
    }
}

/// A table of TOML can consist of several parts of the file.
#[test]
fn every_part_of_an_entry_in_toml_is_removed() {
    let home = Home::new();
    for (text, left) in [
        (
            "a = 1\n\n[mcp_servers.dayledger]\ncommand = \"x\" # mine\n\n# of docs\n[mcp_servers.docs]\ncommand = \"y\"\n\n\
             [mcp_servers.dayledger.env]\nA = \"1\"\n[mcp_servers.dayledger.tools.query]\nenabled = true",
            "a = 1\n\n# of docs\n[mcp_servers.docs]\ncommand = \"y\"",
        ),
        ("[mcp_servers]\ndayledger = { command = \"x\" } # mine\ndocs = {}\n", "[mcp_servers]\ndocs = {}\n"),
    ] {
        let file = configure(&home, "codex", text);
        stdout_of(&mut home.program(["uninstall", "codex"]));
        assert_eq!(fs::read_to_string(file).unwrap(), left);
    }
    let file = configure(&home, "codex", "mcp_servers.dayledger.command = \"x\"\n");
    let message = "its entry `mcp_servers.dayledger` does not have a header";
    assert_fails(&mut home.program(["uninstall", "codex"]), message, "by hand");
    assert_fails(&mut install(&home, "codex", &[]), message, "`--print`");
    assert_eq!(fs::read_to_string(file).unwrap(), "mcp_servers.dayledger.command = \"x\"\n");
}

#[test]
fn install_completes_an_entry_in_toml() {
    let home = Home::new();
    let expected = |before: &str, after: &str| {
        let file = configure(&home, "codex", before);
        let output = stdout_of(&mut install(&home, "codex", &[]));
        assert!(output.starts_with("Replaced the server `dayledger`"), "{output}");
        let after = after.replace("PROGRAM", &json!(program()).to_string());
        assert_eq!(fs::read_to_string(file).unwrap(), after);
    };
    expected(
        "[mcp_servers.dayledger] # mine\r\nenabled = false\r\n",
        "[mcp_servers.dayledger] # mine\r\ncommand = PROGRAM\r\nargs = [\"serve\"]\r\nenabled = false\r\n",
    );
    expected("[mcp_servers.dayledger]", "[mcp_servers.dayledger]\ncommand = PROGRAM\nargs = [\"serve\"]");
    expected(
        "[mcp_servers.dayledger]\nurl = \"https://dayledger.example\"\n[mcp_servers.dayledger.headers]\na = \"b\"\n[x]\n",
        "[mcp_servers.dayledger]\ncommand = PROGRAM\nargs = [\"serve\"]\n[x]\n",
    );
}

/// opencode 2 lists its servers in `mcp.servers`, and opencode 1 in `mcp`. Its file can have two names.
#[test]
fn install_uses_the_list_and_the_file_that_opencode_uses() {
    let home = Home::new();
    for (text, place) in [
        ("{\n  \"mcp\": { \"servers\": {} }\n}\n", "/mcp/servers"),
        ("{\"mcp\": {\"servers\": {\"type\": \"local\", \"command\": [\"servers\"]}}}", "/mcp"),
    ] {
        let file = configure(&home, "opencode", text);
        stdout_of(&mut install(&home, "opencode", &[]));
        let server = server_in("opencode", place, &fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(server, json!({"type": "local", "command": [program(), "serve"]}));
        stdout_of(&mut home.program(["uninstall", "opencode"]));
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
        fs::remove_file(file).unwrap();
    }
    // An entry in the list of version 1 stays there.
    let old = r#"{"mcp": {"dayledger": {"type": "local", "command": ["old"]}, "servers": {}}}"#;
    let file = configure(&home, "opencode", old);
    stdout_of(&mut install(&home, "opencode", &[]));
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(server_in("opencode", "/mcp/servers", &text), None, "{text}");
    assert_eq!(server_in("opencode", "/mcp", &text).unwrap()["command"], json!([program(), "serve"]));
    fs::remove_file(file).unwrap();
    let other = file_of(&home, "opencode").with_extension("jsonc");
    fs::write(&other, "{ /* mine */ }").unwrap();
    stdout_of(&mut install(&home, "opencode", &[]));
    assert!(server_in("opencode", "/mcp", &fs::read_to_string(&other).unwrap()).is_some());
    assert!(!file_of(&home, "opencode").exists());
}

#[test]
fn install_warns_if_no_history_is_found() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    configure(&home, "cursor", "{}");
    let output = stdout_of(&mut install(&home, "cursor", &[]));
    assert!(
        output.contains("\nThe server has no history to read yet: cannot find a ManicTime history: looked in "),
        "{output}"
    );
    write_demo(data.path());
    let output = stdout_of(&mut home.program_for(data.path(), ["install", "cursor"]));
    assert!(output.lines().last().unwrap().starts_with("Next: restart Cursor"), "{output}");
}

#[test]
fn bundle_instructions_are_printed_without_writing_files() {
    let home = Home::new();
    let file = configure(&home, "claude-desktop", "{}");
    let output = install(&home, "claude-desktop", &["--bundle"]).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.contains("dayledger.mcpb") && output.contains("Leave the folder of the history empty"), "{output}");
    let output = install(&home, "claude-desktop", &["--bundle", "--data-dir", "history"]).output().unwrap();
    let output = String::from_utf8(output.stdout).unwrap();
    assert!(output.contains(&format!("Choose `{}`", home.folder("history").display())), "{output}");
    assert_eq!(fs::read_to_string(file).unwrap(), "{}");
    let refused = install(&home, "cursor", &["--bundle"]).output().unwrap();
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(!refused.status.success() && message.contains("Cursor does not support bundles"), "{message}");
    let refused = install(&home, "claude-desktop", &["--bundle", "--demo"]).output().unwrap();
    assert!(!refused.status.success() && refused.stdout.is_empty());
}

#[test]
fn install_creates_a_configuration_only_for_installed_clients() {
    for (client, list) in CLIENTS {
        let home = Home::new();
        assert_fails(&mut install(&home, client, &[]), "does not seem to be installed", "`--print`");
        assert_eq!(fs::read_dir(home.path()).unwrap().count(), 0, "{client}");
        let file = file_of(&home, client);
        let own = match client {
            "claude-code" => home.folder(".claude"),
            "vscode" => file.ancestors().nth(2).unwrap().to_owned(),
            _ => file.parent().unwrap().to_owned(),
        };
        fs::create_dir_all(own).unwrap();
        stdout_of(&mut install(&home, client, &[]));
        let server = server_in(client, list, &fs::read_to_string(&file).unwrap()).unwrap();
        assert_eq!(command_line(client, &server), [&*program(), "serve"], "{client}");
        let output = stdout_of(&mut install(&home, client, &["--print"]));
        assert_eq!(fs::read_to_string(&file).unwrap(), output, "{client}");
        fs::write(&file, "\n").unwrap();
        stdout_of(&mut install(&home, client, &[]));
        let installed = fs::read_to_string(&file).unwrap();
        assert_eq!(installed.trim_start(), output, "{client}: a blank file counts as missing");
    }
}

#[test]
fn invalid_configuration_is_left_unchanged() {
    let home = Home::new();
    for (client, text, message) in [
        ("claude-desktop", "{\n  \"mcpServers\": {,\n}\n", "invalid JSON at line 2, column 18: key must be a string"),
        ("claude-desktop", "{} // mine\n", "invalid JSON at line 1, column 4: trailing characters"),
        ("claude-code", "{\"a\": 1,}", "invalid JSON at line 1, column 9: trailing comma"),
        ("cursor", "{\n  // mine\n  \"a\" 1\n}", "invalid JSON at line 3, column 7: expected colon"),
        ("cursor", "[]", "its JSON is not an object"),
        ("vscode", "{\"servers\": []}", "`servers` is not a JSON object"),
        ("vscode", "{\"servers\": {}, \"servers\": {}}", "cannot be changed safely"),
        (
            "cursor",
            "{\"mcpServers\": {\"dayledger\": {}, \"dayledger\": {\"url\": \"x\"}}}",
            "cannot be changed safely",
        ),
        ("codex", "model = \"x\"\n\n[mcp_servers.files\ncommand = \"f\"\n", "invalid TOML at line 3, column 19: "),
        ("codex", "a = 1\r\nb = 2\r\na = 3\r\n", "invalid TOML at line 3, column 1: duplicate key"),
        ("codex", "mcp_servers = { files = { command = \"f\" } }\n", "`mcp_servers` is not a table of tables"),
        ("codex", "[[mcp_servers]]\nname = \"x\"\n", "`mcp_servers` is not a table of tables"),
        ("gemini-cli", "{\n  // mine\n  \"a\" 1\n}", "invalid JSON at line 3, column 7: expected colon"),
        ("copilot-cli", "{\n  // mine\n}", "invalid JSON at line 2, column 3: key must be a string"),
        ("windsurf", "{\"mcpServers\":\n", "invalid JSON at line 2, column 0: EOF while parsing a value"),
        ("zed", "{\n  \"context_servers\": 1\n}", "`context_servers` is not a JSON object"),
        ("opencode", "{\n  \"mcp\": {\n", "invalid JSON at line 2, column 10: unterminated object"),
    ] {
        let file = configure(&home, client, text);
        let before = folder_hash(home.path());
        assert_fails(&mut install(&home, client, &[]), message, "nothing was changed; ");
        assert_eq!(folder_hash(home.path()), before, "{text}");
        fs::remove_file(file).unwrap();
    }
}

#[test]
fn install_keeps_a_byte_order_mark() {
    let home = Home::new();
    let file = configure(&home, "claude-desktop", "\u{feff}{}");
    stdout_of(&mut install(&home, "claude-desktop", &[]));
    let text = fs::read_to_string(file).unwrap();
    let body = text.strip_prefix('\u{feff}').unwrap();
    assert_eq!(serde_json::from_str::<Value>(body).unwrap()["mcpServers"]["dayledger"]["command"], program());
}

#[cfg(unix)] // on Windows, creating links needs special rights
#[test]
fn install_follows_a_link_and_keeps_permissions() {
    use std::os::unix::fs::{PermissionsExt, symlink};

    let home = Home::new();
    let kept = home.folder("dotfiles.json");
    fs::write(&kept, "{}").unwrap();
    fs::set_permissions(&kept, fs::Permissions::from_mode(0o640)).unwrap();
    let link = file_of(&home, "cursor");
    fs::create_dir_all(link.parent().unwrap()).unwrap();
    symlink(&kept, &link).unwrap();
    stdout_of(&mut install(&home, "cursor", &[]));
    assert_eq!(json_of(&kept)["mcpServers"]["dayledger"]["command"], program());
    assert!(link.is_symlink());
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o777, 0o640);
    let new = file_of(&home, "claude-code");
    fs::create_dir(home.folder(".claude")).unwrap();
    stdout_of(&mut install(&home, "claude-code", &[]));
    assert_eq!(fs::metadata(&new).unwrap().permissions().mode() & 0o077, 0, "the file may contain secrets later");
    fs::remove_file(&kept).unwrap();
    assert_fails(&mut install(&home, "cursor", &[]), "cannot read", "nothing was changed");
    assert!(link.is_symlink());
}

/// Links must also be refused if they lead through a folder that doesn't exist yet, or if the server uses sample data.
#[cfg(unix)] // creating links needs special rights on Windows
#[test]
fn install_refuses_links_into_manictimes_folder() {
    use std::os::unix::fs::symlink;

    let (home, data) = (Home::new(), demo());
    let before = folder_hash(data.path());
    let refused = |command: &mut Command| {
        assert_fails(command, "is inside a folder that dayledger only reads", "nothing was changed");
        assert_eq!(folder_hash(data.path()), before);
        assert_eq!(fs::read_dir(data.path()).unwrap().count(), 1);
    };
    symlink(data.path(), home.folder(".cursor")).unwrap();
    refused(&mut home.program_for(data.path(), ["install", "cursor"]));
    refused(home.program(["install", "cursor"]).env("MANICTIME_DATA_DIR", data.path()));
    refused(home.program(["install", "cursor", "--demo"]).env("MANICTIME_DATA_DIR", data.path()));
    let settings = file_of(&home, "vscode").ancestors().nth(2).unwrap().to_owned();
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    symlink(data.path(), settings).unwrap();
    refused(&mut home.program_for(data.path(), ["install", "vscode"]));
}

/// Regression: if the configuration was a pipe, `install` read from it forever.
#[cfg(unix)] // only Unix has pipes and devices among files
#[test]
fn configuration_that_is_not_a_file_fails_immediately() {
    let home = Home::new();
    let file = file_of(&home, "cursor");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    let refused = |kind: &str| {
        assert_fails(&mut install(&home, "cursor", &[]), &format!("is {kind}, not a file"), "nothing was changed");
    };
    super::make_pipe(&file);
    refused("a pipe");
    std::os::unix::fs::symlink(&file, file_of(&home, "claude-code")).unwrap();
    assert_fails(&mut install(&home, "claude-code", &[]), "is a pipe, not a file", "nothing was changed");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    refused("a folder");
    fs::remove_dir(&file).unwrap();
    std::os::unix::fs::symlink("/dev/null", &file).unwrap();
    refused("a device");
    assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
}

/// The file isn't replaced, because the new file would not have all attributes of the old file.
#[cfg(unix)] // permissions of owner, group and others exist only on Unix
#[test]
fn file_is_not_replaced_if_its_attributes_would_be_lost() {
    use std::os::unix::fs::PermissionsExt;

    let home = Home::new();
    let file = configure(&home, "cursor", "{}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    assert_fails(&mut install(&home, "cursor", &[]), "is read-only", "make it writable");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    fs::hard_link(&file, home.folder("dotfiles.json")).unwrap();
    assert_fails(&mut install(&home, "cursor", &[]), "several names of a file", "`--print`");
    assert_eq!(
        (fs::read_to_string(&file).unwrap().as_str(), fs::read_dir(file.parent().unwrap()).unwrap().count()),
        ("{}", 1)
    );
    fs::remove_file(home.folder("dotfiles.json")).unwrap();
    stdout_of(&mut install(&home, "cursor", &[]));
    fs::set_permissions(&file, fs::Permissions::from_mode(0o444)).unwrap();
    assert!(
        stdout_of(&mut install(&home, "cursor", &[])).starts_with("Nothing to change"),
        "a correct file is read, not written"
    );
}

/// If root replaces the file of another user, the file must keep its owner.
#[cfg(unix)] // permissions of owner, group and others exist only on Unix
#[test]
fn install_keeps_the_owner_of_a_configuration() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, chown};

    let home = Home::new();
    let file = configure(&home, "cursor", "{}");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    // Only root can change the owner of a file.
    if chown(&file, Some(12_345), Some(12_346)).is_err() {
        return;
    }
    stdout_of(&mut install(&home, "cursor", &[]));
    let found = fs::metadata(&file).unwrap();
    assert_eq!((found.uid(), found.gid(), found.mode() & 0o777), (12_345, 12_346, 0o640));
    assert_eq!(json_of(&file)["mcpServers"]["dayledger"]["command"], program());
}

#[cfg(unix)] // a Unix limit ends the program when it writes
#[test]
fn killed_installation_changes_nothing() {
    let home = Home::new();
    let text = json!({"mine": "x".repeat(5000)}).to_string();
    let file = configure(&home, "cursor", &text);
    super::assert_killed_while_writing(&mut install(&home, "cursor", &[]));
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
    stdout_of(&mut install(&home, "cursor", &[]));
    assert_eq!(json_of(&file)["mine"].as_str().unwrap().len(), 5000);
}

/// Returns the arguments that `install` writes for the server.
fn args(command: &mut Command) -> Vec<String> {
    let output: Value = serde_json::from_str(&stdout_of(command.arg("--print"))).unwrap();
    serde_json::from_value(output["mcpServers"]["dayledger"]["args"].clone()).unwrap()
}

#[test]
fn installed_server_finds_the_history_of_the_command_line() {
    let home = Home::new();
    let absolute = home.path().join("my history").to_string_lossy().into_owned();
    let plain = || home.program(["install", "cursor"]);
    assert_eq!(args(&mut plain()), ["serve"]);
    assert_eq!(args(plain().arg("--demo")), ["--demo", "serve"]);
    let named = ["--data-dir".to_owned(), absolute, "serve".to_owned()];
    assert_eq!(args(plain().args(["--data-dir", "my history"])), named);
    assert_eq!(args(plain().env("MANICTIME_DATA_DIR", "my history")), named, "clients have their own environment");
}

#[test]
fn installed_server_uses_the_configuration_file_of_the_command_line() {
    let home = Home::new();
    let file = home.folder("mine.toml");
    fs::write(&file, "").unwrap();
    let options = ["--config", "mine.toml", "--color", "never"];
    let expected = ["--config", file.to_str().unwrap(), "serve"];
    assert_eq!(
        args(home.program(["install", "cursor"]).args(options)),
        expected,
        "the colours of this run don't matter"
    );
    let mut bundle = home.program(["install", "claude-desktop", "--bundle", "--config", "mine.toml"]);
    assert!(stderr_of(&mut bundle, 1).contains("the bundle always reads the default configuration file"));
}

/// Regression: `install` wrote a mistyped folder into the configuration without a warning.
#[test]
fn install_rejects_a_given_folder_without_a_history() {
    let home = Home::new();
    let file = configure(&home, "cursor", "{}");
    let missing = home.path().join("nowhere").to_string_lossy().into_owned();
    let refused = |command: &mut Command| {
        assert_fails(command, &format!("cannot find a ManicTime history: looked in `{missing}`"), "--data-dir");
        assert_eq!(fs::read_to_string(&file).unwrap(), "{}");
    };
    refused(&mut install(&home, "cursor", &["--data-dir", "nowhere"]));
    refused(install(&home, "cursor", &[]).env("MANICTIME_DATA_DIR", "nowhere"));
    // The default folder may get a history later, so `install` doesn't require a history there.
    stdout_of(&mut install(&home, "cursor", &[]));
}

/// A package manager creates a link to a folder whose name contains the version. `install` used to write the path
/// inside this folder, which no longer existed after the next upgrade.
#[cfg(unix)] // links
#[test]
fn install_keeps_the_link_that_the_search_path_contains() {
    let home = Home::new();
    let (versioned, linked) = (home.folder("cellar/1.2.3/dayledger"), home.folder("programs/dayledger"));
    for file in [&versioned, &linked] {
        fs::create_dir_all(file.parent().unwrap()).unwrap();
    }
    std::os::unix::fs::symlink(program(), &versioned).unwrap();
    std::os::unix::fs::symlink(&versioned, &linked).unwrap();
    for program in [&linked, &versioned, &PathBuf::from(program())] {
        let installing = install(&home, "cursor", &["--print"]);
        let environment: Vec<_> = installing.get_envs().filter_map(|(name, value)| Some((name, value?))).collect();
        let printed = stdout_of(Command::new(program).args(installing.get_args()).env_clear().envs(environment));
        let printed: Value = serde_json::from_str(&printed).unwrap();
        assert_eq!(printed["mcpServers"]["dayledger"]["command"], linked.to_str().unwrap(), "{}", program.display());
    }
}

#[test]
fn install_checks_flags_of_serve_before_writing_them() {
    let home = Home::new();
    let file = configure(&home, "cursor", "{}");
    let flags = ["--name", "days-2", "--", "--tools", "get_tags", "--read-only"];
    stdout_of(&mut install(&home, "cursor", &flags));
    let servers = json_of(&file)["mcpServers"].clone();
    assert_eq!(servers["days-2"]["args"], json!(["serve", "--tools", "get_tags", "--read-only"]));
    assert_eq!(servers.as_object().unwrap().len(), 1);
    let before = folder_hash(home.path());
    assert_fails(&mut install(&home, "cursor", &["--", "--tools", "get_tag"]), "`get_tag`", "`get_tags`");
    for wrong in [&["--", "--tool", "x"][..], &["--", "--data-dir", "x"], &["--read-only"], &["--name", "a b"]] {
        let stderr = stderr_of(&mut install(&home, "cursor", wrong), 2);
        assert!(stderr.contains("Usage: ") || stderr.contains("--help"), "{stderr}");
    }
    assert!(stderr_of(&mut install(&home, "netscape", &[]), 2).contains("claude-desktop"));
    let misspelt = stderr_of(&mut install(&home, "curser", &[]), 2);
    assert!(misspelt.contains("a similar value exists: 'cursor'") && misspelt.contains("vscode"), "{misspelt}");
    assert_eq!(folder_hash(home.path()), before);
}

#[test]
fn install_writes_the_configuration_that_claude_code_reads() {
    let home = Home::new();
    let own = home.folder("elsewhere");
    fs::create_dir(&own).unwrap();
    stdout_of(install(&home, "claude-code", &[]).env("CLAUDE_CONFIG_DIR", &own));
    assert_eq!(json_of(&own.join(".claude.json"))["mcpServers"]["dayledger"]["type"], "stdio");
    assert!(!file_of(&home, "claude-code").exists());
}

#[test]
fn install_follows_the_variables_of_clients() {
    let home = Home::new();
    let own = home.folder("elsewhere");
    fs::create_dir(&own).unwrap();
    for (client, variable, name) in
        [("codex", "CODEX_HOME", "config.toml"), ("copilot-cli", "COPILOT_HOME", "mcp-config.json")]
    {
        stdout_of(install(&home, client, &[]).env(variable, &own));
        let text = fs::read_to_string(own.join(name)).unwrap();
        let (_, list) = CLIENTS.into_iter().find(|(known, _)| *known == client).unwrap();
        assert!(server_in(client, list, &text).is_some(), "{text}");
        assert!(!file_of(&home, client).exists());
    }
    let file = home.folder(".config/opencode/opencode.json");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    stdout_of(install(&home, "opencode", &[]).env_remove("XDG_CONFIG_HOME"));
    assert!(file.exists());
}

#[test]
fn client_started_from_its_configuration_connects_to_the_server() {
    for (client, list) in CLIENTS {
        let home = Home::new();
        let file = configure(&home, client, "\n");
        fs::create_dir(home.folder("my history")).unwrap();
        write_demo(&home.folder("my history"));
        stdout_of(&mut install(&home, client, &["--data-dir", "my history", "--", "--tools", "get_tags"]));
        let server = server_in(client, list, &fs::read_to_string(&file).unwrap()).unwrap();
        let command_line = command_line(client, &server);
        let mut command = Command::new(&command_line[0]);
        let elsewhere = tempfile::tempdir().unwrap();
        command.args(&command_line[1..]).env_clear().envs(
            home.program([""; 0]).get_envs().filter_map(|(name, value)| Some((name.to_owned(), value?.to_owned()))),
        );
        let [hello, tools] = initial_responses(command.current_dir(elsewhere.path()));
        assert_eq!(hello["result"]["serverInfo"]["name"], "dayledger", "{client}");
        let names: Vec<_> = tools["result"]["tools"].as_array().unwrap().iter().map(|tool| &tool["name"]).collect();
        assert_eq!(names, ["get_tags"], "{client}");
    }
}
