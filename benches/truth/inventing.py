"""Invents the five histories, always the same ones. Each has one thing that makes counting hard."""

import datetime
import random

from history import App, Clock, Device, History, Page, Usage, Use

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


def file(app, path):
    name = path.rsplit("\\", 1)[-1]
    return app, f"{name} - {app.name}", Page("file", name, path)


def site(address, title):
    return CHROME, f"{title} - Google Chrome", Page("site", address.split("/")[0], f"https://{address}")


def plain(app, title):
    return app, title, None


# What is in front while somebody works on something, each as often as its number says.
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
}
LENGTHS = [(3, (6, 28)), (6, (35, 190)), (2, (200, 560))]


class Person:
    """Makes up what somebody does, from a seed."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def minutes(self, least, most):
        return self.random.randint(least * 60, most * 60)

    def one(self, weighted):
        return self.random.choices([what for _, what in weighted], [weight for weight, _ in weighted])[0]

    def states(self, begin, end):
        """The states between two instants: active, with breaks; the one about noon is long."""
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
        """What is in front during states; now and then a window stays in front while somebody is away."""
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
        """Has somebody work on a device between two instants; before it the device was off."""
        if device.usage:
            device.usage.append(Usage("off", device.usage[-1].end, begin))
        states = self.states(begin, end)
        device.usage += states
        device.uses += self.uses(states, works)

    def working_day(self, clock, device, date, works):
        begin = clock.utc(f"{date}T08:20") + self.minutes(0, 55)
        self.work(device, begin, clock.utc(f"{date}T16:40") + self.minutes(0, 80), works)


def dates(first, last):
    """The dates from one to another, both included."""
    begin, end = datetime.date.fromisoformat(first), datetime.date.fromisoformat(last)
    return [begin + datetime.timedelta(days) for days in range((end - begin).days + 1)]


def working_days(first, last):
    return [date for date in dates(first, last) if date.weekday() < 5]


def clocks():
    """Three weeks with a night of work over the change of clocks in autumn."""
    person, device = Person(1), Device("WORKSTATION")
    for date in dates("2026-10-12", "2026-11-01"):
        if date.weekday() < 5:
            person.working_day(BERLIN, device, date, ["billing", "portal", "offer"])
        elif str(date) == "2026-10-24":
            person.work(device, BERLIN.utc("2026-10-24T22:36:40"), BERLIN.utc("2026-10-25T04:17:25"), ["billing"])
    return History("clocks", BERLIN, [device])


HISTORIES = [clocks]
