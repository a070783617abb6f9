//! Tests `completions` and `manual`, which write shell completion scripts and manual pages for packages.

use std::collections::BTreeSet;
use std::fs;

use super::program::Home;
use super::stdout_of;

/// Returns the commands that the help lists.
fn commands(home: &Home) -> BTreeSet<String> {
    let help = stdout_of(&mut home.program(["--help"]));
    // The groups of commands come before the options.
    let groups = help.lines().take_while(|line| *line != "Options:");
    groups.filter_map(|line| line.strip_prefix("  ")).map(|line| line.split(' ').next().unwrap().to_owned()).collect()
}

#[test]
fn completions_list_every_command_for_each_shell() {
    let home = Home::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let text = stdout_of(&mut home.program(["completions", shell]));
        for command in commands(&home) {
            assert!(text.contains(&command), "{shell}: {command}");
        }
        assert!(text.contains("hide-site") && !text.contains("worker"), "{shell}");
    }
}

#[cfg(unix)] // the test needs a Unix shell
#[test]
fn a_shell_completes_partial_words() {
    let home = Home::new();
    let completions = home.folder("completions.sh");
    fs::write(&completions, stdout_of(&mut home.program(["completions", "bash"]))).unwrap();
    for (begun, completed) in [("unin", "uninstall"), ("compl", "completions"), ("doc", "doctor")] {
        let script = format!(
            ". {}; COMP_WORDS=(dayledger {begun}); COMP_CWORD=1; _dayledger dayledger {begun} dayledger; echo \"${{COMPREPLY[@]}}\"",
            completions.display()
        );
        let output = stdout_of(std::process::Command::new("bash").args(["--norc", "-c", &script]));
        assert_eq!(output.trim(), completed);
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let home = Home::new();
    let folder = home.folder("manual");
    stdout_of(home.program(["manual"]).arg(&folder));
    let pages: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.matches('-').count() < 2)
        .collect();
    let expected = commands(&home).into_iter().map(|name| format!("dayledger-{name}.1"));
    assert_eq!(pages, expected.chain(["dayledger.1".to_owned()]).collect());
    let page = fs::read_to_string(folder.join("dayledger-uninstall.1")).unwrap();
    assert!(page.contains("Disconnect an AI assistant from dayledger"), "{page}");
}
