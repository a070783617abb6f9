"""The engines, and what is asked of all of them."""

import json
import pathlib
import sqlite3

WORKER = pathlib.Path(__file__).resolve().parent / "worker.py"
# What is asked before the question in a process that is to be running already; it needs no data.
READY = "SELECT 1 AS ready;\n"
QUESTIONS = {
    "active": "SELECT key, sum(seconds) AS seconds FROM pieces('{start}', '{end}') GROUP BY key;\n",
    "recorded": "SELECT key, sum(seconds) AS seconds FROM applications "
    "WHERE start_local >= TIMESTAMP '{start}' AND start_local < TIMESTAMP '{end}' GROUP BY key;\n",
}


class Dayledger:
    """`dayledger sql`, with statements from a pipe."""

    name = "dayledger"

    def __init__(self, program):
        self.program = program

    def asked(self, history, question, span, count, running, seconds):
        """The command and its input."""
        statement = QUESTIONS[question].format(start=span[0], end=span[1])
        command = [self.program, "sql", "--data-dir", history.folder, "--format", "json"]
        text = (READY if running else "") + count * statement
        return [*command, "--timeout", str(seconds + 1)], text

    @staticmethod
    def seconds(answer):
        return {row["key"]: row["seconds"] for row in answer}


class InPython:
    """An engine that a new Python imports and asks."""

    def __init__(self, engine, name, interpreter):
        self.engine, self.name, self.interpreter = engine, name, interpreter

    def asked(self, history, question, span, count, running, seconds):
        """The command and its input."""
        source = history.file if self.engine == "sqlite" else history.export
        command = [self.interpreter, WORKER, self.engine, source, question, *span, str(count)]
        return command + (["ready"] if running else []), ""

    @staticmethod
    def seconds(answer):
        return dict(answer)


def engines(program, interpreter):
    """All of them, dayledger first: what it answers is what the others are held to."""
    return [
        Dayledger(program),
        InPython("sqlite", "SQLite", interpreter),
        InPython("duckdb", "DuckDB", interpreter),
        InPython("polars", "Polars", interpreter),
    ]
