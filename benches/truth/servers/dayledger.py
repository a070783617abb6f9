"""dayledger itself: `dayledger serve`."""

import json

from plan import At, plan

NAME = "dayledger"
MODEL = ("describe_model", {})


def program(dayledger, _kept, _packages):
    return dayledger


def command(program, folder, history):
    """Returns the command that starts the server. Timesheet tools are off by default, so they are enabled for a
    history with projects.
    """
    toolsets = ["--toolsets", "activity,screenshots,sql,timesheet"] if history.projects else []
    return [program, "serve", "--data-dir", folder, *toolsets]


values = json.loads


def says_cut(value):
    return value.get("truncation", {}).get("truncated", False)


def period(start, end=None, **more):
    return "get_period_summary", {"startDate": start, **({"endDate": end} if end else {}), **more}


def daily(date, **more):
    return "get_daily_summary", {"date": date, "includeSegments": False, **more}


def usage(what, start, end=None, **more):
    """Returns a call for the active minutes of each name."""
    return f"get_{what}_usage", {"startDate": start, **({"endDate": end} if end else {}), "timeBasis": "active", **more}


def of(name):
    return "describe_model", {"name": name}


def tagged(start, end=None, **more):
    """Returns a call for the minutes of each tag."""
    return "get_tags", {"startDate": start, **({"endDate": end} if end else {}), "includeIntervals": False, **more}


def query(sql):
    return "query", {"sql": " ".join(sql.split())}


def clients(pointer, *names):
    """Returns the positions of each client's time, and of the part of this time that is away from the computer."""
    fields = ("clientMinutes", "awayMinutes")
    return [At(f"{pointer}/topClients/name={name}/{field}") for name in names for field in fields]


def rows(count, *columns):
    """Returns the positions of columns of a query's rows. The last column is a number of seconds."""
    units = [None] * (len(columns) - 1) + ["seconds"]
    return [At(f"/rows/{row}/{column}", unit) for row in range(count) for column, unit in zip(columns, units, strict=True)]


def breaks(count):
    """Returns the positions of the start and the length of the day's first intervals away from the computer."""
    return [At(f"/presence/away/{at}/{field}") for at in range(count) for field in ("start", "durationMinutes")]


PRESENCE = [At(f"/presence/{field}") for field in ("firstUse", "lastUse", "breakMinutes")]
TOTAL = At("/totalActiveMinutes")
OCTOBER = ("2026-10-12", "2026-11-02")
JUNE = ("2026-06-01", "2026-06-20")
MEETINGS = "FROM meetings WHERE start_local >= '2026-09-07' AND start_local < '2026-09-14'"

# The time at the keyboard during each meeting that begins in a range.
ATTENDED = """SELECT m.start_local, m.meeting, coalesce(union_seconds(greatest(m.start_utc, a.start_utc),
    least(m.end_utc, a.end_utc)) FILTER (WHERE a.seconds > 0), 0) AS seconds
    FROM meetings m LEFT JOIN active_intervals a ON a.start_utc < m.end_utc AND a.end_utc > m.start_utc
    WHERE m.start_local >= '{}' AND m.start_local < '{}' GROUP BY m.start_local, m.meeting ORDER BY m.start_local"""
YESTERDAY, LAST_WEEK, MARCH = "2026-03-18", "2026-W11", "2026-03"
AROUND_TWO = {"startDate": "2026-03-18T13:55", "endDate": "2026-03-18T14:05"}

