"""The questions, each with the wording of a user and its truth, computed from the model of its history."""

import dataclasses
import datetime
from collections.abc import Callable

import truth

QUESTIONS = []


@dataclasses.dataclass(frozen=True)
class Length:
    seconds: int


@dataclasses.dataclass(frozen=True)
class Name:
    text: str


@dataclasses.dataclass(frozen=True)
class Instant:
    local: datetime.datetime


@dataclasses.dataclass(frozen=True)
class Date:
    date: str


@dataclasses.dataclass(frozen=True)
class Weekday:
    """0 is Sunday."""

    number: int


@dataclasses.dataclass(frozen=True)
class Count:
    number: int


@dataclasses.dataclass(frozen=True)
class Question:
    name: str
    history: str
    wording: str
    facts: Callable


def asks(history, wording):
    def take(facts):
        QUESTIONS.append(Question(facts.__name__, history, wording, facts))
        return facts

    return take


def names(groups, count):
    return [Name(name) for name in list(groups)[:count]]


def first(history, date):
    return Instant(history.clock.local(truth.pieces(history, truth.day(history, date))[0].start))


def last(history, date):
    return Instant(history.clock.local(max(part.end for part in truth.pieces(history, truth.day(history, date)))))


@asks("clocks", "How long was I at the computer on Sunday, 25 October 2026?")
def change_day(history):
    return [Length(truth.total(history, truth.day(history, "2026-10-25")))]


@asks("clocks", "How long was I active between 2 and 3 o'clock on 25 October 2026, when the clocks went back?")
def change_hour(history):
    return [Length(truth.total(history, truth.span(history, "2026-10-25T02:00", "2026-10-25T03:00")))]


@asks("clocks", "When did I start on Monday, 26 October 2026?")
def change_monday(history):
    return [first(history, "2026-10-26")]


@asks("clocks", "Which three programs did I use most in the week from 19 October 2026?")
def change_programs(history):
    parts = truth.pieces(history, truth.span(history, "2026-10-19", "2026-10-26"))
    return names(truth.by(parts, truth.application), 3)


@asks("clocks", "How many hours did I work in the weeks from 12 and from 19 October 2026?")
def change_weeks(history):
    weeks = [("2026-10-12", "2026-10-19"), ("2026-10-19", "2026-10-26")]
    return [Length(truth.total(history, truth.span(history, *week))) for week in weeks]
