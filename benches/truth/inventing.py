"""Generates six histories, which are the same in every run. Five histories each have one property that makes
counting hard. The last history contains everything that everyday questions need.
"""

import datetime
import random

from history import App, Clock, Device, History, Meeting, Page, Project, Tag, Usage, Use

BERLIN = Clock("Europe/Berlin")

CODE = App("code.exe;visual studio code", "Visual Studio Code")
CHROME = App("chrome.exe;google chrome", "Google Chrome")
EXCEL = App("excel.exe;microsoft excel", "Microsoft Excel")
WORD = App("winword.exe;microsoft word", "Microsoft Word")
OUTLOOK = App("outlook.exe;microsoft outlook", "Microsoft Outlook")
SLACK = App("slack.exe;slack", "Slack")
TERMINAL = App("windowsterminal.exe;windows terminal", "Windows Terminal")
EXPLORER = App("explorer.exe;windows explorer", "Windows Explorer")
ZOOM = App("zoom.exe;zoom meetings", "Zoom Meetings")
OBSIDIAN = App("obsidian.exe;obsidian", "Obsidian")


def file(app, path):
    name = path.rsplit("\\", 1)[-1]
    return app, f"{name} - {app.name}", Page("file", name, path)


def site(address, title):
    return CHROME, f"{title} - Google Chrome", Page("site", address.split("/")[0], f"https://{address}")


def plain(app, title):
    return app, title, None


# The windows that are in the foreground during each kind of work, with relative frequencies.
ASIDES = [
    (2, plain(OUTLOOK, "Inbox - Outlook")),
    (2, plain(SLACK, "general (Channel) - Slack")),
    (1, plain(EXPLORER, "Downloads")),
    (1, site("news.ycombinator.com/news", "Hacker News")),
]
WORK = {
    "billing": [
        (8, file(CODE, "C:\\Work\\northwind\\billing\\invoice.rs")),
        (5, file(CODE, "C:\\Work\\northwind\\billing\\rounding.rs")),
        (5, site("github.com/northwind/billing/pull/41", "Round once")),
        (3, site("docs.rs/rust_decimal/latest", "rust_decimal")),
        (4, plain(TERMINAL, "cargo test")),
    ],
    "portal": [
        (7, file(CODE, "C:\\Work\\northwind\\portal\\orders.spec.ts")),
        (5, site("portal.northwind.example/orders", "Orders")),
        (4, site("developer.mozilla.org/docs/Web/API", "Web APIs")),
        (2, site("github.com/northwind/portal/issues/7", "Orders vanish")),
    ],
    "forecast": [
        (7, file(CODE, "C:\\Work\\harbour\\forecast\\fit.py")),
        (5, file(EXCEL, "C:\\Work\\harbour\\Sales 2023 to 2026.xlsx")),
        (4, site("pandas.pydata.org/docs/reference", "API reference")),
        (3, site("stackoverflow.com/questions/101", "Merge on the nearest key")),
    ],
    "offer": [
        (8, file(WORD, "C:\\Work\\internal\\Offer barcode scanners.docx")),
        (5, file(EXCEL, "C:\\Work\\internal\\Rate card.xlsx")),
        (3, site("harbourfoods.example/about", "About us")),
    ],
    "search": [
        (8, file(CODE, "C:\\Work\\lindqvist\\search\\pipeline.py")),
        (4, file(WORD, "C:\\Work\\lindqvist\\Case search.docx")),
        (5, site("github.com/lindqvist/search/pull/12", "Index by court")),
        (3, site("docs.python.org/3/library", "Library")),
    ],
    "notes": [
        (5, plain(OBSIDIAN, "Decisions - Obsidian")),
        (2, site("en.wikipedia.org/wiki/Zettelkasten", "Zettelkasten")),
    ],
}
LENGTHS = [(3, (6, 28)), (6, (35, 190)), (2, (200, 560))]


