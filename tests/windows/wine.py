"""A Wine prefix in the target directory, for running Windows programs without the user's own settings."""

import os
import pathlib
import shutil
import subprocess

from failure import Failure, child, kill, outcome

HERE = pathlib.Path(__file__).resolve().parent
START_SECONDS, COMMAND_SECONDS = 120, 300
# The folder in which every program searches for libraries and other programs.
SYSTEM = pathlib.Path("drive_c", "windows", "system32")
# Disables the prompts for Mono and Gecko, and entries in the user's menus.
LEFT_OUT = "winemenubuilder.exe=d;mscoree=d;mshtml=d"


class Wine:
    """The prefix in `folder`, created if it doesn't exist."""

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
        # Paths in the binaries lack a drive letter, so everything is on the drive that contains this machine's root.
        for name in ("TEMP", "TMP"):
            self.register("Environment", name, drive_path(self.scratch))

    def compile(self, name, into, *options):
        """Compiles a replacement for something that Wine lacks, from a file in this folder, into the search path."""
        compiler = ["x86_64-w64-mingw32-gcc", "-O1", "-Wall", "-Werror", "-o", self.prefix / into, HERE / f"{name}.c"]
        child([*compiler, *options], f"`{name}.c`", START_SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        """Ends the processes that still run in the prefix."""
        subprocess.run(["wineserver", "--kill"], env=self.environment, check=False)

    def register(self, key, name, value):
        """Sets a text in the user's part of the registry."""
        command = ["wine", "reg", "add", f"HKCU\\{key}", "/v", name, "/d", value, "/f"]
        child(command, f"setting `{name}` in the registry", START_SECONDS, environment=self.environment)

    def forget(self, key):
        """Removes a key of the user's part of the registry, if it exists."""
        self.status(["reg", "delete", f"HKCU\\{key}", "/f"], f"removing `{key}` from the registry")

    def said(self, command, what):
        """The output of a Windows program that must succeed."""
        whole = ["wine", *map(str, command)]
        return child(whole, what, COMMAND_SECONDS, environment=self.environment, directory=self.scratch)

    def status(self, command, what):
        """The status of a Windows program that may fail."""
        whole = ["wine", *map(str, command)]
        return outcome(whole, what, COMMAND_SECONDS, environment=self.environment, directory=self.scratch)[0]

    def unix_path(self, path):
        """The path on this machine of a Windows path."""
        drive, rest = path.split(":", 1)
        return self.prefix / "dosdevices" / f"{drive.lower()}:" / rest.strip("\\").replace("\\", "/")

    def run(self, command, what, seconds, log, **environment):
        """Runs a Windows program with its output in a log, and returns its status. A timeout kills it and is a failure."""
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
    """The Windows path of a path on this machine."""
    return "Z:" + str(path).replace("/", "\\")
