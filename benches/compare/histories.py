"""Generated histories and their exports. They are written once and then kept."""

import contextlib
import dataclasses
import pathlib
import shutil
import sqlite3

from failure import Failure, child

# The last day of each history. Queried ranges end before this day, so that they contain only whole days.
LAST_DAY = "2026-11-20"
WRITE_SECONDS = 3600


@dataclasses.dataclass(frozen=True)
class History:
    """A history in ManicTime's format, and an export of its activities as Parquet."""

    days: int
    folder: pathlib.Path
    export: pathlib.Path
    activities: int

    @property
    def file(self):
        return self.folder / "ManicTimeReports.db"

    def facts(self):
        exported = sum(file.stat().st_size for file in self.export.rglob("*.parquet"))
        return {
            "days": self.days,
            "activities": self.activities,
            "bytes": self.file.stat().st_size,
            "exported_bytes": exported,
        }


def history(program, kept, days, per_day, environment):
    """Returns the history with this number of days in the folder `kept`. Writes the history if it doesn't exist."""
    folder = kept / f"{days}x{per_day}"
    whole, export = folder / "history", folder / "export"
    inventing = [program, "demo", "--until", LAST_DAY, "--days", days, "--activities-per-day", per_day, "--no-screenshots"]
    once(whole, f"writing {days} days with {per_day} activities each", [inventing], environment)
    exporting = [program, "export", "--data-dir", whole, "--from", "2000", "--to", "2100", "--tables", "activities", "--out"]
    once(export, f"exporting {days} days", [exporting], environment)
    return History(days, whole, export, count(whole / "ManicTimeReports.db"))


def once(folder, what, commands, environment):
    """Runs `commands` if the folder doesn't exist. `folder` is added to each command as its last argument."""
    if folder.is_dir():
        return
    print(what, flush=True)
    unfinished = folder.with_name(f"{folder.name}-unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    for command in commands:
        child([*command, unfinished], what, WRITE_SECONDS, environment=environment)
    unfinished.rename(folder)


def count(file):
    with contextlib.closing(sqlite3.connect(f"{file.as_uri()}?mode=ro", uri=True)) as connection:
        (activities,) = connection.execute("SELECT count(*) FROM Ar_Activity").fetchone()
    if activities == 0:
        raise Failure(f"`{file}` holds no activities; remove the folder and run again")
    return activities
