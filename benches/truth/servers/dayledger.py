"""dayledger itself: `dayledger serve`."""

import json

from plan import At, plan

NAME = "dayledger"


def command(installed, folder):
    return [installed.program, "serve", "--data-dir", folder]


values = json.loads


def says_cut(value):
    return value.get("truncation", {}).get("truncated", False)


def period(start, end, **more):
    return "get_period_summary", {"startDate": start, "endDate": end, **more}


PLANS = {
    "change_day": plan(
        ("get_daily_summary", {"date": "2026-10-25", "includeSegments": False}),
        read=At("/totalActiveMinutes"),
    ),
    "change_hour": plan(
        ("get_activity_narrative", {"startDate": "2026-10-25T02:00", "endDate": "2026-10-25T03:00", "detail": "blocks"}),
        read=At("/totalActiveMinutes"),
    ),
    "change_monday": plan(
        ("get_period_summary", {"startDate": "2026-10-26"}),
        read=At("/days/0/firstActivity"),
    ),
    "change_programs": plan(
        ("get_period_summary", {"startDate": "2026-10-19", "endDate": "2026-10-26"}),
        read=[At(f"/aggregate/topApps/{place}/name") for place in range(3)],
    ),
    "change_weeks": plan(
        period("2026-10-12", "2026-10-19", compareTo="2026-W43"),
        read=[At("/totalActiveMinutes"), At("/comparison/totalActiveMinutes")],
    ),
}