PLANS = {
    "change_day": plan(daily("2026-10-25"), read=TOTAL),
    "change_hour": plan(
        ("get_activity_narrative", {"startDate": "2026-10-25T02:00", "endDate": "2026-10-25T03:00", "detail": "blocks"}),
        read=TOTAL,
    ),
    "change_monday": plan(daily("2026-10-26"), read=At("/presence/firstUse")),
    "change_bed": plan(daily("2026-10-25"), read=At("/presence/lastUse")),
    "change_programs": plan(period("2026-W43"), read=[At(f"/aggregate/topApps/{place}/name") for place in range(3)]),
    "change_weeks": plan(period("2026-W42", compareTo="2026-W43"), read=[TOTAL, At("/comparison/totalActiveMinutes")]),
    "change_difference": plan(
        period("2026-W43", compareTo="previous"),
        read=At("/totalActiveMinutes", minus=At("/comparison/totalActiveMinutes")),
    ),
    "change_weekday": plan(period(*OCTOBER), read=At("/patterns/dayOfWeekDistribution/most:totalMinutes/dayOfWeek")),
    "change_mondays": plan(period(*OCTOBER), read=At("/patterns/dayOfWeekDistribution/dayOfWeek=1/totalMinutes")),
    "change_stretch": plan(
        ("get_activity_narrative", {"startDate": "2026-10-21", "minDurationMinutes": 8}),
        read=[At(f"/segments/most:durationMinutes/{field}") for field in ("application", "start", "durationMinutes")],
    ),
    "change_site": plan(
        usage("website", "2026-W43", includeBreakdown=False),
        read=At("/websites/name=github.com/totalMinutes"),
    ),
    "change_busiest": plan(
        period(*OCTOBER),
        read=[At("/aggregate/busiestDay"), At("/days/date=2026-10-12/totalActiveMinutes")],
    ),
    "devices_day": plan(daily("2026-11-10"), read=TOTAL),
    "devices_laptop": plan(("get_timelines", {}), daily("2026-11-10", device="LAPTOP"), read=TOTAL),
    "devices_more": plan(
        MODEL,
        query("""SELECT device, union_seconds(start_utc, end_utc) AS seconds FROM pieces('2026-11-09', '2026-11-16')
            GROUP BY device ORDER BY seconds DESC"""),
        read=[At("/rows/0/0"), At("/rows/0/1", "seconds")],
    ),
    "devices_both": plan(
        MODEL,
        query("""SELECT sum(overlap_seconds(a.start_utc, a.end_utc, b.start_utc, b.end_utc)) AS seconds
            FROM active_intervals a JOIN active_intervals b ON a.device < b.device
            WHERE a.start_local >= '2026-11-11' AND a.start_local < '2026-11-12'
            AND b.start_local >= '2026-11-11' AND b.start_local < '2026-11-12'"""),
        read=At("/rows/0/0", "seconds"),
    ),
    "devices_program": plan(
        ("get_timelines", {}),
        period("2026-W46", device="LAPTOP"),
        read=At("/aggregate/topApps/0/name"),
    ),
    "devices_week": plan(period("2026-W46"), read=TOTAL),
    "devices_first": plan(
        ("get_activity_narrative", {"startDate": "2026-11-12", "maxSegments": 1}),
        read=[At("/segments/0/start"), At("/segments/0/device")],
    ),
    "devices_editor": plan(
        usage("application", "2026-W46"),
        read=At("/usage/name=Visual Studio Code/totalMinutes"),
    ),
    "devices_sites": plan(
        usage("website", "2026-W46", includeBreakdown=False, limit=3),
        read=[At(f"/websites/{place}/name") for place in range(3)],
    ),
    "devices_evening": plan(
        ("get_activity_narrative", {"startDate": "2026-11-12T18:00", "endDate": "2026-11-13", "detail": "blocks"}),
        read=TOTAL,
    ),
    "devices_weekend": plan(period("2026-11-14", "2026-11-16"), read=TOTAL),
    "devices_hour": plan(
        MODEL,
        of("split_hours"),
        query("""SELECT date_part('hour', part['start_local']) AS hour,
            union_seconds(part['start_utc'], part['end_utc']) AS seconds
            FROM (SELECT unnest(split_hours(start_local, start_utc, end_local, end_utc)) AS part
            FROM pieces('2026-11-09', '2026-11-16')) GROUP BY hour ORDER BY seconds DESC LIMIT 1"""),
        read=At("/rows/0/0"),
    ),
    "meetings_count": plan(MODEL, query(f"SELECT count(*) {MEETINGS}"), read=At("/rows/0/0")),
    "meetings_longest": plan(
        MODEL,
        query(f"SELECT meeting, seconds {MEETINGS} ORDER BY seconds DESC LIMIT 1"),
        read=[At("/rows/0/0"), At("/rows/0/1", "seconds")],
    ),
    "meetings_hours": plan(
        MODEL,
        query(f"SELECT union_seconds(start_utc, end_utc) {MEETINGS}"),
        read=At("/rows/0/0", "seconds"),
    ),
    "meetings_calls": plan(usage("application", "2026-W37"), read=At("/usage/name=Zoom Meetings/totalMinutes")),
    "meetings_day": plan(daily("2026-09-08"), read=TOTAL),
    "meetings_at": plan(
        ("get_activity_narrative", {"startDate": "2026-09-10T14:00", "endDate": "2026-09-10T14:10", "detail": "blocks"}),
        read=At("/segments/0/meetings/0"),
    ),
    "meetings_begin": plan(
        MODEL,
        query("""SELECT start_local FROM meetings WHERE start_local >= '2026-09-11' AND start_local < '2026-09-12'
            AND meeting ILIKE '%review%'"""),
        read=At("/rows/0/0"),
    ),
    "meetings_document": plan(
        usage("document", "2026-W37", limit=3),
        read=[At("/usage/0/name"), At("/usage/0/totalMinutes")],
    ),
    "meetings_card": plan(period("2026-W38", filter={"document": "Rate card.xlsx"}), read=At("/matchingMinutes")),
    "meetings_before": plan(
        (
            "get_activity_narrative",
            {
                "startDate": "2026-09-08T13:00",
                "endDate": "2026-09-08T14:00",
                "detail": "blocks",
                "includeSummary": True,
            },
        ),
        read=At("/topApplications/0/name"),
    ),
    "meetings_listened": plan(
        MODEL,
        of("why"),
        query("SELECT sum(call_seconds) FROM why('2026-09-10')"),
        read=At("/rows/0/0", "seconds"),
    ),
    "meetings_mail": plan(usage("application", "2026-09-11"), read=At("/usage/name=Microsoft Outlook/totalMinutes")),
    "meetings_each": plan(MODEL, query(ATTENDED.format("2026-09-07", "2026-09-14")), read=rows(9, 1, 2)),
    "meetings_absent": plan(
        MODEL,
        query("""SELECT (SELECT union_seconds(start_utc, end_utc) FROM meetings
            WHERE start_local >= '2026-09-07' AND start_local < '2026-09-14')
            - union_seconds(greatest(m.start_utc, a.start_utc), least(m.end_utc, a.end_utc))
            FROM meetings m JOIN active_intervals a ON a.start_utc < m.end_utc AND a.end_utc > m.start_utc
            WHERE m.start_local >= '2026-09-07' AND m.start_local < '2026-09-14'"""),
        read=At("/rows/0/0", "seconds"),
    ),
    "tags_list": plan(
        tagged("2026-W24", filter={"tag": "Northwind, Billing"}),
        read=At("/totals/name=Northwind, Billing/totalMinutes"),
    ),
    "tags_client": plan(tagged(*JUNE, filter={"tag": "Northwind"}), read=At("/totalMinutes")),
    "tags_most": plan(tagged(*JUNE), read=At("/groups/0/name")),
    "tags_untagged": plan(tagged("2026-06-11"), read=At("/untaggedMinutes")),
    "tags_day": plan(
        ("get_tags", {"startDate": "2026-06-09"}),
        read=[At(f"/tags/{place}/name") for place in range(3)],
    ),
    "tags_active": plan(period("2026-W24", filter={"tag": "Harbour Foods"}), read=At("/matchingMinutes")),
    "tags_billable": plan(
        MODEL,
        query("SELECT union_seconds(start_utc, end_utc) FROM tags_in('2026-W24') WHERE is_billable"),
        read=At("/rows/0/0", "seconds"),
    ),
    "tags_note": plan(
        ("get_tags", {"startDate": "2026-06-10"}),
        read=At("/tags/name=Harbour Foods, Meetings/notes"),
    ),
    "tags_first": plan(("get_tags", {"startDate": "2026-06", "filter": {"tag": "Lindqvist"}}), read=At("/tags/0/start")),
    "tags_program": plan(usage("application", *JUNE, filter={"tag": "Northwind"}), read=At("/usage/0/name")),
    "tags_days": plan(
        MODEL,
        query("""SELECT count(DISTINCT date_trunc('day', start_local)) FROM tags_in('2026-06-01', '2026-06-20')
            WHERE tag LIKE 'Harbour Foods%'"""),
        read=At("/rows/0/0"),
    ),
    "tags_away": plan(tagged("2026-06-10"), read=At("/awayMinutes")),
    "tags_clients": plan(period("2026-W24"), read=clients("/aggregate", "Northwind", "Harbour Foods", "Lindqvist")),
    "tags_week": plan(period("2026-W24"), read=[At("/aggregate/clientMinutes"), At("/aggregate/awayMinutes")]),
    "tags_visit": plan(daily("2026-06-10"), read=At("/awayMinutes")),
    "gaps_away": plan(
        ("get_computer_usage", {"startDate": "2025-12-09", "includeIntervals": False}),
        read=At("/totals/away", "minutes"),
    ),
    "gaps_break": plan(
        MODEL,
        query("""SELECT end_local, next - end_utc AS length FROM (SELECT end_local, end_utc,
            lead(start_utc) OVER (ORDER BY start_utc) AS next FROM active_intervals
            WHERE start_local >= '2025-12-10' AND start_local < '2025-12-11') ORDER BY length DESC NULLS LAST LIMIT 1"""),
        read=[At("/rows/0/0"), At("/rows/0/1")],
    ),
    "gaps_days": plan(period("2025-12"), read=At("/truncation/totalAvailable")),
    "gaps_first": plan(period("2026-01"), read=At("/days/0/date")),
    "gaps_average": plan(period("2025-12"), read=At("/aggregate/avgDailyMinutes")),
    "gaps_least": plan(
        period("2025-12"),
        read=[At("/aggregate/quietestDay"), At("/days/date=2025-12-08/totalActiveMinutes")],
    ),
    "gaps_month": plan(period("2025-12"), read=TOTAL),
    "gaps_turn": plan(period("2025-12-29", "2026-01-05"), read=TOTAL),
    "gaps_evenings": plan(
        MODEL,
        query("""SELECT count(DISTINCT date_trunc('day', start_local)) FROM pieces('2025-12-08', '2026-01-17')
            WHERE date_part('hour', end_local) >= 19"""),
        read=At("/rows/0/0"),
    ),
    "gaps_weekdays": plan(
        period("2026-01-05", "2026-01-17"),
        read=[At(f"/patterns/dayOfWeekDistribution/dayOfWeek={weekday}/totalMinutes") for weekday in range(1, 6)],
    ),
    "gaps_christmas": plan(daily("2025-12-24"), read=TOTAL),
    "gaps_off": plan(("get_computer_usage", {"startDate": "2025-12-12"}), read=At("/intervals/-/start")),
    "gaps_presence": plan(daily("2025-12-09"), read=PRESENCE),
    "gaps_breaks": plan(("get_daily_summary", {"date": "2025-12-11"}), read=breaks(5)),
    "gaps_longest": plan(
        MODEL,
        query("""SELECT start_local, seconds FROM away_intervals('2025-W50') WHERE is_break ORDER BY seconds DESC LIMIT 1"""),
        read=rows(1, 0, 1),
    ),
    "everyday_yesterday": plan(
        ("get_daily_summary", {"date": YESTERDAY}),
        read=[
            TOTAL,
            *(At(f"/topApplications/{place}/name") for place in range(3)),
            *clients("", "Northwind", "Harbour Foods"),
            At("/presence/away/0/start"),
        ],
    ),
    "everyday_clients": plan(
        period(LAST_WEEK),
        read=clients("/aggregate", "Northwind", "Harbour Foods", "Lindqvist", "Internal"),
    ),
    "everyday_longest": plan(
        period(MARCH),
        read=[At("/aggregate/busiestDay"), At("/days/date=2026-03-02/totalActiveMinutes")],
    ),
    "everyday_ends": plan(daily(YESTERDAY), read=PRESENCE[:2]),
    "everyday_reading": plan(
        ("find_activity", {"words": "rounding.rs", "limit": 1}),
        ("get_activity_narrative", {"startDate": "2026-03-16T10:12", "endDate": "2026-03-16T10:42:51"}),
        read=[At("/matches/0/start", call=0), At("/segments/4/website")],
    ),
    "everyday_meetings": plan(MODEL, query(ATTENDED.format("2026-03-09", "2026-03-16")), read=rows(8, 1, 2)),
    "everyday_site": plan(("find_activity", {"words": "github", "limit": 5}), read=At("/totalMinutes")),
    "everyday_weeks": plan(
        period("2026-03-16", "2026-03-19"),
        period("2026-03-09", "2026-03-12"),
        read=[At("/totalActiveMinutes", call=0), TOTAL],
    ),
    "everyday_draft": plan(
        ("suggest_time_entries", {"startDate": LAST_WEEK}),
        read=[
            At("/activeMinutes"),
            At("/awayMinutes"),
            *(
                At(f"/days/day=2026-03-11/rows/task={task}/minutes")
                for task in ("Case search", "Portal", "Billing", "Meetings", None)
            ),
        ],
    ),
    "everyday_open": plan(
        MODEL,
        query(f"""SELECT union_seconds(start_utc, end_utc) AS not_logged,
            union_seconds(start_utc, end_utc) FILTER (WHERE project_code IS NULL) AS not_assigned
            FROM unlogged('{LAST_WEEK}')"""),
        read=[At("/rows/0/0", "seconds"), At("/rows/0/1", "seconds")],
    ),
    "everyday_first": plan(("find_activity", {"words": "obsidian", "limit": 1}), read=At("/first")),
    "everyday_screen": plan(
        ("list_screenshots", AROUND_TWO),
        ("get_screenshot", {"screenshotRef": "sCwMhimthwIAEAAUBmY0C"}),
        read=[At("/screenshots/0/displayLocalTime", call=0), At("/displayLocalTime")],
    ),
    "everyday_why": plan(("get_daily_summary", {"date": "2026-03-12"}), read=[TOTAL, *PRESENCE, *breaks(3)]),
    "everyday_fridays": plan(
        MODEL,
        query(f"""SELECT client, task, union_seconds(start_utc, end_utc) AS seconds FROM client_time('{MARCH}')
            WHERE date_part('dow', day) = 5 GROUP BY client, task ORDER BY seconds DESC"""),
        read=rows(5, 0, 1, 2),
    ),
    "everyday_files": plan(
        period(MARCH, filter={"project": "Northwind"}),
        read=[At(f"/aggregate/topDocuments/{place}/{field}") for place in range(3) for field in ("name", "totalMinutes")],
    ),
}
