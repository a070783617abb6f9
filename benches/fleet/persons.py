"""Exports of invented persons, written once and kept.

A year of a person is invented from one of a few seeds and exported under many names: what is asked costs the same for each of
them, and inventing a thousand years would take the day.
"""

import shutil

from failure import child

SEEDS = 8
DAYS = 365
# The last day of each year; it has a whole day behind it, so that ranges which end with tomorrow are held.
UNTIL = "2026-11-21"
TODAY = "2026-11-20"
TABLES = "activities,segments,day_summary"
PER_DAY = 557
WRITE_SECONDS = 600


def exports(program, kept, persons, environment):
    """The folder with the exports of so many persons, and how many bytes they have."""
    histories = [history(program, kept / f"history-{seed}", seed, environment) for seed in range(SEEDS)]
    team = kept / f"team-{persons}"
    once(team, f"exporting {persons} persons", lambda folder: export(program, histories, folder, persons, environment))
    return team, sum(file.stat().st_size for file in team.rglob("*.parquet"))


def export(program, histories, folder, persons, environment):
    for person in range(persons):
        name, of = f"p{person:04}", histories[person % SEEDS]
        command = [program, "export", "--data-dir", of, "--person", name, "--tables", TABLES, "--include-titles"]
        child([*command, "--out", folder], f"the export of {name}", WRITE_SECONDS, environment=environment)


def history(program, folder, seed, environment):
    def invent(unfinished):
        command = [program, "demo", "--until", UNTIL, "--days", DAYS, "--seed", seed, "--activities-per-day", PER_DAY]
        child([*command, "--no-screenshots", unfinished], f"the year of seed {seed}", WRITE_SECONDS, environment=environment)

    once(folder, f"inventing a year from seed {seed}", invent)
    return folder


def once(folder, what, write):
    """Has `write` fill a folder; what is there is whole."""
    if folder.is_dir():
        return
    print(what, flush=True)
    unfinished = folder.with_name(f"{folder.name}-unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.parent.mkdir(parents=True, exist_ok=True)
    write(unfinished)
    unfinished.rename(folder)
