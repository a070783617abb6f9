"""Tests the counting with the example of `docs/spec/time.md#segment-example`, and the scoring of answers.

python3 -m unittest discover -s benches/truth
"""

import ast
import types
import unittest

import finding
import questions
import scoring
import truth
from history import App, Clock, Device, History, Meeting, Tag, Usage, Use
from plan import At, plan
from questions import Instant, Length, Name

BERLIN = Clock("Europe/Berlin")
EXAMPLE = [
    ("9:00:00", "9:10:00", "Code"),
    ("9:10:00", "9:10:20", "Slack"),
    ("9:10:20", "9:20:00", "Code"),
    ("9:20:00", "9:30:00", "Chrome"),
    ("9:31:30", "9:40:00", "Chrome"),
    ("9:40:00", "9:41:00", "Code"),
    ("9:41:00", "9:42:00", "Chrome"),
    ("9:45:00", "9:50:00", "Code"),
]
SERVER = types.SimpleNamespace(values=ast.literal_eval, says_cut=lambda values: values.get("cut", False))


def at(time):
    return BERLIN.utc(f"2025-01-15T0{time}")


def used(*rows, active):
    device = Device("STUDIO")
    device.uses = [Use(start, end, App(app.lower(), app), app) for start, end, app in rows]
    device.usage = [Usage("active", *edges) for edges in active]
    return History("example", BERLIN, [device])


class Counting(unittest.TestCase):
    def test_example_of_the_page_has_five_segments(self):
        rows = [(at(start), at(end), app) for start, end, app in EXAMPLE]
        history = used(*rows, active=[(at("9:00:00"), at("9:50:00"))])
        parts = truth.pieces(history, truth.day(history, "2025-01-15"))
        minutes = [truth.seconds(truth.intervals(of)) / 60 for of in truth.segments(parts)]
        self.assertEqual(minutes, [20, 18.5, 1, 1, 5])

    def test_use_while_away_counts_only_the_active_parts(self):
        active = [(at("9:00:00"), at("9:10:00")), (at("9:30:00"), at("9:40:00"))]
        history = used((at("9:05:00"), at("9:35:00"), "Code"), active=active)
        self.assertEqual(truth.total(history, truth.day(history, "2025-01-15")), 600)

    def test_breaks_are_gaps_from_ten_minutes_to_five_hours(self):
        active = [("9:00:00", "9:10:00"), ("9:19:59", "9:30:00"), ("9:40:00", "9:45:00")]
        edges = [(at(start), at(end)) for start, end in active]
        history = used(*((*interval, "Code") for interval in edges), active=edges)
        self.assertEqual(questions.pauses(history, "2025-01-15"), [(at("9:30:00"), at("9:40:00"))])

    def test_client_time_is_tagged_time_and_its_part_without_use(self):
        history = used((at("9:00:00"), at("9:30:00"), "Code"), active=[(at("9:00:00"), at("9:30:00"))])
        history.tags = [Tag(at("9:20:00"), at("9:50:00"), ("Northwind", "Billing"))]
        whole = ("2025-01-15", "2025-01-16")
        self.assertEqual(questions.for_client(history, whole, "Northwind"), [Length(1800), Length(1200)])
        self.assertEqual(questions.untagged(history, *whole), Length(1200))

    def test_time_at_the_keyboard_counts_for_each_meeting(self):
        history = used(active=[(at("9:00:00"), at("9:30:00"))])
        history.meetings = [Meeting("Review", at("9:20:00"), at("9:50:00")), Meeting("Walk", at("9:50:00"), at("9:55:00"))]
        told = questions.attended(history, "2025-01-15", "2025-01-16")
        self.assertEqual(told, [Name("Review"), Length(600), Name("Walk"), Length(0)])

    def test_repeated_hour_counts_as_two(self):
        start, end = truth.span(used(active=[]), "2026-10-25T02:00", "2026-10-25T03:00")
        self.assertEqual(end - start, 7200)


class Reading(unittest.TestCase):
    def outcome(self, text, fact, place):
        return scoring.score(SERVER, [types.SimpleNamespace(text=text, failed=False)], plan(read=place), [fact])[0]

    def test_durations_are_recognized_in_common_formats(self):
        for text in ("7.5 h", "7h 30m", "27000 s", "450 minutes", "7:30", "07:30:00"):
            self.assertEqual(self.outcome(str({"a": text}), Length(27000), At("/a")), "stated", text)

    def test_duration_is_accepted_to_its_written_precision(self):
        self.assertEqual(self.outcome("{'minutes': 450.0}", Length(27003), At("/minutes")), "stated")
        self.assertEqual(self.outcome("{'minutes': 450.0}", Length(27004), At("/minutes")), "wrong")

    def test_missing_value_is_silent_unless_the_answer_says_so(self):
        self.assertEqual(self.outcome("{}", Name("Code"), At("/a")), "incomplete, and doesn't say so")
        self.assertEqual(self.outcome("{'cut': True}", Name("Code"), At("/a")), "incomplete, and says so")
        self.assertEqual(self.outcome("no such table", Name("Code"), At("/a")), "error")

    def test_several_numbers_are_added_up(self):
        rows = "{'rows': [{'minutes': 1.5}, {'minutes': 2.5}]}"
        self.assertEqual(self.outcome(rows, Length(240), At("/rows/*/minutes")), "derivable")
        self.assertEqual(self.outcome(rows, Length(270), At("/rows/*/minutes")), "wrong")

    def test_timestamp_may_be_given_to_the_minute(self):
        local = BERLIN.local(at("9:10:20"))
        self.assertEqual(self.outcome("{'a': '2025-01-15T09:10'}", Instant(local), At("/a")), "stated")
        self.assertEqual(self.outcome("{'a': '2025-01-15 09:10:21'}", Instant(local), At("/a")), "wrong")


class Finding(unittest.TestCase):
    def test_tool_with_rare_words_of_the_question_is_first(self):
        tools = [
            {"name": "get_tags", "description": "Minutes of time"},
            {"name": "get_sites", "description": "Minutes of time"},
        ]
        self.assertEqual(finding.ranked(tools, "How many minutes of time have my sites?")[0], "get_sites")
