"""The questions in a user's words. The correct answer of each question is computed from the model of its history."""

import dataclasses
import datetime
from collections.abc import Callable

import truth

QUESTIONS = []


class Fact:
    """A correct value. Each type of fact has one field, which contains the value."""

    def __str__(self):
        return str(*vars(self).values())


@dataclasses.dataclass(frozen=True)
class Length(Fact):
    seconds: float

    def __str__(self):
        return f"{self.seconds:,.0f} s"


@dataclasses.dataclass(frozen=True)
class Name(Fact):
    text: str


@dataclasses.dataclass(frozen=True)
class Instant(Fact):
    local: datetime.datetime


@dataclasses.dataclass(frozen=True)
class Date(Fact):
    date: str


@dataclasses.dataclass(frozen=True)
class Weekday(Fact):
    """A day of the week. 0 is Sunday."""

    number: int


@dataclasses.dataclass(frozen=True)
class Count(Fact):
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


def total(history, *edges, device=None):
    """Returns the counted time of a day, or of the range between two edges."""
    within = truth.day(history, *edges) if len(edges) == 1 else truth.span(history, *edges)
    return Length(truth.total(history, within, device))


def parts(history, *edges, device=None):
    within = truth.day(history, *edges) if len(edges) == 1 else truth.span(history, *edges)
    return truth.pieces(history, within, device)


def shown(history, instant):
    return Instant(history.clock.local(instant))


def seconds(parts):
    return Length(truth.seconds(truth.intervals(parts)))


def breaks(history, date):
    """Returns the gaps between the intervals of a day, longest first."""
    stretches = truth.union(truth.intervals(parts(history, date)))
    gaps = [(end - start, start) for (_, start), (end, _) in zip(stretches, stretches[1:], strict=False)]
    return sorted(gaps, key=lambda gap: (-gap[0], gap[1]))


def extreme(history, edges, choose):
    """Returns the day of a range with the most or the least time, and the time of this day."""
    found = {date: truth.seconds(of) for date, of in truth.days(history, truth.span(history, *edges)).items()}
    date = choose(found, key=found.get)
    return [Date(date), Length(found[date])]


def in_state(history, state, date):
    times = [interval for device in history.devices for interval in truth.states(device, state)]
    return Length(truth.seconds(truth.common([truth.day(history, date)], truth.union(times))))


def tagged(history, edges, chosen):
    return Length(truth.seconds(truth.tagged(history, truth.span(history, *edges), chosen)))


def of_client(client):
    return lambda tag: tag.parts[0] == client


def while_tagged(history, edges, chosen):
    """Returns the active intervals of each use, limited to the time of the chosen tags."""
    within = truth.span(history, *edges)
    times = truth.tagged(history, within, chosen)
    return [
        truth.Part(start, end, part.device, part.use)
        for part in truth.pieces(history, within)
        for start, end in truth.common([(part.start, part.end)], times)
    ]


def names(groups, count):
    return [Name(name) for name in list(groups)[:count]]


def first(history, date):
    return Instant(history.clock.local(truth.pieces(history, truth.day(history, date))[0].start))


def last(history, date):
    return Instant(history.clock.local(max(part.end for part in truth.pieces(history, truth.day(history, date)))))


def pauses(history, date):
    """Returns the breaks of a day in order. A break is a gap of at least ten minutes and less than five hours."""
    gaps = [(start, start + length) for length, start in breaks(history, date) if 600 <= length < 5 * 3600]
    return sorted(gaps)


def use(history, date):
    """Returns the first and the last use of a day, and the sum of its breaks."""
    return [first(history, date), last(history, date), Length(truth.seconds(pauses(history, date)))]


def attended(history, *edges):
    """Returns each meeting of a range in order, with the time at the keyboard during the meeting."""
    active = truth.union(interval for device in history.devices for interval in truth.states(device, "active"))
    return [
        fact
        for meeting in held(history, *edges)
        for fact in (Name(meeting.name), Length(truth.seconds(truth.common([(meeting.start, meeting.end)], active))))
    ]


def for_client(history, edges, client=None):
    """Returns the time for one client or for all clients, and the part of this time that is away from the computer."""
    within = truth.span(history, *edges)
    tagged_time = truth.tagged(history, within, of_client(client) if client else lambda tag: True)
    active = truth.union(truth.intervals(truth.pieces(history, within)))
    away = truth.seconds(tagged_time) - truth.seconds(truth.common(tagged_time, active))
    return [Length(truth.seconds(tagged_time)), Length(away)]