class Person:
    """Generates a person's activity from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def minutes(self, least, most):
        return self.random.randint(least * 60, most * 60)

    def one(self, weighted):
        return self.random.choices([what for _, what in weighted], [weight for weight, _ in weighted])[0]

    def states(self, begin, end):
        """Returns the states between two timestamps: active time with breaks. The break around noon is long."""
        found, at, fed = [], begin, end - begin < 6 * 3600
        while at < end:
            until = min(end, at + self.minutes(25, 95))
            if end - until < 1800:
                until = end
            found.append(Usage("active", at, until))
            at = until
            if at < end:
                hungry = not fed and at - begin > 3 * 3600
                fed = fed or hungry
                state, length = ("locked", self.minutes(35, 60)) if hungry else ("away", self.minutes(4, 18))
                found.append(Usage(state, at, min(at + length, end - 900)))
                at = found[-1].end
        return found

    def uses(self, states, works):
        """Returns the foreground windows during the states. Sometimes a window stays in front while the person is
        away.
        """
        found = []
        for state in states:
            if state.state == "active":
                found += self.fill(state.start, state.end, works)
            elif state.state == "away" and self.random.random() < 0.6:
                last = found.pop()
                found.append(Use(last.start, state.end, last.app, last.title, last.page))
        return found

    def fill(self, start, end, works):
        found, at, until = [], start, start
        while at < end:
            if at >= until:
                work, until = self.random.choice(works), at + self.minutes(20, 60)
            stop = at + self.random.randint(*self.one(LENGTHS))
            stop = end if end - stop < 5 else stop
            app, title, page = self.one(WORK[work] + ASIDES)
            found.append(Use(at, stop, app, title, page))
            at = stop
        return found

    def work(self, device, begin, end, works):
        """Adds work on a device between two timestamps. Before `begin`, the device was off."""
        if device.usage and device.usage[-1].end < begin:
            device.usage.append(Usage("off", device.usage[-1].end, begin))
        states = self.states(begin, end)
        device.usage += states
        device.uses += self.uses(states, works)

    def working_day(self, clock, device, date, works):
        begin = clock.utc(f"{date}T08:20") + self.minutes(0, 55)
        self.work(device, begin, clock.utc(f"{date}T16:40") + self.minutes(0, 80), works)


def dates(first, last):
    """Returns the dates from first to last, both included."""
    begin, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    return [begin + datetime.timedelta(days) for days in range((end - begin).days + 1)]


def working_days(first, last):
    return [date for date in dates(first, last) if date.weekday() < 5]


def clocks():
    """Generates three weeks with night work during the clock change in autumn."""
    person, device = Person(1), Device("WORKSTATION")
    for date in dates("2026-10-12", "2026-11-01"):
        if date.weekday() < 5:
            person.working_day(BERLIN, device, date, ["billing", "portal", "offer"])
        elif str(date) == "2026-10-24":
            person.work(device, BERLIN.utc("2026-10-24T22:36:40"), BERLIN.utc("2026-10-25T04:17:25"), ["billing"])
    return History("clocks", BERLIN, [device])


def devices():
    """Generates two weeks with two devices that are sometimes used simultaneously."""
    person, desk, laptop = Person(2), Device("WORKSTATION"), Device("LAPTOP")
    for date in working_days("2026-11-02", "2026-11-13"):
        person.working_day(BERLIN, desk, date, ["billing", "forecast"])
        begin = BERLIN.utc(f"{date}T15:30") + person.minutes(0, 50)
        person.work(laptop, begin, begin + person.minutes(70, 130), ["portal", "offer"])
        if date.weekday() in (1, 3):
            evening = BERLIN.utc(f"{date}T19:45") + person.minutes(0, 40)
            person.work(laptop, evening, evening + person.minutes(60, 110), ["search"])
    weekend = BERLIN.utc("2026-11-14T10:12:20")
    person.work(laptop, weekend, weekend + 7530, ["search", "offer"])
    return History("devices", BERLIN, [desk, laptop])


TALKS = [
    ("Stand-up", "09:30", 15, range(5)),
    ("Planning billing", "14:00", 60, (1,)),
    ("Forecast with Harbour Foods", "11:00", 50, (2,)),
    ("Case search, open questions", "13:30", 75, (3,)),
    ("Review", "15:30", 40, (4,)),
]


def meetings():
    """Generates two weeks with calls, and a calendar with their names. In most calls, the person only listens."""
    person, device = Person(3), Device("WORKSTATION")
    held = []
    for date in working_days("2026-09-07", "2026-09-18"):
        begin = BERLIN.utc(f"{date}T08:31") + person.minutes(0, 20)
        end = BERLIN.utc(f"{date}T16:50") + person.minutes(0, 40)
        talks = []
        for name, time, length, weekdays in TALKS:
            if date.weekday() in weekdays:
                start = BERLIN.utc(f"{date}T{time}")
                talks.append(Meeting(name, start, start + length * 60))
        talks.sort(key=lambda talk: talk.start)
        held += talks
        day_of_talks(person, device, begin, end, talks)
    return History("meetings", BERLIN, [device], meetings=held, calls=ZOOM)


def day_of_talks(person, device, begin, end, talks):
    """Generates a working day that is interrupted by calls."""
    for talk in talks:
        start, stop = talk.start + person.minutes(0, 1), talk.end - person.minutes(1, 4)
        person.work(device, begin, start, ["forecast", "offer", "search"])
        spoken = start + person.minutes(1, 6)
        device.usage += [Usage("active", start, spoken), Usage("away", spoken, stop)]
        device.uses.append(Use(start, stop, ZOOM, f"{talk.name} - Zoom Meeting"))
        begin = stop
    person.work(device, begin, end, ["forecast", "offer", "search"])


CLIENTS = {
    ("Northwind", "Billing"): "billing",
    ("Northwind", "Portal"): "portal",
    ("Harbour Foods", "Forecast"): "forecast",
    ("Lindqvist", "Case search"): "search",
}
UNBILLED = ("Internal", "Offers")


def tags():
    """Generates three weeks in which most of the time is tagged, including meetings away from the computer."""
    person, device = Person(4), Device("WORKSTATION")
    found = []
    for date in working_days("2026-06-01", "2026-06-19"):
        at = BERLIN.utc(f"{date}T08:30") + person.minutes(0, 40)
        for parts in person.random.sample(sorted(CLIENTS), 3):
            until = at + person.minutes(90, 160)
            person.work(device, at, until, [CLIENTS[parts]])
            found.append(Tag(at + person.minutes(0, 4), until, parts, None, True))
            at = until
        if date.weekday() == 2:
            parts = ("Harbour Foods", "Meetings")
            found.append(Tag(at + 900, at + 900 + person.minutes(40, 70), parts, f"Agreed on step {date.day}", True))
            at = found[-1].end
        person.work(device, at, at + person.minutes(40, 90), ["offer"])
        if date.weekday() == 4:
            found.append(Tag(at, device.usage[-1].end, UNBILLED))
    return History("tags", BERLIN, [device], tags=found)


def gaps():
    """Generates five weeks with days off around the new year, late evenings and a machine that sleeps."""
    person, device = Person(5), Device("NOTEBOOK")
    for date in working_days("2025-12-08", "2026-01-16"):
        if "2025-12-23" <= str(date) <= "2026-01-01" and str(date) != "2025-12-30" or str(date) == "2026-01-06":
            continue
        person.working_day(BERLIN, device, date, ["search", "portal"])
        if date.weekday() == 3:
            evening = BERLIN.utc(f"{date}T20:10") + person.minutes(0, 60)
            person.work(device, evening, evening + person.minutes(35, 80), ["search"])
    return History("gaps", BERLIN, [device])


PROJECTS = [
    Project("NORTHWIND", "Northwind", ("Billing", "Portal", "Planning")),
    Project("HARBOUR", "Harbour Foods", ("Forecast", "Meetings")),
    Project("LINDQVIST", "Lindqvist", ("Case search",)),
    Project("INTERNAL", "Internal", ("Stand-up", "Offers")),
]


class Diary:
    """A day of `everyday`, to which periods are added in order. A period of work has one tag or no tag."""

    def __init__(self, person, history, date):
        self.person, self.history, self.date = person, history, date
        self.at = self.time("08:20") + person.minutes(0, 30)

    def time(self, text):
        return self.history.clock.utc(f"{self.date}T{text}")

    def tag(self, start, end, parts):
        if parts:
            self.history.tags.append(Tag(start, end, parts, None, parts[0] != "Internal"))

    def work(self, until, works, parts):
        self.person.work(self.history.devices[0], self.at, until, works)
        self.tag(self.at, until, parts)
        self.at = until

    def rest(self, state, minutes):
        """Adds time in which the person doesn't use the computer."""
        until = self.at + minutes * 60
        self.history.devices[0].usage.append(Usage(state, self.at, until))
        self.at = until

    def plan(self, name, time, minutes):
        self.history.meetings.append(Meeting(name, self.time(time), self.time(time) + minutes * 60))

    def call(self, name, minutes, spoken, parts):
        """Adds a call that starts now. The person uses the keyboard only in the first `spoken` minutes."""
        device, end, quiet = self.history.devices[0], self.at + minutes * 60, self.at + spoken * 60
        device.usage += [Usage("active", self.at, quiet), *([Usage("away", quiet, end)] if quiet < end else [])]
        device.uses.append(Use(self.at, end, ZOOM, f"{name} - Zoom Meeting"))
        self.tag(self.at, end, parts)
        self.at = end


