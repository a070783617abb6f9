"""The exports of generated people, which are written once and then kept.

A year is generated and exported for each of a few seeds. The exports of the other people are copies of these exports
under other names. A copy equals an export of the same history under another name, and a query costs the same for each
copy. Generating a thousand years would take a day.
"""

import json
import shutil

from histories import once

SEEDS = 8
DAYS = 365
# The last day of each year of history. One whole day follows after `TODAY`, so that ranges that end tomorrow are
# covered.
UNTIL = "2026-11-21"
TODAY = "2026-11-20"
TABLES = "activities,segments,day_summary"
PER_DAY = 557


def exports(program, kept, persons, environment):
    """Returns the folder with the exports of this number of people, and the exports' size in bytes."""
    seeds = range(min(SEEDS, persons))
    histories = [history(program, kept / f"history-{seed}", seed, environment) for seed in seeds]
    exporting = [export(program, histories[seed], named(seed)) for seed in seeds]
    team = kept / f"team-{persons}"
    once(team, f"exporting {len(seeds)} of {persons} persons", exporting, environment)
    for person in range(len(seeds), persons):
        copy(team, named(person % SEEDS), named(person))
    return team, sum(file.stat().st_size for file in team.rglob("*.parquet"))


def named(person):
    return f"p{person:04}"


def copy(team, name, other):
    """Copies the export of one person under another name, unless the copy exists."""
    folder, unfinished = team / f"person={other}", team / f"unfinished-{other}"
    if folder.is_dir():
        return
    shutil.rmtree(unfinished, ignore_errors=True)
    shutil.copytree(team / f"person={name}", unfinished)
    manifest = unfinished / "manifest.json"
    manifest.write_text(json.dumps({**json.loads(manifest.read_text("utf-8")), "person": other}), encoding="utf-8")
    unfinished.rename(folder)


def export(program, history, name):
    """Returns the start of the command that exports a history under a name."""
    options = ["--person", name, "--tables", TABLES, "--include-titles"]
    return [program, "export", "--data-dir", history, *options, "--out"]


def history(program, folder, seed, environment):
    inventing = [program, "demo", "--until", UNTIL, "--days", DAYS, "--seed", seed, "--activities-per-day", PER_DAY]
    once(folder, f"inventing a year from seed {seed}", [[*inventing, "--no-screenshots"]], environment)
    return folder
