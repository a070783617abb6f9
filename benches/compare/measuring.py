"""Sends the same queries to every engine, compares the answers, and records the times."""

import datetime
import statistics

from failure import Failure
from histories import LAST_DAY

LAST = datetime.date.fromisoformat(LAST_DAY)


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
        """Returns the times of each engine for the last `days` days of a history. Fails if two answers differ.

        The result maps each engine to its seconds and bytes, or to None if it timed out.
        """
        expected, found = None, {}
        for engine in engines:
            what = f"{engine.name}, {question} seconds of {days} days out of {history.days}"
            answered, took = self.measure(engine, history, question, days)
            found[engine.name] = took
            shown = "took too long" if took is None else f"{took['first']:.3f} s, then {took['again']:.3f} s"
            print(f"{what}: {shown}", flush=True)
            for answer in answered:
                expected = expected or answer
                if not answer:
                    raise Failure(f"{what}: no application has any")
                if answer != expected:
                    raise Failure(f"{what}: {difference(answer, expected, self.engines[0].name)}")
        return found

    def measure(self, engine, history, question, days):
        """Returns the answers of an engine, with their times."""
        said = []

        def ask(count, *, running):
            """Returns the process that answered `count` queries, or None if one of them timed out."""
            span = (str(LAST - datetime.timedelta(days)), LAST_DAY)
            process, asked = engine.start(history, question, span, self.seconds, self.environment)
            with process:
                for text in [engine.ready] * running + [asked] * count:
                    answer = process.ask(text, self.seconds)
                    if answer is None:
                        return None
                    if text == asked:
                        said.append(engine.seconds(answer))
                process.end()
            return process

        cold = [ask(1, running=False)]
        if cold[0]:
            processes, further = next(repeats for below, *repeats in self.repeats if cold[0].took[0] < below)
            cold += [ask(1, running=False) for _ in range(processes - 1)]
            running = ask(1 + further, running=True)
        if not all([*cold, cold[0] and running]):
            return said, None
        _, first, *again = running.took
        return said, {
            "cold": statistics.median(process.took[0] for process in cold),
            "first": first,
            "again": statistics.median(again),
            "peak": running.peak,
        }


def difference(answer, expected, name):
    """Describes the first application in which two answers differ."""
    key = next(key for key in sorted({*answer, *expected}) if answer.get(key) != expected.get(key))
    return f"`{key}` has {answer.get(key)} seconds, with {name} {expected.get(key)}"
