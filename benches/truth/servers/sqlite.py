"""A plain SQLite server, `mcp-server-sqlite`, on ManicTime's own file.

The server only accepts statements that begin with SELECT. A client first reads the list of tables, the columns of two
tables and the timelines. These calls are part of every plan. The statements measure durations in UTC and select by
local time. They clip rows to the time in which the user was present, and count simultaneous time on two devices once,
as the columns suggest.
"""
import ast

import installation
from plan import At, plan

NAME = "SQLite"
LOOK = (
    ("list_tables", {}),
    ("describe_table", {"table_name": "Ar_Activity"}),
    ("describe_table", {"table_name": "Ar_Group"}),
    ("read_query", {"query": "SELECT ReportId, SchemaName, EnvironmentId FROM Ar_Timeline"}),
)
LOOK_AT_DEVICES = (
    *LOOK[:3],
    (
        "read_query",
        {
            "query": "SELECT t.ReportId, t.SchemaName, e.DeviceDisplayName FROM Ar_Timeline t "
            "JOIN Ar_Environment e ON e.EnvironmentId = t.EnvironmentId"
        },
    ),
)
LOOK_AT_STATES = (*LOOK[:2], LOOK[3], ("read_query", {"query": "SELECT DISTINCT Name FROM Ar_Activity WHERE ReportId = 1"}))
LOOK_AT_CALLS = (
    *LOOK_AT_STATES[:3],
    ("read_query", {"query": "SELECT DISTINCT Name FROM Ar_Activity WHERE ReportId = 1 OR Name LIKE '%Zoom%'"}),
)
LOOK_AT_HOURS = (
    LOOK[0],
    ("describe_table", {"table_name": "Ar_ComputerUsageByDay"}),
    ("describe_table", {"table_name": "Ar_CommonGroup"}),
    ("read_query", {"query": "SELECT CommonId, Name FROM Ar_CommonGroup WHERE ReportGroupType = 4"}),
)


def program(_dayledger, kept, packages):
    interpreter = installation.python(kept, "sqlite", packages)
    return installation.program(interpreter.parent.parent, "mcp-server-sqlite")


def command(program, folder, _history):
    return [program, "--db-path", folder / "ManicTimeReports.db"]


values = ast.literal_eval


def says_cut(_):
    """Returns False, because this server never truncates an answer."""
    return False


def asked(sql, *, read, look=LOOK):
    return plan(*look, ("read_query", {"query": " ".join(sql.split())}), read=read)


def on(*dates, table="a"):
    """Returns a condition for rows that begin on a day, or from one date until before another date."""
    if len(dates) == 1:
        return f"date({table}.StartLocalTime) = '{dates[0]}'"
    start, end = dates
    return f"{table}.StartLocalTime >= '{start}' AND {table}.StartLocalTime < '{end}'"


def active(*dates):
    """Returns the active time of the only device."""
    return f"Ar_Activity a WHERE a.ReportId = 1 AND a.IsActive = 1 AND {on(*dates)}"


def active_during(timeline, *dates, usage=1):
    """Returns the rows of a timeline with the names of their groups, joined with the device's active time that they
    overlap.
    """
    return f"""Ar_Activity a JOIN Ar_Activity u ON u.ReportId = {usage} AND u.IsActive = 1
        AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime
        LEFT JOIN Ar_Group g ON g.ReportId = a.ReportId AND g.GroupId = a.GroupId
        WHERE a.ReportId = {timeline} AND {on(*dates)}"""


def united(*rows):
    """Returns a statement for the seconds that at least one row covers, by gaps and islands. The rows have the
    columns `s` and `e`.
    """
    return f"""SELECT sum(last - first) AS seconds FROM (SELECT min(s) AS first, max(e) AS last FROM
        (SELECT s, e, sum(fresh) OVER (ORDER BY s, e) AS island FROM (SELECT s, e, s > coalesce(max(e) OVER (ORDER BY s, e
        ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS fresh FROM ({" UNION ALL ".join(rows)})))
        GROUP BY island)"""


