"""The engines that are compared, and the queries that all engines run."""

import pathlib

from asking import Process

WORKER = pathlib.Path(__file__).resolve().parent / "worker.py"
QUESTIONS = {
    "active": "SELECT key, sum(seconds) AS seconds FROM pieces('{start}', '{end}') GROUP BY key;\n",
    "recorded": "SELECT key, sum(seconds) AS seconds FROM applications "
    "WHERE start_local >= TIMESTAMP '{start}' AND start_local < TIMESTAMP '{end}' GROUP BY key;\n",
}


class Dayledger:
    """`dayledger sql`, with statements typed at a terminal."""

    name = "dayledger"
    # This statement reads no data.
    ready = "SELECT 1 AS ready;\n"

    def __init__(self, program):
        self.program = program

    def start(self, history, question, seconds, environment):
        """Returns a process for queries."""
        command = [self.program, "sql", "--data-dir", history.folder, "--format", "json"]
        # One second more than the caller's timeout, so that the caller's timeout comes first.
        return Process([*command, "--timeout", seconds + 1], environment, typed=True)

    @staticmethod
    def text(question, span):
        """Returns the query about a span: its first day, and the day after its last day."""
        return QUESTIONS[question].format(start=span[0], end=span[1])

    @staticmethod
    def seconds(answer):
        return {row["key"]: row["seconds"] for row in answer}


class InPython:
    """An engine that a new Python process imports and queries."""

    ready = "ready\n"

    def __init__(self, engine, name, interpreter):
        self.engine, self.name, self.interpreter = engine, name, interpreter

    def start(self, history, question, _, environment):
        """Returns a process for queries."""
        source = history.file if self.engine == "sqlite" else history.export
        return Process([self.interpreter, WORKER, self.engine, source, question], environment)

    @staticmethod
    def text(_, span):
        """Returns the query about a span: its first day, and the day after its last day."""
        return f"{' '.join(span)}\n"

    @staticmethod
    def seconds(answer):
        return dict(answer)


def engines(program, interpreter):
    """Returns all engines. dayledger is the first, because its answers are the reference for the other engines."""
    return [
        Dayledger(program),
        InPython("sqlite", "SQLite", interpreter),
        InPython("duckdb", "DuckDB", interpreter),
        InPython("polars", "Polars", interpreter),
    ]