def untagged(history, *edges):
    """Returns the active time of a range that has no tag."""
    within = truth.day(history, *edges) if len(edges) == 1 else truth.span(history, *edges)
    active = truth.union(truth.intervals(truth.pieces(history, within)))
    both = truth.common(active, truth.tagged(history, within))
    return Length(truth.seconds(active) - truth.seconds(both))


OCTOBER = ("2026-10-12", "2026-11-02")


@asks("clocks", "How long was I at the computer on Sunday, 25 October 2026?")
def change_day(history):
    return [total(history, "2026-10-25")]


@asks("clocks", "How long was I active between 2 and 3 o'clock on 25 October 2026, when the clocks went back?")
def change_hour(history):
    return [total(history, "2026-10-25T02:00", "2026-10-25T03:00")]


@asks("clocks", "When did I start on Monday, 26 October 2026?")
def change_monday(history):
    return [first(history, "2026-10-26")]


@asks("clocks", "When did I go to bed in the night of the clock change, that is, when was I last active on 25 October 2026?")
def change_bed(history):
    return [last(history, "2026-10-25")]


@asks("clocks", "Which three programs did I use most in the week from 19 October 2026?")
def change_programs(history):
    return names(truth.by(parts(history, "2026-10-19", "2026-10-26"), truth.application), 3)


@asks("clocks", "How many hours did I work in the weeks from 12 and from 19 October 2026?")
def change_weeks(history):
    return [total(history, "2026-10-12", "2026-10-19"), total(history, "2026-10-19", "2026-10-26")]


@asks("clocks", "How much more did I work in the week from 19 October 2026 than in the week before?")
def change_difference(history):
    before, after = change_weeks(history)
    return [Length(after.seconds - before.seconds)]


def by_weekday(history, *edges):
    groups = {}
    for date, of in truth.days(history, truth.span(history, *edges)).items():
        weekday = datetime.date.fromisoformat(date).isoweekday() % 7
        groups[weekday] = groups.get(weekday, 0) + truth.seconds(of)
    return groups


@asks("clocks", "On which weekday did I work most from 12 October to 1 November 2026?")
def change_weekday(history):
    groups = by_weekday(history, *OCTOBER)
    return [Weekday(max(groups, key=groups.get))]


@asks("clocks", "How many hours did I work on Mondays from 12 October to 1 November 2026, all together?")
def change_mondays(history):
    return [Length(by_weekday(history, *OCTOBER)[1])]


@asks("clocks", "What was my longest stretch with one program on Wednesday, 21 October 2026: which, from when, how long?")
def change_stretch(history):
    longest = max(truth.segments(parts(history, "2026-10-21")), key=lambda of: truth.seconds(truth.intervals(of)))
    return [Name(truth.application(longest[0])), shown(history, longest[0].start), seconds(longest)]


@asks("clocks", "How long was I on github.com in the week from 19 October 2026?")
def change_site(history):
    return [Length(truth.by(parts(history, "2026-10-19", "2026-10-26"), truth.site)["github.com"])]


@asks("clocks", "Which was my busiest day from 12 October to 1 November 2026, and how long did I work on it?")
def change_busiest(history):
    return extreme(history, OCTOBER, max)


WEEK = ("2026-11-09", "2026-11-16")


@asks("devices", "How long was I at a computer on Tuesday, 10 November 2026, whichever it was?")
def devices_day(history):
    return [total(history, "2026-11-10")]


@asks("devices", "How long did I work on the laptop on Tuesday, 10 November 2026?")
def devices_laptop(history):
    return [total(history, "2026-11-10", device="LAPTOP")]


@asks("devices", "Which of my two devices did I use more in the week from 9 November 2026, and for how long?")
def devices_more(history):
    used = {device.name: total(history, *WEEK, device=device.name) for device in history.devices}
    most = max(used, key=lambda name: used[name].seconds)
    return [Name(most), used[most]]


@asks("devices", "For how long did I use both devices at the same time on Wednesday, 11 November 2026?")
def devices_both(history):
    used = [truth.union(truth.intervals(parts(history, "2026-11-11", device=device.name))) for device in history.devices]
    return [Length(truth.seconds(truth.common(*used)))]


@asks("devices", "Which program did I use most on the laptop in the week from 9 November 2026?")
def devices_program(history):
    return names(truth.by(parts(history, *WEEK, device="LAPTOP"), truth.application), 1)


