"""The model of a generated history. Timestamps are whole seconds in UTC. Local time comes from the history's time
zone.
"""

import dataclasses
import datetime
import zoneinfo


@dataclasses.dataclass(frozen=True)
class Clock:
    """The clock of a time zone. Converts between UTC and local time."""

    zone: str

    def local(self, instant):
        """Returns the local time of a timestamp, without a time zone."""
        shown = datetime.datetime.fromtimestamp(instant, zoneinfo.ZoneInfo(self.zone))
        return shown.replace(tzinfo=None, fold=0)

    def utc(self, text):
        """Returns the first timestamp with this local time. `text` is in ISO 8601. A date without a time means
        midnight.
        """
        shown = datetime.datetime.fromisoformat(text).replace(tzinfo=zoneinfo.ZoneInfo(self.zone))
        return int(shown.timestamp())

    def next_day(self, instant):
        """Returns the timestamp at which the next local day starts."""
        return self.utc(str(self.local(instant).date() + datetime.timedelta(1)))

    def next_hour(self, instant):
        """Returns the timestamp at which the next local hour starts. Requires a zone whose offset is in whole hours."""
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
    """A foreground application with one window title, and the page that it showed during that time."""

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
    """A project of the timesheet with its tasks. Tags contain the project and the task."""

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
    """A generated history.

    `calls` is the application whose windows are calls. Calls count as active time even without keyboard activity.
    `screenshots` are timestamps.
    """

    name: str
    clock: Clock
    devices: list
    tags: list = dataclasses.field(default_factory=list)
    meetings: list = dataclasses.field(default_factory=list)
    calls: App | None = None
    projects: list = dataclasses.field(default_factory=list)
    screenshots: list = dataclasses.field(default_factory=list)
