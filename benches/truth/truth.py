"""Counts a history by the rules of `docs/spec/time.md`, from its model.

A range and an interval are pairs of timestamps. A `Part` is an interval with its device and row. The local time of a
part comes from the time zone. This is exact, because no row of these histories spans more than an hour across a clock
change. In a longer row, the row's own offset and the zone's offset would differ.
"""

import collections
import dataclasses

from history import Use

MAX_GAP_SECONDS = 120
INTERRUPTION_SECONDS = 30


@dataclasses.dataclass(frozen=True)
class Part:
    start: int
    end: int
    device: str
    use: Use


def span(history, start, end):
    """Returns the range between two local dates or date-times. They must not be in an hour that a clock change
    repeats.
    """
    return history.clock.utc(start), history.clock.utc(end)


def day(history, date):
    start = history.clock.utc(date)
    return start, history.clock.next_day(start)


def union(intervals):
    """Returns the intervals in order. Intervals that touch or overlap are merged."""
    united = []
    for start, end in sorted(intervals):
        if united and start <= united[-1][1]:
            united[-1] = (united[-1][0], max(end, united[-1][1]))
        else:
            united.append((start, end))
    return united


def common(some, others):
    """Returns the intersection of two lists of intervals."""
    shared = [(max(a, c), min(b, d)) for a, b in some for c, d in others if max(a, c) < min(b, d)]
    return union(shared)


def seconds(intervals):
    """Returns the total length of intervals. Time in which intervals overlap counts once."""
    return sum(end - start for start, end in union(intervals))


def states(device, state):
    return union((usage.start, usage.end) for usage in device.usage if usage.state == state)


def counting(history, device):
    """Returns the counted time of a device: active time, and time away while a call is in the foreground."""
    calls = [(use.start, use.end) for use in device.uses if use.app == history.calls]
    return union(states(device, "active") + common(states(device, "away"), union(calls)))


def pieces(history, within, device=None):
    """Returns the intervals in which uses, the range and the counted time overlap, in order."""
    found = []
    for one in history.devices:
        if device in (None, one.name):
            times = common([within], counting(history, one))
            for use in one.uses:
                cut = common([(use.start, use.end)], times)
                found += [Part(start, end, one.name, use) for start, end in cut]
    return sorted(found, key=lambda part: (part.start, part.device))


def intervals(parts):
    return [(part.start, part.end) for part in parts]


def total(history, within, device=None):
    return seconds(intervals(pieces(history, within, device)))


def by(parts, name):
    """Returns the seconds of each value that `name` returns for a part, largest first. Skips parts for which it
    returns None.
    """
    groups = collections.defaultdict(list)
    for part in parts:
        if (told := name(part)) is not None:
            groups[told].append((part.start, part.end))
    return dict(sorted(((told, seconds(of)) for told, of in groups.items()), key=lambda pair: (-pair[1], pair[0])))


def application(part):
    return part.use.app.name


def site(part):
    return part.use.page.name if part.use.page and part.use.page.kind == "site" else None


def file(part):
    return part.use.page.name if part.use.page and part.use.page.kind == "file" else None


def cut(parts, following):
    """Yields the intervals of parts, split at the timestamps that `following` returns. `following` is a clock's
    `next_day` or `next_hour`.
    """
    for part in parts:
        start = part.start
        while start < part.end:
            end = min(part.end, following(start))
            yield start, end
            start = end


def days(history, within):
    """Returns the intervals of each local day by its date. Leaves out days without intervals."""
    found = collections.defaultdict(list)
    for interval in cut(pieces(history, within), history.clock.next_day):
        found[str(history.clock.local(interval[0]).date())].append(interval)
    return {date: union(found[date]) for date in sorted(found)}


def segments(parts):
    """Returns the segments of one device. A segment is a list of its parts, and the application of its first part."""
    found, at = [], 0
    while at < len(parts):
        last = end_of_segment(parts, at)
        found.append(parts[at : last + 1])
        at = last + 1
    return found


def end_of_segment(parts, first):
    """Returns the index of the last part of the segment that starts with the part at `first`."""
    app, last = parts[first].use.app, first
    while True:
        later = [at for at in range(last + 1, len(parts)) if parts[at].use.app == app][:1]
        if not later:
            return last
        gap = parts[later[0]].start - parts[last].end
        if gap < INTERRUPTION_SECONDS or later[0] == last + 1 and gap <= MAX_GAP_SECONDS:
            last = later[0]
        else:
            return last


def tagged(history, within, chosen=lambda tag: True):
    """Returns the tagged time of a range."""
    return common([within], union((tag.start, tag.end) for tag in history.tags if chosen(tag)))