@asks("devices", "How many hours did I work in the week from 9 November 2026, over both devices?")
def devices_week(history):
    return [total(history, *WEEK)]


@asks("devices", "When did I start on Thursday, 12 November 2026, and on which device?")
def devices_first(history):
    return [first(history, "2026-11-12"), Name(parts(history, "2026-11-12")[0].device)]


@asks("devices", "How long did I use Visual Studio Code in the week from 9 November 2026, over both devices?")
def devices_editor(history):
    return [Length(truth.by(parts(history, *WEEK), truth.application)["Visual Studio Code"])]


@asks("devices", "Which three websites did I spend most time on in the week from 9 November 2026?")
def devices_sites(history):
    return names(truth.by(parts(history, *WEEK), truth.site), 3)


@asks("devices", "Did I work in the evening of Thursday, 12 November 2026? How long after 18:00?")
def devices_evening(history):
    return [total(history, "2026-11-12T18:00", "2026-11-13T00:00")]


@asks("devices", "How long did I work on the weekend of 14 and 15 November 2026?")
def devices_weekend(history):
    return [total(history, "2026-11-14", "2026-11-16")]


@asks("devices", "At which hour of the day was I most active in the week from 9 November 2026?")
def devices_hour(history):
    hours = {}
    for start, end in truth.cut(parts(history, *WEEK), history.clock.next_hour):
        hours.setdefault(history.clock.local(start).hour, []).append((start, end))
    return [Count(max(hours, key=lambda hour: truth.seconds(hours[hour])))]


TALKS = ("2026-09-07", "2026-09-14")


def held(history, *edges):
    start, end = truth.span(history, *edges)
    return [meeting for meeting in history.meetings if start <= meeting.start < end]


@asks("meetings", "How many meetings did I have in the week from 7 September 2026?")
def meetings_count(history):
    return [Count(len(held(history, *TALKS)))]


@asks("meetings", "Which was the longest meeting in my calendar in the week from 7 September 2026, and how long was it?")
def meetings_longest(history):
    longest = max(held(history, *TALKS), key=lambda meeting: meeting.end - meeting.start)
    return [Name(longest.name), Length(longest.end - longest.start)]


@asks("meetings", "How many hours of meetings did my calendar have in the week from 7 September 2026?")
def meetings_hours(history):
    return [Length(truth.seconds((meeting.start, meeting.end) for meeting in held(history, *TALKS)))]


@asks("meetings", "How long was I in Zoom calls in the week from 7 September 2026, counting when I only listened?")
def meetings_calls(history):
    return [Length(truth.by(parts(history, *TALKS), truth.application)["Zoom Meetings"])]


@asks("meetings", "How long did I work on Tuesday, 8 September 2026, calls in which I only listened included?")
def meetings_day(history):
    return [total(history, "2026-09-08")]


@asks("meetings", "What meeting did I have on Thursday, 10 September 2026 at 14:00?")
def meetings_at(history):
    at = history.clock.utc("2026-09-10T14:00")
    return [Name(meeting.name) for meeting in history.meetings if meeting.start <= at < meeting.end]


@asks("meetings", "When does the review on Friday, 11 September 2026 begin by my calendar?")
def meetings_begin(history):
    return [shown(history, meeting.start) for meeting in held(history, "2026-09-11", "2026-09-12") if meeting.name == "Review"]


@asks("meetings", "Which document did I work on most in the week from 7 September 2026, and for how long?")
def meetings_document(history):
    files = truth.by(parts(history, *TALKS), truth.file)
    return [*names(files, 1), Length(next(iter(files.values())))]


@asks("meetings", "How long did I work on Rate card.xlsx in the week from 14 September 2026?")
def meetings_card(history):
    return [Length(truth.by(parts(history, "2026-09-14", "2026-09-21"), truth.file)["Rate card.xlsx"])]


@asks("meetings", "Which program did I have open most in the hour before the planning on Tuesday, 8 September 2026, 13 to 14?")
def meetings_before(history):
    return names(truth.by(parts(history, "2026-09-08T13:00", "2026-09-08T14:00"), truth.application), 1)


@asks("meetings", "How long did I only listen to calls on Thursday, 10 September 2026, without touching the keyboard?")
def meetings_listened(history):
    device = history.devices[0]
    calls = truth.union((use.start, use.end) for use in device.uses if use.app == history.calls)
    listened = truth.common(truth.states(device, "away"), calls)
    return [Length(truth.seconds(truth.common([truth.day(history, "2026-09-10")], listened)))]


