"""A plain SQLite server, `mcp-server-sqlite`, on ManicTime's own file.

It takes statements that begin with SELECT. Who asks it looks at the list of tables, at the columns of two of them and at
the timelines first; these calls are part of every plan.
"""

import ast

from plan import At, plan

NAME = "SQLite"
LOOK = (
    ("list_tables", {}),
    ("describe_table", {"table_name": "Ar_Activity"}),
    ("describe_table", {"table_name": "Ar_Group"}),
    ("read_query", {"query": "SELECT ReportId, SchemaName, EnvironmentId FROM Ar_Timeline"}),
)


def command(installed, folder):
    return [installed.sqlite, "--db-path", folder / "ManicTimeReports.db"]


values = ast.literal_eval


def says_cut(_):
    """It never cuts an answer."""
    return False


def asked(sql, *, read):
    return plan(*LOOK, ("read_query", {"query": " ".join(sql.split())}), read=read)


# Times are text in the zone's wall clock and in UTC: the first places, the second measures.
ACTIVE_SECONDS = """
    sum(unixepoch(min(a.EndUtcTime, u.EndUtcTime)) - unixepoch(max(a.StartUtcTime, u.StartUtcTime)))"""
ACTIVE_USE = """
    Ar_Activity a JOIN Ar_Activity u ON u.ReportId = 1 AND u.IsActive = 1
    AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime"""

PLANS = {
    "change_day": asked(
        """SELECT sum(unixepoch(min(EndUtcTime, '2026-10-25 23:00:00')) - unixepoch(max(StartUtcTime, '2026-10-24 22:00:00')))
        AS seconds FROM Ar_Activity WHERE ReportId = 1 AND IsActive = 1
        AND EndUtcTime > '2026-10-24 22:00:00' AND StartUtcTime < '2026-10-25 23:00:00'""",
        read=At("/0/seconds"),
    ),
    "change_hour": asked(
        """SELECT sum(unixepoch(min(EndUtcTime, '2026-10-25 02:00:00')) - unixepoch(max(StartUtcTime, '2026-10-25 00:00:00')))
        AS seconds FROM Ar_Activity WHERE ReportId = 1 AND IsActive = 1
        AND EndUtcTime > '2026-10-25 00:00:00' AND StartUtcTime < '2026-10-25 02:00:00'""",
        read=At("/0/seconds"),
    ),
    "change_monday": asked(
        """SELECT min(StartLocalTime) AS first FROM Ar_Activity
        WHERE ReportId = 1 AND IsActive = 1 AND date(StartLocalTime) = '2026-10-26'""",
        read=At("/0/first"),
    ),
    "change_programs": asked(
        f"""SELECT g.Name, {ACTIVE_SECONDS} AS seconds FROM {ACTIVE_USE}
        JOIN Ar_Group g ON g.ReportId = a.ReportId AND g.GroupId = a.GroupId
        WHERE a.ReportId = 2 AND a.StartLocalTime >= '2026-10-19' AND a.StartLocalTime < '2026-10-26'
        GROUP BY g.Name ORDER BY seconds DESC LIMIT 3""",
        read=[At(f"/{place}/Name") for place in range(3)],
    ),
    "change_weeks": asked(
        """SELECT strftime('%W', StartLocalTime) AS week, sum(unixepoch(EndUtcTime) - unixepoch(StartUtcTime)) AS seconds
        FROM Ar_Activity WHERE ReportId = 1 AND IsActive = 1
        AND StartLocalTime >= '2026-10-12' AND StartLocalTime < '2026-10-26' GROUP BY week ORDER BY week""",
        read=[At("/0/seconds"), At("/1/seconds")],
    ),
}
