"""A Wine prefix in the target directory. Windows programs run in this prefix without the user's own settings."""

import os
import pathlib
import shutil
import subprocess

from failure import Failure, child, kill, outcome

HERE = pathlib.Path(__file__).resolve().parent
START_SECONDS, COMMAND_SECONDS = 120, 300
# The folder in which every program looks for libraries and other programs.
SYSTEM = pathlib.Path("drive_c", "windows", "system32")
# Disables the dialogs for Mono and Gecko, and the creation of entries in the user's menus.
LEFT_OUT = "winemenubuilder.exe=d;mscoree=d;mshtml=d"


class Wine:
    """The Wine prefix in `folder`. It is created if it doesn't exist."""

    def __init__(self, folder):
        self.prefix, self.scratch = folder / "prefix", folder / "scratch"
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("XDG_", "DAYLEDGER_"))}
        self.environment = {
            **kept,
            "WINEPREFIX": str(self.prefix),
            "WINEDEBUG": "-all",
            "WINEDLLOVERRIDES": LEFT_OUT,
            "DISPLAY": "",
        }
        shutil.rmtree(self.scratch, ignore_errors=True)
        self.scratch.mkdir(parents=True)
        if not (self.prefix / "system.reg").exists():
            child(["wine", "wineboot", "--init"], "making Wine's prefix", START_SECONDS, environment=self.environment)
        self.compile("bcryptprimitives", SYSTEM / "bcryptprimitives.dll", "-shared", "-ladvapi32")
        self.compile("git", SYSTEM / "git.exe", "-municode")
        # Paths in the binaries have no drive letter, so all files must be on the drive that contains this machine's
        # root.
        for name in ("TEMP", "TMP"):
            self.register("Environment", name, drive_path(self.scratch))

    def compile(self, name, into, *options):
        """Compiles a replacement for a file that Wine lacks. The result is in the search path, and the source is in
        this folder."""
        compiler = ["x86_64-w64-mingw32-gcc", "-O1", "-Wall", "-Werror", "-o", self.prefix / into, HERE / f"{name}.c"]
        child([*compiler, *options], f"`{name}.c`", START_SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends the processes that are still running in the prefix."""
        subprocess.run(["wineserver", "--kill"], env=self.environment, check=False)

    def register(self, key, name, value):
        """Sets a text value in the registry, below the current user's keys."""
        command = ["wine", "reg", "add", f"HKCU\\{key}", "/v", name, "/d", value, "/f"]
        child(command, f"setting `{name}` in the registry", START_SECONDS, environment=self.environment)

    def forget(self, key):
        """Removes a key of the current user from the registry, if it exists."""
        self.status(["reg", "delete", f"HKCU\\{key}", "/f"], f"removing `{key}` from the registry")

    def said(self, command, what):
        """Returns the output of a Windows program. Fails if the program fails."""
        whole = ["wine", *map(str, command)]
        return child(whole, what, COMMAND_SECONDS, environment=self.environment, directory=self.scratch)

    def status(self, command, what):
        """Returns the exit status of a Windows program, which may fail."""
        whole = ["wine", *map(str, command)]
        return outcome(whole, what, COMMAND_SECONDS, environment=self.environment, directory=self.scratch)[0]

    def unix_path(self, path):
        """Converts a Windows path to a path on this machine."""
        drive, rest = path.split(":", 1)
        return self.prefix / "dosdevices" / f"{drive.lower()}:" / rest.strip("\\").replace("\\", "/")

    def run(self, command, what, seconds, log, **environment):
        """Runs a Windows program with its output in a log, and returns its exit status. After the timeout, kills it
        and fails.
        """
        folder = environment.pop("folder")
        with log.open("wb") as output:
            running = subprocess.Popen(
                ["wine", *map(str, command)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                env={**self.environment, **environment},
                cwd=folder,
                start_new_session=True,
            )
            try:
                return running.wait(timeout=seconds)
            except subprocess.TimeoutExpired:
                raise Failure(f"{what} did not end within {seconds} s; what they said is in `{log}`") from None
            finally:
                kill(running)


def drive_path(path):
    """Converts a path on this machine to a Windows path."""
    return "Z:" + str(path).replace("/", "\\")