@asks("meetings", "How long was I in Outlook on Friday, 11 September 2026?")
def meetings_mail(history):
    return [Length(truth.by(parts(history, "2026-09-11"), truth.application)["Microsoft Outlook"])]


@asks("meetings", "Which meetings did I have in the week from 7 September 2026, and how long was I at the keyboard in each?")
def meetings_each(history):
    return attended(history, *TALKS)


@asks("meetings", "How long was I away from the keyboard during meetings in the week from 7 September 2026?")
def meetings_absent(history):
    planned = truth.union((meeting.start, meeting.end) for meeting in held(history, *TALKS))
    active = truth.states(history.devices[0], "active")
    return [Length(truth.seconds(planned) - truth.seconds(truth.common(planned, active)))]


SECOND_WEEK = ("2026-06-08", "2026-06-15")
JUNE = ("2026-06-01", "2026-06-20")


@asks("tags", "How many hours did I tag with Northwind, Billing in the week from 8 June 2026?")
def tags_list(history):
    return [tagged(history, SECOND_WEEK, lambda tag: tag.name == "Northwind, Billing")]


@asks("tags", "How many hours did I tag for the client Northwind from 1 to 19 June 2026, all projects together?")
def tags_client(history):
    return [tagged(history, JUNE, of_client("Northwind"))]


@asks("tags", "For which client did I tag the most time from 1 to 19 June 2026?")
def tags_most(history):
    clients = {tag.parts[0] for tag in history.tags}
    return [Name(max(clients, key=lambda client: tagged(history, JUNE, of_client(client)).seconds))]


@asks("tags", "How much of my time at the computer on Thursday, 11 June 2026 is not tagged?")
def tags_untagged(history):
    return [untagged(history, "2026-06-11")]


@asks("tags", "Which tags did I use on Tuesday, 9 June 2026, in the order of the day?")
def tags_day(history):
    start, end = truth.day(history, "2026-06-09")
    return [Name(tag.name) for tag in history.tags if start <= tag.start < end]


@asks("tags", "How long was I at the computer for Harbour Foods in the week from 8 June 2026?")
def tags_active(history):
    return [seconds(while_tagged(history, SECOND_WEEK, of_client("Harbour Foods")))]


@asks("tags", "How many billable hours did I tag in the week from 8 June 2026?")
def tags_billable(history):
    return [tagged(history, SECOND_WEEK, lambda tag: tag.billable)]


@asks("tags", "What did I note about the meeting with Harbour Foods on Wednesday, 10 June 2026?")
def tags_note(history):
    start, end = truth.day(history, "2026-06-10")
    return [Name(tag.notes) for tag in history.tags if start <= tag.start < end and tag.notes]


@asks("tags", "When did I begin to work for Lindqvist for the first time in June 2026?")
def tags_first(history):
    return [shown(history, min(tag.start for tag in history.tags if tag.parts[0] == "Lindqvist"))]


@asks("tags", "Which program did I use most for Northwind from 1 to 19 June 2026?")
def tags_program(history):
    return names(truth.by(while_tagged(history, JUNE, of_client("Northwind")), truth.application), 1)


@asks("tags", "On how many days did I tag something for Harbour Foods from 1 to 19 June 2026?")
def tags_days(history):
    begun = {history.clock.local(tag.start).date() for tag in history.tags if of_client("Harbour Foods")(tag)}
    return [Count(len(begun))]


@asks("tags", "How long did I tag while I was away from the computer on Wednesday, 10 June 2026?")
def tags_away(history):
    within = truth.day(history, "2026-06-10")
    tagged_time = truth.tagged(history, within)
    active = truth.union(truth.intervals(truth.pieces(history, within)))
    return [Length(truth.seconds(tagged_time) - truth.seconds(truth.common(tagged_time, active)))]


@asks("tags", "How many hours did I work for each client in the week from 8 June 2026, and how many of them away?")
def tags_clients(history):
    clients = ("Northwind", "Harbour Foods", "Lindqvist")
    return [fact for client in clients for fact in for_client(history, SECOND_WEEK, client)]


@asks("tags", "How many client hours did I have in the week from 8 June 2026, all clients together?")
def tags_week(history):
    return for_client(history, SECOND_WEEK)


@asks("tags", "How many hours was I with clients, away from the computer, on Wednesday, 10 June 2026?")
def tags_visit(history):
    return for_client(history, ("2026-06-10", "2026-06-11"))[1:]


DECEMBER = ("2025-12-01", "2026-01-01")


