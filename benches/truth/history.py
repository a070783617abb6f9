"""What a history of invented days is made of. Instants are whole seconds in UTC; local time comes from the history's zone."""

import dataclasses
import datetime
import zoneinfo


@dataclasses.dataclass(frozen=True)
class Clock:
    """The wall clock of a zone."""

    zone: str

    def local(self, instant):
        """What the clock shows, without a zone."""
        shown = datetime.datetime.fromtimestamp(instant, zoneinfo.ZoneInfo(self.zone))
        return shown.replace(tzinfo=None, fold=0)

    def utc(self, text):
        """The first instant at which the clock shows that ISO 8601 text; a date is its midnight."""
        shown = datetime.datetime.fromisoformat(text).replace(tzinfo=zoneinfo.ZoneInfo(self.zone))
        return int(shown.timestamp())

    def next_day(self, instant):
        """The first instant after this one at which a local day begins."""
        return self.utc(str(self.local(instant).date() + datetime.timedelta(1)))

    def next_hour(self, instant):
        """The same of an hour, where the zone differs from UTC by whole ones."""
        return instant + 3600 - instant % 3600


@dataclasses.dataclass(frozen=True)
class App:
    key: str
    name: str


@dataclasses.dataclass(frozen=True)
class Page:
    """A site with the address that was open, or a file with its path."""

    kind: str
    name: str
    text: str


@dataclasses.dataclass(frozen=True)
class Usage:
    """A stretch of one state: `active`, `away`, `locked` or `off`."""

    state: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Use:
    """An application with one window title in front; its page was open as long."""

    start: int
    end: int
    app: App
    title: str
    page: Page | None = None


@dataclasses.dataclass(frozen=True)
class Tag:
    start: int
    end: int
    parts: tuple
    notes: str | None = None
    billable: bool = False

    @property
    def name(self):
        return ", ".join(self.parts)


@dataclasses.dataclass(frozen=True)
class Meeting:
    name: str
    start: int
    end: int


@dataclasses.dataclass
class Device:
    name: str
    usage: list = dataclasses.field(default_factory=list)
    uses: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class History:
    """`calls` is an application whose windows are calls that count while nobody touches the keyboard."""

    name: str
    clock: Clock
    devices: list
    tags: list = dataclasses.field(default_factory=list)
    meetings: list = dataclasses.field(default_factory=list)
    calls: App | None = None