def everyday():
    """Generates two and a half weeks with clients, a timesheet, meetings, breaks and screenshots. The last day is a
    Wednesday, which counts as yesterday.
    """
    person, known = Person(6), dict(CLIENTS)
    history = History("everyday", BERLIN, [Device("WORKSTATION")], projects=PROJECTS)
    for date in working_days("2026-03-02", "2026-03-18"):
        day, clients = Diary(person, history, date), person.random.sample(sorted(known), 3)
        notes = ["notes"] if str(date) >= "2026-03-10" else []
        day.plan("Stand-up", "09:30", 15)
        day.work(day.time("09:30"), [known[clients[0]]], clients[0])
        day.call("Stand-up", 15, 15, ("Internal", "Stand-up"))
        morning(day, known[clients[1]], clients[1], notes)
        day.work(day.time("12:10") + person.minutes(0, 15), [known[clients[1]], *notes], clients[1])
        if date.weekday() == 3:
            day.plan("Lunch talk", "12:30", 30)
        day.rest("locked", person.random.randint(38, 60))
        afternoon(day, known[clients[2]], clients[2])
    history.meetings.sort(key=lambda meeting: meeting.start)
    history.screenshots = [BERLIN.utc(f"2026-03-18T{time}") for time in ("13:50:10", "13:59:20", "14:08:30")]
    return history


def morning(day, work, parts, notes):
    """Adds the meetings before noon: a call on Tuesdays, and a meeting at the client's office on Wednesdays."""
    if day.date.weekday() == 1:
        day.plan("Planning billing", "11:00", 60)
        day.work(day.time("11:00"), [work, *notes], parts)
        day.call("Planning billing", 60, 25, ("Northwind", "Planning"))
    if day.date.weekday() == 2:
        day.plan("Forecast with Harbour Foods", "10:00", 60)
        day.work(day.time("10:00"), [work], parts)
        day.tag(day.at, day.at + 3600, ("Harbour Foods", "Meetings"))
        day.rest("away", 60)


def afternoon(day, work, parts):
    """Adds the work after noon. On Fridays, these are offers. On other days, work for a client, then work without a
    tag.
    """
    until = day.time("15:10") + day.person.minutes(0, 25)
    if day.date.weekday() == 4:
        day.work(until, ["offer"], UNBILLED)
        return
    day.work(until, [work], parts)
    day.rest("away", day.person.random.randint(12, 20))
    day.work(day.time("16:30") + day.person.minutes(0, 40), ["offer"], None)


HISTORIES = [clocks, devices, meetings, tags, gaps, everyday]