@asks("gaps", "How long was I away from the computer on Tuesday, 9 December 2025, while it was on and not locked?")
def gaps_away(history):
    return [in_state(history, "away", "2025-12-09")]


@asks("gaps", "When was my longest break on Wednesday, 10 December 2025, and how long was it?")
def gaps_break(history):
    length, start = breaks(history, "2025-12-10")[0]
    return [shown(history, start), Length(length)]


@asks("gaps", "On how many days did I use the computer in December 2025?")
def gaps_days(history):
    return [Count(len(truth.days(history, truth.span(history, *DECEMBER))))]


@asks("gaps", "Which was the first day of 2026 on which I worked?")
def gaps_first(history):
    return [Date(next(iter(truth.days(history, truth.span(history, "2026-01-01", "2026-02-01")))))]


@asks("gaps", "How long did I work on average on a day with work in December 2025?")
def gaps_average(history):
    found = truth.days(history, truth.span(history, *DECEMBER))
    return [Length(sum(map(truth.seconds, found.values())) / len(found))]


@asks("gaps", "On which day in December 2025 did I work least, days off aside, and how long?")
def gaps_least(history):
    return extreme(history, DECEMBER, min)


@asks("gaps", "How many hours did I work in December 2025?")
def gaps_month(history):
    return [total(history, *DECEMBER)]


@asks("gaps", "How many hours did I work in the week over the turn of the year, 29 December 2025 to 4 January 2026?")
def gaps_turn(history):
    return [total(history, "2025-12-29", "2026-01-05")]


@asks("gaps", "On how many evenings did I work after 19:00 from 8 December 2025 to 16 January 2026?")
def gaps_evenings(history):
    hours = truth.cut(parts(history, "2025-12-08", "2026-01-17"), history.clock.next_hour)
    shown = [history.clock.local(start) for start, _ in hours]
    return [Count(len({at.date() for at in shown if at.hour >= 19}))]


@asks("gaps", "How many hours did I work on each weekday, Monday to Friday, from 5 to 16 January 2026?")
def gaps_weekdays(history):
    groups = by_weekday(history, "2026-01-05", "2026-01-17")
    return [Length(groups[weekday]) for weekday in range(1, 6)]


@asks("gaps", "How long was I at the computer on Christmas Eve, 24 December 2025?")
def gaps_christmas(history):
    return [total(history, "2025-12-24")]


@asks("gaps", "When was the computer switched off in the evening of Friday, 12 December 2025?")
def gaps_off(history):
    start, end = truth.day(history, "2025-12-12")
    offs = [usage.start for usage in history.devices[0].usage if usage.state == "off" and start <= usage.start < end]
    return [shown(history, max(offs))]


@asks("gaps", "When did I start and stop on Tuesday, 9 December 2025, and how long were my breaks?")
def gaps_presence(history):
    return use(history, "2025-12-09")


@asks("gaps", "Which breaks did I take on Thursday, 11 December 2025, each from when and how long?")
def gaps_breaks(history):
    return [
        fact
        for start, end in pauses(history, "2025-12-11")
        for fact in (shown(history, start), Length(end - start))
    ]


@asks("gaps", "Which was my longest break in the week from 8 December 2025: when did it begin, and how long was it?")
def gaps_longest(history):
    week = [f"2025-12-{day:02}" for day in range(8, 15)]
    start, end = max((gap for date in week for gap in pauses(history, date)), key=lambda gap: gap[1] - gap[0])
    return [shown(history, start), Length(end - start)]


# The questions that people ask most. They are asked on Thursday, 19 March 2026.
YESTERDAY, LAST_WEEK, MARCH = "2026-03-18", ("2026-03-09", "2026-03-16"), ("2026-03-01", "2026-04-01")
EVER = ("2026-01-01", "2027-01-01")


@asks("everyday", "What did I do yesterday?")
def everyday_yesterday(history):
    """Returns yesterday's total, the most used applications, the time of two clients, and the time away with one of
    these clients.
    """
    whole, clients = (YESTERDAY, "2026-03-19"), ("Northwind", "Harbour Foods")
    applications = names(truth.by(parts(history, YESTERDAY), truth.application), 3)
    times = [fact for client in clients for fact in for_client(history, whole, client)]
    visit = [tag for tag in history.tags if tag.name == "Harbour Foods, Meetings"][-1]
    return [total(history, YESTERDAY), *applications, *times, shown(history, visit.start)]


