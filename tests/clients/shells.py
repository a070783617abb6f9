"""Presses Tab in the shells whose scripts `dayledger completions` prints, except PowerShell.

Needs tmux, which runs each shell in a terminal. tmux and the shells are packages of Debian.
"""

import re
import shlex
import shutil
import time

from failure import Failure, child

SECONDS = 60
# The arguments of each shell, and the file in the home folder from which it loads the script.
SHELLS = {
    "bash": ("--rcfile .completions", ".completions"),
    "zsh": ("", "functions/_dayledger"),
    "fish": ("", ".config/fish/completions/dayledger.fish"),
    "elvish": ("", ".config/elvish/rc.elv"),
}
NAMES = ("tmux", *SHELLS)
# Files of the home folder.
FILES = {
    ".zshrc": "fpath=(~/functions $fpath)\nautoload -Uz compinit\ncompinit -u\n",
    "mine.toml": "[[questions]]\nname = 'hours'\ndescription = 'Hours'\nsql = 'SELECT 1'\n",
    "a file.toml": "",
}
# The keys before Tab, and the line after it.
LINES = [
    ("dayledger unin", "dayledger uninstall"),
    ("dayledger period last w", "dayledger period last week"),
    ("dayledger period 'last w", "dayledger period 'last week'"),
    (r"dayledger period last\ w", r"dayledger period last\ week"),
    ("dayledger --color=al", "dayledger --color=always"),
    ("dayledger --config=mi", "dayledger --config=mine.toml"),
    ("dayledger --config a", r"dayledger --config a\ file.toml"),
    ("dayledger --config ~/mi", "dayledger --config ~/mine.toml"),
    ("dayledger --config ~/mine.toml ask ho", "dayledger --config ~/mine.toml ask hours"),
    ("dayledger --data-dir history day --device L", "dayledger --data-dir history day --device LAPTOP"),
    ("dayledger --data-dir history day --tag 'Northwind Ltd, Bil", "--tag 'Northwind Ltd, Billing"),
    ("~/programs/dayledger unin", "~/programs/dayledger uninstall"),
]
# The lines that are different in Elvish, which has other quotation marks. `None` means that nothing is completed.
ELVISH = {
    r"dayledger period last\ w": None,
    "dayledger --color=al": "dayledger '--color=always'",
    "dayledger --config=mi": "dayledger '--config=mine.toml'",
    "dayledger --config a": "dayledger --config 'a file.toml'",
    "dayledger --config ~/mi": "/mine.toml",
    "~/programs/dayledger unin": None,
}
PROMPT = re.compile(r"[#$%>]( |$)", re.MULTILINE)


def missing():
    """Returns the names of the programs that aren't installed."""
    return [name for name in NAMES if not shutil.which(name)]


def install(_installed):
    if lacking := missing():
        raise Failure(f"install {', '.join(lacking)}, or choose other checks with `--only`")
    return [shutil.which("tmux")]


def run(command, place):
    home = place.scratch / "shells"
    (home / "programs").mkdir(parents=True)
    (home / "programs" / "dayledger").symlink_to(place.dayledger)
    (home / "history").symlink_to(place.history)
    for name, text in FILES.items():
        (home / name).write_text(text)
    for shell, (arguments, file) in SHELLS.items():
        script = home / file
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(child([place.dayledger, "completions", shell], f"the script for {shell}", SECONDS) + "\n")
        for number, (typed, completed) in enumerate(LINES):
            completed = ELVISH.get(typed, completed) if shell == "elvish" else completed
            # Each line has its own server, because a server that ends still has its socket for a moment.
            tmux = [*command, "-f", "/dev/null", "-S", place.scratch / f"{shell}-{number}"]
            if completed:
                complete(tmux, home, f"{shutil.which(shell)} {arguments}", (typed, completed))


def complete(tmux, home, shell, line):
    """Presses the keys of a line and Tab in a new terminal, and waits for the completed line."""
    typed, completed = line
    environment = {"HOME": home, "PATH": f"{home}/programs:/usr/bin:/bin", "TERM": "screen-256color", "LANG": "C.UTF-8"}
    settings = [shlex.quote(f"{name}={value}") for name, value in environment.items()]
    program = " ".join(["exec env -i", *settings, shell])
    child([*tmux, "new-session", "-d", "-x", "200", "-y", "40", "-c", home, program], shell, SECONDS)
    try:
        wait(tmux, PROMPT.search, f"prompt of `{shell}`")
        child([*tmux, "send-keys", "-l", typed], shell, SECONDS)
        wait(tmux, lambda screen: typed in screen, f"`{typed}` in `{shell}`")
        child([*tmux, "send-keys", "Tab"], shell, SECONDS)
        wait(tmux, lambda screen: completed in screen, f"`{completed}` after `{typed}` in `{shell}`")
    finally:
        child([*tmux, "kill-server"], shell, SECONDS)


def wait(tmux, accepts, what):
    """Waits until `accepts` returns true for the text on the screen."""
    end = time.monotonic() + SECONDS
    while not accepts(screen := child([*tmux, "capture-pane", "-p"], what, SECONDS)):
        if time.monotonic() > end:
            raise Failure(f"no {what}:\n{screen}")
        time.sleep(0.05)
