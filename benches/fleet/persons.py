"""Exports of invented persons, written once and kept.

A year of a person is invented from one of a few seeds and exported under many names: what is asked costs the same for each of
them, and inventing a thousand years would take the day.
"""

from histories import once

SEEDS = 8
DAYS = 365
# The last day of each year; it has a whole day behind it, so that ranges which end with tomorrow are held.
UNTIL = "2026-11-21"
TODAY = "2026-11-20"
TABLES = "activities,segments,day_summary"
PER_DAY = 557


def exports(program, kept, persons, environment):
    """The folder with the exports of so many persons, and how many bytes they have."""
    histories = [history(program, kept / f"history-{seed}", seed, environment) for seed in range(SEEDS)]
    team = kept / f"team-{persons}"
    exporting = [export(program, histories[person % SEEDS], f"p{person:04}") for person in range(persons)]
    once(team, f"exporting {persons} persons", exporting, environment)
    return team, sum(file.stat().st_size for file in team.rglob("*.parquet"))


def export(program, history, name):
    """The start of the command that exports a history under a name."""
    options = ["--person", name, "--tables", TABLES, "--include-titles"]
    return [program, "export", "--data-dir", history, *options, "--out"]


def history(program, folder, seed, environment):
    inventing = [program, "demo", "--until", UNTIL, "--days", DAYS, "--seed", seed, "--activities-per-day", PER_DAY]
    once(folder, f"inventing a year from seed {seed}", [[*inventing, "--no-screenshots"]], environment)
    return folder
