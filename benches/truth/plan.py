"""How a server answers a question: the calls, and the positions of the facts in the answers to the calls."""

import dataclasses


@dataclasses.dataclass(frozen=True)
class At:
    """A position in an answer, as a JSON pointer.

    A step `name=value` selects the item of a list whose field `name` has that value. `most:name` selects the item with
    the largest value in the field `name`, `-` the last item, and `*` all items. Several values are added up, and the
    values at `minus` are subtracted. `unit` is the unit of a duration whose text doesn't contain a unit.
    """

    pointer: str
    unit: str | None = None
    call: int = -1
    minus: "At | None" = None


@dataclasses.dataclass(frozen=True)
class Plan:
    """At most five calls, as pairs of a tool and its arguments. Contains a position for each fact of the question."""

    calls: tuple
    places: tuple


def plan(*calls, read):
    return Plan(calls, tuple(read) if isinstance(read, list) else (read,))
