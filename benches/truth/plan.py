"""How a question is answered by a server: the calls, and where in their answers the facts are to be read."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class At:
    """A place in an answer, as a JSON pointer.

    A step `name=value` takes the item of a list whose field has that value, `most:name` the one whose field is largest, `-`
    the last and `*` all. What several values tell is their sum, less what `minus` leads to. `unit` is that of a length of
    time whose text tells none.
    """

    pointer: str
    unit: str | None = None
    call: int = -1
    minus: "At | None" = None


@dataclasses.dataclass(frozen=True)
class Plan:
    """At most five calls, as pairs of a tool and its arguments, and a place for each fact of the question."""

    calls: tuple
    places: tuple


def plan(*calls, read):
    return Plan(calls, tuple(read) if isinstance(read, list) else (read,))
