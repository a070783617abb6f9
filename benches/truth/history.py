"""The model of a generated history. Timestamps are whole seconds in UTC; local time comes from the history's time zone."""

import dataclasses
import datetime
import zoneinfo


@dataclasses.dataclass(frozen=True)
class Clock:
    """The wall clock of a time zone."""

    zone: str

    def local(self, instant):
        """The local time of a timestamp, without a zone."""
        shown = datetime.datetime.fromtimestamp(instant, zoneinfo.ZoneInfo(self.zone))
        return shown.replace(tzinfo=None, fold=0)

    def utc(self, text):
        """The first timestamp with this local time, an ISO 8601 text; a date means its midnight."""
        shown = datetime.datetime.fromisoformat(text).replace(tzinfo=zoneinfo.ZoneInfo(self.zone))
        return int(shown.timestamp())

    def next_day(self, instant):
        """The start of the next local day."""
        return self.utc(str(self.local(instant).date() + datetime.timedelta(1)))

    def next_hour(self, instant):
        """The start of the next local hour, if the zone's offset is in whole hours."""
        return instant + 3600 - instant % 3600


@dataclasses.dataclass(frozen=True)
class App:
    key: str
    name: str


@dataclasses.dataclass(frozen=True)
class Page:
    """A site with the URL that was open, or a file with its path."""

    kind: str
    name: str
    text: str


@dataclasses.dataclass(frozen=True)
class Usage:
    """An interval with one state: `active`, `away`, `locked` or `off`."""

    state: str
    start: int
    end: int


@dataclasses.dataclass(frozen=True)
class Use:
    """A foreground application with one window title, and its page during the same time."""

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


@dataclasses.dataclass(frozen=True)
class Project:
    """A project of the timesheet with its tasks. Tags name both."""

    code: str
    name: str
    tasks: tuple


@dataclasses.dataclass
class Device:
    name: str
    usage: list = dataclasses.field(default_factory=list)
    uses: list = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class History:
    """`calls` is the application whose windows are calls, which count even without keyboard activity. `screenshots` are
    timestamps."""

    name: str
    clock: Clock
    devices: list
    tags: list = dataclasses.field(default_factory=list)
    meetings: list = dataclasses.field(default_factory=list)
    calls: App | None = None
    projects: list = dataclasses.field(default_factory=list)
    screenshots: list = dataclasses.field(default_factory=list)