def overlap(a="a", u="u"):
    return f"unixepoch(min({a}.EndUtcTime, {u}.EndUtcTime)) - unixepoch(max({a}.StartUtcTime, {u}.StartUtcTime))"


def both_ends(dates, timelines="1, 4"):
    """Returns the active rows of devices, as input of `united`."""
    return f"""SELECT unixepoch(a.StartUtcTime) AS s, unixepoch(a.EndUtcTime) AS e FROM Ar_Activity a
        WHERE a.ReportId IN ({timelines}) AND a.IsActive = 1 AND {on(*dates)}"""


def clipped(timeline, usage, dates, condition):
    """Returns the rows of a timeline clipped to active time, as input of `united`."""
    return f"""SELECT unixepoch(max(a.StartUtcTime, u.StartUtcTime)) AS s, unixepoch(min(a.EndUtcTime, u.EndUtcTime)) AS e
        FROM {active_during(timeline, *dates, usage=usage)} AND {condition}"""


LENGTH = "unixepoch(a.EndUtcTime) - unixepoch(a.StartUtcTime)"
SECONDS = f"sum({LENGTH}) AS seconds"
OCTOBER = ("2026-10-12", "2026-11-02")
WEEK_43 = ("2026-10-19", "2026-10-26")
WEEK_46 = ("2026-11-09", "2026-11-16")
TALKS = ("2026-09-07", "2026-09-14")
WEEK_24 = ("2026-06-08", "2026-06-15")
JUNE = ("2026-06-01", "2026-06-20")
DECEMBER = ("2025-12-01", "2026-01-01")
FIRST = At("/0/seconds")


def within_utc(start, end):
    """Returns a statement for the active seconds between two timestamps in UTC."""
    return f"""SELECT sum(unixepoch(min(a.EndUtcTime, '{end}')) - unixepoch(max(a.StartUtcTime, '{start}'))) AS seconds
        FROM Ar_Activity a WHERE a.ReportId = 1 AND a.IsActive = 1
        AND a.EndUtcTime > '{start}' AND a.StartUtcTime < '{end}'"""


def tagged(dates, condition):
    """Returns a statement for the tagged seconds of a range. The fourth timeline contains the tags."""
    return f"SELECT {SECONDS} FROM Ar_Activity a WHERE a.ReportId = 4 AND {on(*dates)} AND {condition}"


def while_tagged(columns, dates, condition, timeline=2):
    """Returns a statement for the active time of applications or documents, joined with the tags that they overlap."""
    return f"""SELECT {columns} FROM Ar_Activity t, {active_during(timeline, *dates)}
        AND t.ReportId = 4 AND t.StartUtcTime < min(a.EndUtcTime, u.EndUtcTime)
        AND t.EndUtcTime > max(a.StartUtcTime, u.StartUtcTime) AND {condition}"""


IN_TAG = """sum(unixepoch(min(a.EndUtcTime, u.EndUtcTime, t.EndUtcTime))
    - unixepoch(max(a.StartUtcTime, u.StartUtcTime, t.StartUtcTime))) AS seconds"""
TAG_AND_ACTIVE = """Ar_Activity a JOIN Ar_Activity u ON u.ReportId = 1 AND u.IsActive = 1
    AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime WHERE a.ReportId = 4"""
# Time away from the keyboard while a call is in front.
LISTENED = """Ar_Activity a JOIN Ar_Activity u ON u.ReportId = 1 AND u.Name = 'Away'
    AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime
    WHERE a.ReportId = 2 AND a.Name LIKE '%Zoom Meeting%'"""

CLIENT = "substr(a.Name, 1, instr(a.Name || ',', ',') - 1)"


