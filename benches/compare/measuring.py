"""Asks every engine the same, compares what they answer, and keeps how long it took."""

import datetime
import statistics

from failure import Failure
from histories import LAST_DAY

LAST = datetime.date.fromisoformat(LAST_DAY)


class Measuring:
    """One run: the engines, how long an answer may take, and how often something is asked.

    `repeats` holds for answers below so many seconds how many cold processes there are, and how many questions after
    the first.
    """

    def __init__(self, engines, seconds, repeats, environment):
        self.engines, self.seconds, self.repeats, self.environment = engines, seconds, repeats, environment

    def longer_and_longer(self, question, spans):
        """What `compare` finds for each span, the shortest first: a history and how many days of it.

        An engine that took too long is not asked about a longer one.
        """
        able = self.engines
        for history, days in spans:
            found = self.compare(able, history, question, days)
            able = [engine for engine in able if found[engine.name]]
            yield {**{engine.name: None for engine in self.engines}, **found}

    def compare(self, engines, history, question, days):
        """What each engine took for the last `days` days of a history, all answers being the same.

        An engine maps to its seconds and bytes, or to None where it took too long.
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
        """The answers of an engine, and what they took."""
        said = []

        def ask(count, *, running):
            """The process that answered so many questions, or None where one took too long."""
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
    """One application of which two answers differ, for a person."""
    key = next(key for key in sorted({*answer, *expected}) if answer.get(key) != expected.get(key))
    return f"`{key}` has {answer.get(key)} seconds, with {name} {expected.get(key)}"
