"""Checks whether an answer states a fact at the position in the plan."""

import datetime
import decimal
import re
import urllib.parse

from questions import Count, Date, Instant, Length, Name, Weekday

# The outcomes from best to worst. The outcome of a question is the worst outcome of its facts.
OUTCOMES = ["stated", "derivable", "incomplete, and says so", "error", "incomplete, and doesn't say so", "wrong", "not available"]
UNITS = {"h": 3600, "hour": 3600, "hours": 3600, "m": 60, "min": 60, "minute": 60, "minutes": 60}
UNITS |= {"s": 1, "sec": 1, "second": 1, "seconds": 1}
AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([a-z]+)", re.IGNORECASE)
CLOCK = re.compile(r"(\d+):(\d\d)(?::(\d\d))?")
WEEKDAYS = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
MISSING = object()
MOST, LAST = "most:", "-"


def score(server, answers, plan, facts):
    """Returns the outcome of a question, and the value that was read for each fact that isn't stated."""
    outcomes, seen = [], []
    for fact, place in zip(facts, plan.places, strict=True):
        outcome, read = judge(server, answers[place.call], place, fact)
        outcomes.append(outcome)
        if outcome != "stated":
            seen.append((fact, read))
    return max(outcomes, key=OUTCOMES.index), seen


def judge(server, answer, place, fact):
    """Returns the outcome of one fact, and the value that was read."""
    try:
        values = None if answer.failed else server.values(answer.text)
    except (ValueError, SyntaxError):
        values = None
    if values is None:
        return "error", answer.text[:200]
    found = read(values, place.pointer)
    less = read(values, place.minus.pointer) if place.minus else []
    if MISSING in found or MISSING in less or not found:
        return ("incomplete, and says so" if server.says_cut(values) else "incomplete, and doesn't say so"), None
    if len(found) + len(less) == 1:
        right = "derivable" if MOST in place.pointer else "stated"
        return (right if states(fact, found[0], unit(place)) else "wrong"), found[0]
    right = adds_up(fact, found, less, unit(place))
    return ("derivable" if right else "wrong"), " - ".join(" + ".join(map(str, of)) for of in (found, less) if of)


def read(values, pointer):
    """Returns the values at a pointer."""
    found = [values]
    for step in pointer.strip("/").split("/"):
        found = [inner for value in found for inner in follow(value, step)]
    return found


def follow(value, step):
    if step == "*" and isinstance(value, list):
        return value
    if isinstance(value, dict):
        return [value.get(step, MISSING)]
    if isinstance(value, list) and step.isdigit():
        return value[int(step) : int(step) + 1] or [MISSING]
    if isinstance(value, list) and step == LAST:
        return value[-1:] or [MISSING]
    if isinstance(value, list) and step.startswith(MOST):
        return [max(value, key=lambda item: item[step.removeprefix(MOST)], default=MISSING)]
    if isinstance(value, list) and "=" in step:
        field, wanted = step.split("=", 1)
        return [item for item in value if str(item.get(field)) == wanted][:1] or [MISSING]
    return [MISSING]


def unit(place):
    """Returns the seconds of one unit at a position. The unit comes from the plan, otherwise from the field's name."""
    field = place.unit or place.pointer.rsplit("/", 1)[-1]
    return next((UNITS[word] for word in ("minutes", "seconds", "hours") if field.lower().endswith(word)), None)


def states(fact, value, seconds_of_one):
    """Whether a value equals the fact, to the precision of the value's text."""
    match fact:
        case Length(seconds):
            told = length(value, seconds_of_one)
            return told is not None and abs(told[0] - seconds) <= told[1]
        case Name(text):
            return same_name(str(value), text)
        case Instant(local):
            return same_instant(str(value), local)
        case Date(date):
            return str(value)[:10] == date
        case Weekday(number):
            return str(value).lower() in (str(number), WEEKDAYS[number], WEEKDAYS[number][:3])
        case Count(number):
            return str(value) in (str(number), f"{number}.0")
    raise TypeError(fact)


def length(value, seconds_of_one):
    """Returns the seconds of a duration, and half a unit of its last digit in seconds."""
    text = str(value).strip()
    if seconds_of_one and re.fullmatch(r"-?\d+(\.\d+)?", text):
        return scaled(text, seconds_of_one)
    if clock := CLOCK.fullmatch(text):
        hours, minutes, seconds = (int(part or 0) for part in clock.groups())
        return hours * 3600 + minutes * 60 + seconds, 0.5 if clock[3] else 30
    amounts = AMOUNT.findall(text)
    if not amounts or any(word.lower() not in UNITS for _, word in amounts):
        return None
    parts = [scaled(number, UNITS[word.lower()]) for number, word in amounts]
    return sum(seconds for seconds, _ in parts), parts[-1][1]


def scaled(text, seconds_of_one):
    number = decimal.Decimal(text)
    last_digit = float(decimal.Decimal(1).scaleb(number.as_tuple().exponent))
    return float(number) * seconds_of_one, max(last_digit * seconds_of_one / 2, 0.5) + 1e-6


def same_name(told, text):
    """Whether a text contains the name. The text may have additions, such as the path of a file or the application
    of a meeting.
    """
    return text.casefold() in urllib.parse.unquote(told).casefold()


def same_instant(told, local):
    try:
        read = datetime.datetime.fromisoformat(told)
    except ValueError:
        return False
    to_the_minute = len(told.replace("T", " ")) == len("2025-01-15 09:30")
    return read == (local.replace(second=0) if to_the_minute else local)


def adds_up(fact, found, less, seconds_of_one):
    """Whether numbers in an answer add up to a fact."""
    if isinstance(fact, Count):
        return sum(map(int, found)) - sum(map(int, less)) == fact.number
    told = [length(value, seconds_of_one) for value in [*found, *less]]
    if not isinstance(fact, Length) or None in told:
        return False
    whole = sum(seconds for seconds, _ in told[: len(found)]) - sum(seconds for seconds, _ in told[len(found) :])
    return abs(whole - fact.seconds) <= sum(half for _, half in told)
