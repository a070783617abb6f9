//! Tests the plugin for Claude Code: its files, and the server that it starts.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::program::{Home, write_demo};
use super::toolsets::initial_responses;

/// Returns the path of a file in `release`.
fn release(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("release").join(path)
}

fn json_of(path: &str) -> Value {
    serde_json::from_str(&fs::read_to_string(release(path)).unwrap()).unwrap()
}

fn keys(object: &Value) -> Vec<&String> {
    object.as_object().unwrap().keys().collect()
}

/// The bundle and the plugin show a form with the same settings.
#[test]
fn plugin_has_the_settings_of_the_bundle() {
    let (bundle, plugin) = (json_of("manifest.json"), json_of("plugin/.claude-plugin/plugin.json"));
    let (expected, settings) = (&bundle["user_config"], &plugin["userConfig"]);
    assert_eq!(keys(settings), keys(expected));
    for (name, setting) in expected.as_object().unwrap() {
        for (key, value) in setting.as_object().unwrap() {
            assert_eq!(&settings[name][key], value, "{name}: {key}");
        }
        // Claude Code doesn't start a server with a setting that has no value.
        assert!(settings[name].get("default").is_some(), "{name}");
    }
    let server = &json_of("plugin/.mcp.json")["mcpServers"]["dayledger"];
    let config = &bundle["server"]["mcp_config"];
    assert_eq!((&server["args"], &server["env"]), (&config["args"], &config["env"]));
}

#[test]
fn marketplace_lists_the_plugin_of_this_version() {
    let (marketplace, plugin) =
        (json_of(".claude-plugin/marketplace.json"), json_of("plugin/.claude-plugin/plugin.json"));
    assert_eq!(plugin["version"], env!("CARGO_PKG_VERSION"));
    let [listed] = marketplace["plugins"].as_array().unwrap().as_slice() else { panic!("{marketplace}") };
    assert_eq!(listed["name"], plugin["name"]);
    // A path in a marketplace must begin with `./`.
    let folder = listed["source"].as_str().unwrap().strip_prefix("./").unwrap();
    assert!(release(folder).join(".claude-plugin/plugin.json").is_file());
    assert!(marketplace["owner"]["name"].is_string());
}

#[test]
fn plugin_starts_a_server_with_the_values_of_its_settings() {
    let (home, data) = (Home::new(), tempfile::tempdir().unwrap());
    write_demo(data.path());
    let mut values = json_of("plugin/.claude-plugin/plugin.json")["userConfig"].clone();
    for setting in values.as_object_mut().unwrap().values_mut() {
        *setting = setting["default"].take();
    }
    let server = json_of("plugin/.mcp.json")["mcpServers"]["dayledger"].clone();
    assert_eq!(server["command"], "dayledger");
    let tools = |values: &Value| {
        let mut command = home.program(serde_json::from_value::<Vec<String>>(server["args"].clone()).unwrap());
        for (variable, value) in server["env"].as_object().unwrap() {
            let name = value.as_str().unwrap().strip_prefix("${user_config.").unwrap().trim_end_matches('}');
            let value = &values[name];
            command.env(variable, value.as_str().map_or_else(|| value.to_string(), str::to_owned));
        }
        let [_, listed] = initial_responses(&mut command);
        let tools = listed["result"]["tools"].as_array().unwrap().clone();
        tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let by_default = tools(&values);
    assert!(by_default.contains(&"get_daily_summary".to_owned()), "{by_default:?}");
    assert!(!by_default.contains(&"suggest_time_entries".to_owned()), "{by_default:?}");
    values["history"] = json!(data.path());
    values["offer_timesheet"] = json!(true);
    let chosen = tools(&values);
    assert!(chosen.contains(&"suggest_time_entries".to_owned()), "{chosen:?}");
}
