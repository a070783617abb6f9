"""Sends the same queries to every engine, compares the answers, and records the times."""

import datetime
import statistics
import time

from failure import Failure
from histories import LAST_DAY

LAST = datetime.date.fromisoformat(LAST_DAY)
# The pause before the queries about other spans. People and assistants pause between queries, and dayledger reads its
# history in the first pause.
PAUSE_SECONDS = 10


class Measuring:
    """A run: the engines, the timeout of an answer, and the number of repetitions.

    `repeats` maps a time limit to two numbers: the number of cold processes, and the number of queries after the first.
    These two numbers apply to answers that are faster than the time limit.
    """

    def __init__(self, engines, seconds, repeats, environment):
        self.engines, self.seconds, self.repeats, self.environment = engines, seconds, repeats, environment

    def longer_and_longer(self, question, spans):
        """Returns the results of `compare` for each span, shortest first. A span is a history and its number of days.

        An engine that timed out isn't measured with longer spans.
        """
        able = self.engines
        for history, days in spans:
            found = self.compare(able, history, question, days)
            able = [engine for engine in able if found[engine.name]]
            yield {**{engine.name: None for engine in self.engines}, **found}

    def compare(self, engines, history, question, days):
        """Returns the times of each engine for spans of `days` days of a history. Fails if two answers differ.

        The result maps each engine to its seconds and bytes, or to None if it timed out.
        """
        expected, found = {}, {}
        for engine in engines:
            what = f"{engine.name}, {question} seconds of {days} days out of {history.days}"
            answered, took = self.measure(engine, history, question, days)
            found[engine.name] = took
            print(f"{what}: {shown(took)}", flush=True)
            for span, answer in answered:
                if not answer and span == last_span(days):
                    raise Failure(f"{what}: no application has any")
                if answer != expected.setdefault(span, answer):
                    reason = difference(answer, expected[span], self.engines[0].name)
                    raise Failure(f"{what}, from {span[0]}: {reason}")
        return found

    def measure(self, engine, history, question, days):
        """Returns the answers of an engine, each with its span, and the times of the engine."""
        said, last = [], last_span(days)

        def ask(spans, others=(), *, running):
            """Returns the process that answered a query about each span, or None if one of the queries timed out. The
            process has a pause before the queries about `others`.
            """
            process = engine.start(history, question, self.seconds, self.environment)
            with process:
                if running and process.ask(engine.ready, self.seconds) is None:
                    return None
                for place, span in enumerate([*spans, *others]):
                    if place == len(spans):
                        time.sleep(PAUSE_SECONDS)
                    answer = process.ask(engine.text(question, span), self.seconds)
                    if answer is None:
                        return None
                    said.append((span, engine.seconds(answer)))
                process.end()
            return process

        cold, others = [ask([last], running=False)], []
        if cold[0]:
            processes, further = next(repeats for below, *repeats in self.repeats if cold[0].took[0] < below)
            cold += [ask([last], running=False) for _ in range(processes - 1)]
            others = other_spans(history, days, further)
            running = ask([last] * (1 + further), others, running=True)
        if not all([*cold, cold[0] and running]):
            return said, None
        _, first, *later = running.took
        times = {
            "cold": statistics.median(process.took[0] for process in cold),
            "first": first,
            "again": statistics.median(later[:further]),
            "peak": running.peak,
        }
        return said, times | ({"new": statistics.median(later[further:])} if others else {})


def last_span(days):
    """Returns the span of the last `days` days: the first day, and the day after the last day."""
    return span_before(LAST, days)


def other_spans(history, days, count):
    """Returns up to `count` other spans with `days` days, from late to early. They are distributed over the history. Two
    spans can share days, but each span starts on another day.
    """
    count = min(count, history.days - days)
    steps = [(history.days - days) * (number + 1) // count for number in range(count)]
    return [span_before(LAST - datetime.timedelta(step), days) for step in steps]


def span_before(end, days):
    return str(end - datetime.timedelta(days)), str(end)


def shown(took):
    """Describes the times of an engine in one line."""
    if took is None:
        return "took too long"
    return ", ".join(f"{kind} {took[kind]:.4f} s" for kind in ("first", "again", "new") if kind in took)


def difference(answer, expected, name):
    """Describes the first application in which two answers differ."""
    key = next(key for key in sorted({*answer, *expected}) if answer.get(key) != expected.get(key))
    return f"`{key}` has {answer.get(key)} seconds, with {name} {expected.get(key)}"