def per_client(dates):
    """Returns a statement for the seconds of each client's tags in a range, and the part of these seconds away from the
    computer. Tags must not overlap.
    """
    return f"""SELECT {CLIENT} AS client, {SECONDS}, sum({LENGTH} - coalesce((SELECT sum({overlap()}) FROM Ar_Activity u
        WHERE u.ReportId = 1 AND u.IsActive = 1 AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime), 0)) AS away
        FROM Ar_Activity a WHERE a.ReportId = 4 AND {on(*dates)} GROUP BY client"""


def clients(*names):
    return [At(f"/client={name}/{field}", "seconds") for name in names for field in ("seconds", "away")]


def gaps(*dates):
    """Returns a statement for the gaps between the active times of each day. A gap has at least ten minutes and less
    than five hours.
    """
    return f"""SELECT start, seconds FROM (SELECT a.EndLocalTime AS start, unixepoch(lead(a.StartUtcTime)
        OVER (PARTITION BY date(a.StartLocalTime) ORDER BY a.StartUtcTime)) - unixepoch(a.EndUtcTime) AS seconds
        FROM {active(*dates)}) WHERE seconds >= 600 AND seconds < 18000"""


def presence(date):
    """Returns a statement for the total of a day, its first and last use, and the sum of its breaks."""
    return f"""SELECT {SECONDS}, min(a.StartLocalTime) AS first, max(a.EndLocalTime) AS last,
        (SELECT sum(seconds) FROM ({gaps(date)})) AS breaks FROM {active(date)}"""


ENDS = [At("/0/first"), At("/0/last"), At("/0/breaks", "seconds")]
# Sites and files during active time.
PAGES = f"""SELECT g.Name, a.Name AS page, max(a.StartLocalTime, u.StartLocalTime) AS start,
    min(a.EndLocalTime, u.EndLocalTime) AS end FROM {active_during(3, "2026-03-01", "2026-04-01")}"""
GAP = [("start", None), ("gap", "seconds")]
LAST_WEEK, MARCH, YESTERDAY = ("2026-03-09", "2026-03-16"), ("2026-03-01", "2026-04-01"), "2026-03-18"