@asks("everyday", "Hours per client last week")
def everyday_clients(history):
    clients = ("Northwind", "Harbour Foods", "Lindqvist", "Internal")
    return [fact for client in clients for fact in for_client(history, LAST_WEEK, client)]


@asks("everyday", "Which day of this month was the longest, and how long?")
def everyday_longest(history):
    return extreme(history, MARCH, max)


@asks("everyday", "When did I start and stop yesterday?")
def everyday_ends(history):
    return use(history, YESTERDAY)[:2]


@asks("everyday", "What was I reading before I changed rounding.rs?")
def everyday_reading(history):
    """Returns the time at which the last work on the file began, and the last site that was used before this time. A
    pause of more than 15 minutes ends the work.
    """
    everything = parts(history, *EVER)
    changed = [part for part in everything if truth.file(part) == "rounding.rs"]
    begun = [now.start for before, now in zip(changed, changed[1:], strict=False) if now.start - before.end > 900][-1]
    sites = [truth.site(part) for part in everything if part.start < begun and truth.site(part)]
    return [shown(history, begun), Name(sites[-1])]


@asks("everyday", "Which meetings did I have last week, and was I at the keyboard?")
def everyday_meetings(history):
    return attended(history, *LAST_WEEK)


@asks("everyday", "How much time on GitHub?")
def everyday_site(history):
    return [Length(truth.by(parts(history, *EVER), truth.site)["github.com"])]


@asks("everyday", "This week against last week, same days")
def everyday_weeks(history):
    return [total(history, "2026-03-16", "2026-03-19"), total(history, "2026-03-09", "2026-03-12")]


@asks("everyday", "Draft my timesheet for last week")
def everyday_draft(history):
    """Returns the time to log on a Wednesday, and each row of its draft."""
    day = ("2026-03-11", "2026-03-12")
    tasks = [("Lindqvist", "Case search"), ("Northwind", "Portal"), ("Northwind", "Billing"), ("Harbour Foods", "Meetings")]
    rows = [tagged(history, day, lambda tag, parts=parts: tag.parts == parts) for parts in tasks]
    return [total(history, *LAST_WEEK), for_client(history, LAST_WEEK)[1], *rows, untagged(history, *day)]


@asks("everyday", "What is not logged or not assigned?")
def everyday_open(history):
    """Returns the open time of last week, which is all time because nothing is logged. Time without a tag isn't
    assigned.
    """
    whole = total(history, *LAST_WEEK).seconds + for_client(history, LAST_WEEK)[1].seconds
    return [Length(whole), untagged(history, *LAST_WEEK)]


@asks("everyday", "When did I first use Obsidian?")
def everyday_first(history):
    return [shown(history, next(part.start for part in parts(history, *EVER) if truth.application(part) == "Obsidian"))]


@asks("everyday", "Show me the screen at 14:00 yesterday")
def everyday_screen(history):
    """Returns the time of the nearest screenshot twice: from the list, and with its image."""
    at = history.clock.utc(f"{YESTERDAY}T14:00")
    return [shown(history, min(history.screenshots, key=lambda instant: abs(instant - at)))] * 2


@asks("everyday", "Why was Thursday only 6 h 32?")
def everyday_why(history):
    """Returns the total of a Thursday, its first and last use, the sum of its breaks, and each break."""
    thursday = "2026-03-12"
    gaps = [(shown(history, start), Length(end - start)) for start, end in pauses(history, thursday)]
    return [total(history, thursday), *use(history, thursday), *(fact for gap in gaps for fact in gap)]


@asks("everyday", "What do I do on Fridays?")
def everyday_fridays(history):
    """Returns the time of each client and task on all Fridays, largest first."""
    spent = {}
    for friday in (("2026-03-06", "2026-03-07"), ("2026-03-13", "2026-03-14")):
        for parts in {tag.parts for tag in history.tags}:
            chosen = tagged(history, friday, lambda tag, parts=parts: tag.parts == parts)
            spent[parts] = spent.get(parts, 0) + chosen.seconds
    ranked = sorted(((seconds, parts) for parts, seconds in spent.items() if seconds), reverse=True)
    return [fact for seconds, parts in ranked for fact in (Name(parts[0]), Name(parts[1]), Length(seconds))]


@asks("everyday", "Which files did I work on for Northwind?")
def everyday_files(history):
    files = truth.by(while_tagged(history, MARCH, of_client("Northwind")), truth.file)
    return [fact for name, seconds in files.items() for fact in (Name(name), Length(seconds))]