PLANS = {
    "change_day": asked(within_utc("2026-10-24 22:00:00", "2026-10-25 23:00:00"), read=FIRST),
    "change_hour": asked(within_utc("2026-10-25 00:00:00", "2026-10-25 02:00:00"), read=FIRST),
    "change_monday": asked(f"SELECT min(a.StartLocalTime) AS first FROM {active('2026-10-26')}", read=At("/0/first")),
    "change_bed": asked(
        "SELECT max(EndLocalTime) AS last FROM Ar_Activity WHERE ReportId = 1 AND IsActive = 1 "
        "AND date(EndLocalTime) = '2026-10-25'",
        read=At("/0/last"),
    ),
    "change_programs": asked(
        f"""SELECT g.Name, sum({overlap()}) AS seconds FROM {active_during(2, *WEEK_43)}
        GROUP BY g.Name ORDER BY seconds DESC LIMIT 3""",
        read=[At(f"/{place}/Name") for place in range(3)],
    ),
    "change_weeks": asked(
        f"""SELECT strftime('%W', a.StartLocalTime) AS week, {SECONDS} FROM {active("2026-10-12", "2026-10-26")}
        GROUP BY week ORDER BY week""",
        read=[At("/0/seconds"), At("/1/seconds")],
    ),
    "change_difference": asked(
        f"""SELECT sum(CASE WHEN a.StartLocalTime >= '2026-10-19' THEN 1 ELSE -1 END * ({LENGTH})) AS seconds
        FROM {active("2026-10-12", "2026-10-26")}""",
        read=FIRST,
    ),
    "change_weekday": asked(
        f"""SELECT strftime('%w', a.StartLocalTime) AS weekday, {SECONDS} FROM {active(*OCTOBER)}
        GROUP BY weekday ORDER BY seconds DESC LIMIT 1""",
        read=At("/0/weekday"),
    ),
    "change_mondays": asked(
        f"SELECT {SECONDS} FROM {active(*OCTOBER)} AND strftime('%w', a.StartLocalTime) = '1'",
        read=FIRST,
    ),
    "change_stretch": asked(
        f"""SELECT Name, min(start) AS start, sum(seconds) AS seconds FROM (SELECT *, sum(fresh) OVER (ORDER BY start) AS run
        FROM (SELECT *, coalesce(lag(Name) OVER (ORDER BY start) <> Name
        OR unixepoch(start) - unixepoch(lag(end) OVER (ORDER BY start)) > 120, 1) AS fresh
        FROM (SELECT g.Name, max(a.StartLocalTime, u.StartLocalTime) AS start, min(a.EndLocalTime, u.EndLocalTime) AS end,
        {overlap()} AS seconds FROM {active_during(2, "2026-10-21")}))) GROUP BY run ORDER BY seconds DESC LIMIT 1""",
        read=[At("/0/Name"), At("/0/start"), At("/0/seconds")],
    ),
    "change_site": asked(
        f"SELECT sum({overlap()}) AS seconds FROM {active_during(3, *WEEK_43)} AND g.Name = 'github.com'",
        read=FIRST,
    ),
    "change_busiest": asked(
        f"SELECT date(a.StartLocalTime) AS day, {SECONDS} FROM {active(*OCTOBER)} GROUP BY day ORDER BY seconds DESC LIMIT 1",
        read=[At("/0/day"), At("/0/seconds")],
    ),
    "devices_day": asked(united(both_ends(["2026-11-10"])), look=LOOK_AT_DEVICES, read=FIRST),
    "devices_laptop": asked(united(both_ends(["2026-11-10"], "4")), look=LOOK_AT_DEVICES, read=FIRST),
    "devices_more": asked(
        f"""SELECT e.DeviceDisplayName, {SECONDS} FROM Ar_Activity a JOIN Ar_Timeline t ON t.ReportId = a.ReportId
        JOIN Ar_Environment e ON e.EnvironmentId = t.EnvironmentId
        WHERE a.ReportId IN (1, 4) AND a.IsActive = 1 AND {on(*WEEK_46)}
        GROUP BY e.DeviceDisplayName ORDER BY seconds DESC LIMIT 1""",
        look=LOOK_AT_DEVICES,
        read=[At("/0/DeviceDisplayName"), At("/0/seconds")],
    ),
    "devices_both": asked(
        f"""SELECT sum({overlap()}) AS seconds FROM Ar_Activity a JOIN Ar_Activity u ON u.ReportId = 4 AND u.IsActive = 1
        AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime
        WHERE a.ReportId = 1 AND a.IsActive = 1 AND {on("2026-11-11")}""",
        look=LOOK_AT_DEVICES,
        read=FIRST,
    ),
    "devices_program": asked(
        f"""SELECT g.Name, sum({overlap()}) AS seconds FROM {active_during(5, *WEEK_46, usage=4)}
        GROUP BY g.Name ORDER BY seconds DESC LIMIT 1""",
        look=LOOK_AT_DEVICES,
        read=At("/0/Name"),
    ),
    "devices_week": asked(united(both_ends(WEEK_46)), look=LOOK_AT_DEVICES, read=FIRST),
    "devices_first": asked(
        f"""SELECT a.StartLocalTime, e.DeviceDisplayName FROM Ar_Activity a JOIN Ar_Timeline t ON t.ReportId = a.ReportId
        JOIN Ar_Environment e ON e.EnvironmentId = t.EnvironmentId
        WHERE a.ReportId IN (1, 4) AND a.IsActive = 1 AND {on("2026-11-12")} ORDER BY a.StartUtcTime LIMIT 1""",
        look=LOOK_AT_DEVICES,
        read=[At("/0/StartLocalTime"), At("/0/DeviceDisplayName")],
    ),
    "devices_editor": asked(
        united(*(clipped(2 + at, 1 + at, WEEK_46, "g.Name = 'Visual Studio Code'") for at in (0, 3))),
        look=LOOK_AT_DEVICES,
        read=FIRST,
    ),
    "devices_sites": asked(
        f"""SELECT g.Name, sum({overlap()}) AS seconds FROM Ar_Activity a JOIN Ar_Activity u
        ON u.ReportId = a.ReportId - 2 AND u.IsActive = 1 AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime
        JOIN Ar_Group g ON g.ReportId = a.ReportId AND g.GroupId = a.GroupId
        WHERE a.ReportId IN (3, 6) AND a.Name LIKE 'http%' AND {on(*WEEK_46)}
        GROUP BY g.Name ORDER BY seconds DESC LIMIT 3""",
        look=LOOK_AT_DEVICES,
        read=[At(f"/{place}/Name") for place in range(3)],
    ),
    "devices_evening": asked(
        united(
            """SELECT max(unixepoch(StartUtcTime), unixepoch('2026-11-12 17:00:00')) AS s, unixepoch(EndUtcTime) AS e
            FROM Ar_Activity WHERE ReportId IN (1, 4) AND IsActive = 1
            AND EndLocalTime > '2026-11-12 18:00:00' AND StartLocalTime < '2026-11-13'"""
        ),
        look=LOOK_AT_DEVICES,
        read=FIRST,
    ),
    "devices_weekend": asked(
        united(both_ends(("2026-11-14", "2026-11-16"))),
        look=LOOK_AT_DEVICES,
        read=FIRST,
    ),
    "devices_hour": asked(
        f"""SELECT strftime('%H', Hour) + 0 AS hour, sum(TotalSeconds) AS seconds FROM Ar_ComputerUsageByDay
        WHERE CommonId = 1 AND Hour >= '{WEEK_46[0]}' AND Hour < '{WEEK_46[1]}'
        GROUP BY hour ORDER BY seconds DESC LIMIT 1""",
        look=LOOK_AT_HOURS,
        read=At("/0/hour"),
    ),
    "meetings_count": asked(
        f"""SELECT count(*) AS meetings FROM Ar_Activity a
        WHERE a.ReportId = 2 AND a.Name LIKE '%Zoom Meeting%' AND {on(*TALKS)}""",
        look=LOOK_AT_CALLS,
        read=At("/0/meetings"),
    ),
    "meetings_calls": asked(
        f"SELECT {SECONDS} FROM Ar_Activity a WHERE a.ReportId = 2 AND a.Name LIKE '%Zoom Meeting%' AND {on(*TALKS)}",
        look=LOOK_AT_CALLS,
        read=FIRST,
    ),
    "meetings_day": asked(
        f"""SELECT (SELECT {SECONDS} FROM {active("2026-09-08")})
        + (SELECT sum({overlap()}) FROM {LISTENED} AND {on("2026-09-08")}) AS seconds""",
        look=LOOK_AT_CALLS,
        read=FIRST,
    ),
    "meetings_at": asked(
        """SELECT Name FROM Ar_Activity WHERE ReportId = 2
        AND StartLocalTime <= '2026-09-10 14:00:00' AND EndLocalTime > '2026-09-10 14:00:00'""",
        read=At("/0/Name"),
    ),
    "meetings_document": asked(
        f"""SELECT g.Name, sum({overlap()}) AS seconds FROM {active_during(3, *TALKS)} AND a.Name NOT LIKE 'http%'
        GROUP BY g.Name ORDER BY seconds DESC LIMIT 1""",
        read=[At("/0/Name"), At("/0/seconds")],
    ),
    "meetings_card": asked(
        f"""SELECT sum({overlap()}) AS seconds FROM {active_during(3, "2026-09-14", "2026-09-21")}
        AND g.Name = 'Rate card.xlsx'""",
        read=FIRST,
    ),
    "meetings_before": asked(
        """SELECT g.Name, sum(unixepoch(min(a.EndLocalTime, u.EndLocalTime, '2026-09-08 14:00:00'))
        - unixepoch(max(a.StartLocalTime, u.StartLocalTime, '2026-09-08 13:00:00'))) AS seconds
        FROM Ar_Activity a JOIN Ar_Activity u ON u.ReportId = 1 AND u.IsActive = 1
        AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime
        JOIN Ar_Group g ON g.ReportId = a.ReportId AND g.GroupId = a.GroupId WHERE a.ReportId = 2
        AND min(a.EndLocalTime, u.EndLocalTime) > '2026-09-08 13:00:00'
        AND max(a.StartLocalTime, u.StartLocalTime) < '2026-09-08 14:00:00'
        GROUP BY g.Name ORDER BY seconds DESC LIMIT 1""",
        read=At("/0/Name"),
    ),
    "meetings_listened": asked(
        f"SELECT sum({overlap()}) AS seconds FROM {LISTENED} AND {on('2026-09-10')}",
        look=LOOK_AT_CALLS,
        read=FIRST,
    ),
    "meetings_mail": asked(
        f"SELECT sum({overlap()}) AS seconds FROM {active_during(2, '2026-09-11')} AND g.Name LIKE '%Outlook%'",
        read=FIRST,
    ),
    "tags_list": asked(tagged(WEEK_24, "a.Name = 'Northwind, Billing'"), read=FIRST),
    "tags_client": asked(tagged(JUNE, "a.Name LIKE 'Northwind%'"), read=FIRST),
    "tags_most": asked(
        f"""SELECT substr(a.Name, 1, instr(a.Name || ',', ',') - 1) AS client, {SECONDS} FROM Ar_Activity a
        WHERE a.ReportId = 4 AND {on(*JUNE)} GROUP BY client ORDER BY seconds DESC LIMIT 1""",
        read=At("/0/client"),
    ),
    "tags_untagged": asked(
        f"""SELECT (SELECT {SECONDS} FROM {active("2026-06-11")})
        - (SELECT sum({overlap()}) FROM {TAG_AND_ACTIVE} AND {on("2026-06-11")}) AS seconds""",
        read=FIRST,
    ),
    "tags_day": asked(
        f"SELECT a.Name FROM Ar_Activity a WHERE a.ReportId = 4 AND {on('2026-06-09')} ORDER BY a.StartUtcTime",
        read=[At(f"/{place}/Name") for place in range(3)],
    ),
    "tags_active": asked(
        f"SELECT sum({overlap()}) AS seconds FROM {TAG_AND_ACTIVE} AND {on(*WEEK_24)} AND a.Name LIKE 'Harbour Foods%'",
        read=FIRST,
    ),
    "tags_billable": asked(tagged(WEEK_24, "a.IsBillable = 1"), read=FIRST),
    "tags_note": asked(
        f"SELECT a.Name, a.Notes FROM Ar_Activity a WHERE a.ReportId = 4 AND {on('2026-06-10')} AND a.Notes IS NOT NULL",
        read=At("/0/Notes"),
    ),
    "tags_first": asked(
        f"""SELECT min(a.StartLocalTime) AS first FROM Ar_Activity a
        WHERE a.ReportId = 4 AND a.Name LIKE 'Lindqvist%' AND {on("2026-06-01", "2026-07-01")}""",
        read=At("/0/first"),
    ),
    "tags_program": asked(
        while_tagged(f"g.Name, {IN_TAG}", JUNE, "t.Name LIKE 'Northwind%' GROUP BY g.Name ORDER BY seconds DESC LIMIT 1"),
        read=At("/0/Name"),
    ),
    "tags_days": asked(
        f"""SELECT count(DISTINCT date(a.StartLocalTime)) AS days FROM Ar_Activity a
        WHERE a.ReportId = 4 AND a.Name LIKE 'Harbour Foods%' AND {on(*JUNE)}""",
        read=At("/0/days"),
    ),
    "tags_away": asked(
        f"""SELECT (SELECT {SECONDS} FROM Ar_Activity a WHERE a.ReportId = 4 AND {on("2026-06-10")})
        - (SELECT sum({overlap()}) FROM {TAG_AND_ACTIVE} AND {on("2026-06-10")}) AS seconds""",
        read=FIRST,
    ),
    "gaps_away": asked(
        f"SELECT a.Name, {SECONDS} FROM Ar_Activity a WHERE a.ReportId = 1 AND {on('2025-12-09')} GROUP BY a.Name",
        read=At("/Name=Away/seconds"),
    ),
    "gaps_break": asked(
        f"""SELECT start, seconds FROM (SELECT a.EndLocalTime AS start,
        unixepoch(lead(a.StartUtcTime) OVER (ORDER BY a.StartUtcTime)) - unixepoch(a.EndUtcTime) AS seconds
        FROM {active("2025-12-10")}) ORDER BY seconds DESC LIMIT 1""",
        read=[At("/0/start"), At("/0/seconds")],
    ),
    "gaps_days": asked(f"SELECT count(DISTINCT date(a.StartLocalTime)) AS days FROM {active(*DECEMBER)}", read=At("/0/days")),
    "gaps_first": asked(
        f"SELECT min(date(a.StartLocalTime)) AS first FROM {active('2026-01-01', '2027-01-01')}",
        read=At("/0/first"),
    ),
    "gaps_average": asked(
        f"""SELECT sum({LENGTH}) * 1.0 / count(DISTINCT date(a.StartLocalTime)) AS seconds FROM {active(*DECEMBER)}""",
        read=FIRST,
    ),
    "gaps_least": asked(
        f"SELECT date(a.StartLocalTime) AS day, {SECONDS} FROM {active(*DECEMBER)} GROUP BY day ORDER BY seconds LIMIT 1",
        read=[At("/0/day"), At("/0/seconds")],
    ),
    "gaps_month": asked(f"SELECT {SECONDS} FROM {active(*DECEMBER)}", read=FIRST),
    "gaps_turn": asked(f"SELECT {SECONDS} FROM {active('2025-12-29', '2026-01-05')}", read=FIRST),
    "gaps_evenings": asked(
        f"""SELECT count(DISTINCT date(a.EndLocalTime)) AS evenings FROM {active("2025-12-08", "2026-01-17")}
        AND time(a.EndLocalTime) > '19:00:00'""",
        read=At("/0/evenings"),
    ),
    "gaps_weekdays": asked(
        f"""SELECT strftime('%w', a.StartLocalTime) AS weekday, {SECONDS} FROM {active("2026-01-05", "2026-01-17")}
        GROUP BY weekday""",
        read=[At(f"/weekday={weekday}/seconds") for weekday in range(1, 6)],
    ),
    "gaps_christmas": asked(f"SELECT coalesce(sum({LENGTH}), 0) AS seconds FROM {active('2025-12-24')}", read=FIRST),
    "gaps_off": asked(
        f"""SELECT max(a.StartLocalTime) AS off FROM Ar_Activity a
        WHERE a.ReportId = 1 AND a.Name = 'Power off' AND {on("2025-12-12")}""",
        look=LOOK_AT_STATES,
        read=At("/0/off"),
    ),
    "tags_clients": asked(per_client(WEEK_24), read=clients("Northwind", "Harbour Foods", "Lindqvist")),
    "tags_week": asked(
        f"SELECT sum(seconds) AS seconds, sum(away) AS away FROM ({per_client(WEEK_24)})",
        read=[FIRST, At("/0/away", "seconds")],
    ),
    "tags_visit": asked(f"SELECT sum(away) AS seconds FROM ({per_client(['2026-06-10'])})", read=FIRST),
    "gaps_presence": asked(presence("2025-12-09"), read=ENDS),
    "gaps_breaks": asked(
        f"{gaps('2025-12-11')} ORDER BY start",
        read=[At(f"/{place}/{field}") for place in range(5) for field in ("start", "seconds")],
    ),
    "gaps_longest": asked(
        f"{gaps('2025-12-08', '2025-12-15')} ORDER BY seconds DESC LIMIT 1",
        read=[At("/0/start"), At("/0/seconds")],
    ),
    "everyday_yesterday": asked(
        f"""SELECT 'total' AS client, {SECONDS}, 0 AS away, max(a.StartLocalTime) AS start FROM {active(YESTERDAY)}
        UNION ALL SELECT * FROM ({per_client([YESTERDAY])}), (SELECT max(StartLocalTime) FROM Ar_Activity WHERE ReportId = 4
        AND Name = 'Harbour Foods, Meetings') UNION ALL SELECT * FROM (SELECT g.Name, sum({overlap()}) AS seconds, 0, ''
        FROM {active_during(2, YESTERDAY)} GROUP BY g.Name ORDER BY seconds DESC LIMIT 3)""",
        read=[
            At("/client=total/seconds"),
            *(At(f"/{place}/client") for place in range(5, 8)),
            *clients("Northwind", "Harbour Foods"),
            At("/client=Harbour Foods/start"),
        ],
    ),
    "everyday_clients": asked(per_client(LAST_WEEK), read=clients("Northwind", "Harbour Foods", "Lindqvist", "Internal")),
    "everyday_longest": asked(
        f"SELECT date(a.StartLocalTime) AS day, {SECONDS} FROM {active(*MARCH)} GROUP BY day ORDER BY seconds DESC LIMIT 1",
        read=[At("/0/day"), At("/0/seconds")],
    ),
    "everyday_ends": asked(presence(YESTERDAY), read=ENDS[:2]),
    "everyday_reading": asked(
        f"""SELECT changed, Name FROM ({PAGES}), (SELECT max(start) AS changed FROM (SELECT start, unixepoch(start)
        - unixepoch(lag(end) OVER (ORDER BY start)) AS pause FROM ({PAGES}) WHERE Name = 'rounding.rs') WHERE pause > 900)
        WHERE page LIKE 'http%' AND start < changed ORDER BY start DESC LIMIT 1""",
        read=[At("/0/changed"), At("/0/Name")],
    ),
    "everyday_site": asked(
        f"SELECT sum({overlap()}) AS seconds FROM {active_during(3, '2026-01-01', '2027-01-01')} AND g.Name = 'github.com'",
        read=FIRST,
    ),
    "everyday_weeks": asked(
        f"""SELECT strftime('%W', a.StartLocalTime) AS week, {SECONDS} FROM {active("2026-03-09", "2026-03-19")}
        AND strftime('%w', a.StartLocalTime) IN ('1', '2', '3') GROUP BY week ORDER BY week DESC""",
        read=[At("/0/seconds"), At("/1/seconds")],
    ),
    "everyday_first": asked(
        """SELECT min(a.StartLocalTime) AS first FROM Ar_Activity a JOIN Ar_Group g ON g.ReportId = a.ReportId
        AND g.GroupId = a.GroupId WHERE a.ReportId = 2 AND g.Name = 'Obsidian'""",
        read=At("/0/first"),
    ),
    "everyday_why": asked(
        f"""SELECT * FROM ({presence("2026-03-12")}), (SELECT start, seconds AS gap FROM ({gaps("2026-03-12")}))
        ORDER BY start""",
        read=[FIRST, *ENDS, *(At(f"/{place}/{field}", unit) for place in range(3) for field, unit in GAP)],
    ),
    "everyday_fridays": asked(
        f"""SELECT a.Name, {SECONDS} FROM Ar_Activity a WHERE a.ReportId = 4 AND {on(*MARCH)}
        AND strftime('%w', a.StartLocalTime) = '5' GROUP BY a.Name ORDER BY seconds DESC""",
        read=[At(f"/{place}/{field}") for place in range(5) for field in ("Name", "Name", "seconds")],
    ),
    "everyday_files": asked(
        while_tagged(
            f"g.Name, {IN_TAG}",
            MARCH,
            "t.Name LIKE 'Northwind%' AND a.Name NOT LIKE 'http%' GROUP BY g.Name ORDER BY seconds DESC",
            timeline=3,
        ),
        read=[At(f"/{place}/{field}") for place in range(3) for field in ("Name", "seconds")],
    ),
}
