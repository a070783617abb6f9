"""Runs a query in one engine for each line of input, and prints each answer as a line of JSON.

    python worker.py sqlite|duckdb|polars SOURCE QUESTION

SOURCE is ManicTime's file, or the folder of an export. The line `ready` runs a query that reads no data, so that the
next line is the first query in a running process. A line with two dates, START and END, runs the query QUESTION for the
days from START until the day before END. Its answer contains the seconds of each application. An engine is imported on
the first use. For each query, several variants from the engine's documentation were tried, and the fastest is used.
"""

import datetime
import json
import sys

# An activity that crosses an end of the range is clipped. The ends of the range are in local time, but durations are in
# UTC. The offset of the activity's timestamp converts between them.
ACTIVE_IN_SQLITE = """
    SELECT
        g.Key,
        sum(
            min(
                unixepoch(a.EndUtcTime),
                unixepoch(u.EndUtcTime),
                unixepoch(:end) - unixepoch(a.EndLocalTime) + unixepoch(a.EndUtcTime)
            ) - max(
                unixepoch(a.StartUtcTime),
                unixepoch(u.StartUtcTime),
                unixepoch(:start) - unixepoch(a.StartLocalTime) + unixepoch(a.StartUtcTime)
            )
        )
    FROM Ar_Activity AS a
    JOIN Ar_Timeline AS t ON t.ReportId = a.ReportId AND t.SchemaName = 'ManicTime/Applications'
    JOIN Ar_Timeline AS s ON s.EnvironmentId = t.EnvironmentId AND s.SchemaName = 'ManicTime/ComputerUsage'
    JOIN Ar_Activity AS u ON u.ReportId = s.ReportId AND u.IsActive = 1
        AND u.StartUtcTime < a.EndUtcTime AND u.EndUtcTime > a.StartUtcTime
        AND u.StartLocalTime < :end AND u.EndLocalTime > :start
    JOIN Ar_Group AS g ON g.ReportId = a.ReportId AND g.GroupId = a.GroupId
    WHERE a.StartLocalTime < :end AND a.EndLocalTime > :start
    GROUP BY g.Key"""
RECORDED_IN_SQLITE = """
    SELECT g.Key, sum(unixepoch(a.EndUtcTime) - unixepoch(a.StartUtcTime))
    FROM Ar_Activity AS a
    JOIN Ar_Timeline AS t ON t.ReportId = a.ReportId AND t.SchemaName = 'ManicTime/Applications'
    JOIN Ar_Group AS g ON g.ReportId = a.ReportId AND g.GroupId = a.GroupId
    WHERE a.StartLocalTime >= :start AND a.StartLocalTime < :end
    GROUP BY g.Key"""
ACTIVE_IN_DUCKDB = """
    WITH activities AS (
        SELECT *
        FROM read_parquet($files)
        WHERE start_local < $end::TIMESTAMP AND end_local > $start::TIMESTAMP
    )
    SELECT
        a.key,
        (
            sum(
                least(
                    epoch_us(a.end_utc),
                    epoch_us(u.end_utc),
                    epoch_us($end::TIMESTAMP) - epoch_us(a.end_local) + epoch_us(a.end_utc)
                ) - greatest(
                    epoch_us(a.start_utc),
                    epoch_us(u.start_utc),
                    epoch_us($start::TIMESTAMP) - epoch_us(a.start_local) + epoch_us(a.start_utc)
                )
            ) // 1000000
        )::BIGINT
    FROM activities AS a
    JOIN activities AS u ON u.device = a.device AND u.start_utc < a.end_utc AND u.end_utc > a.start_utc
    WHERE a.role = 'applications' AND u.role = 'computer_usage' AND u.state = 'active'
    GROUP BY a.key"""
RECORDED_IN_DUCKDB = """
    SELECT key, sum(seconds)::BIGINT
    FROM read_parquet($files)
    WHERE role = 'applications' AND start_local >= $start::TIMESTAMP AND start_local < $end::TIMESTAMP
    GROUP BY key"""


def sqlite(file, question):
    import sqlite3

    statement = {"active": ACTIVE_IN_SQLITE, "recorded": RECORDED_IN_SQLITE}[question]
    connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)

    def ask(start, end):
        return connection.execute(statement, {"start": f"{start} 00:00:00", "end": f"{end} 00:00:00"}).fetchall()

    return lambda: connection.execute("SELECT 1").fetchall(), ask


def duckdb(folder, question):
    import duckdb

    statement = {"active": ACTIVE_IN_DUCKDB, "recorded": RECORDED_IN_DUCKDB}[question]
    connection = duckdb.connect()

    def ask(start, end):
        return connection.execute(statement, {"files": files(folder), "start": start, "end": end}).fetchall()

    return lambda: connection.execute("SELECT 1").fetchall(), ask


def polars(folder, question):
    import polars as pl

    col = pl.col

    def active(start, end):
        inside = (col.start_local < end) & (col.end_local > start)
        activities = pl.scan_parquet(files(folder)).filter(inside)
        applications = activities.filter(col.role == "applications").select(
            "device",
            "key",
            "start_utc",
            "end_utc",
            range_start=col.start_utc + (pl.lit(start) - col.start_local),
            range_end=col.end_utc + (pl.lit(end) - col.end_local),
        )
        used = activities.filter((col.role == "computer_usage") & (col.state == "active"))
        used = used.select("device", "start_utc", "end_utc")
        pairs = applications.join_where(
            used, col.start_utc < col.end_utc_right, col.end_utc > col.start_utc_right, suffix="_right"
        )
        cut = pl.min_horizontal("end_utc", "end_utc_right", "range_end") - pl.max_horizontal(
            "start_utc", "start_utc_right", "range_start"
        )
        # If the join had the device as a condition, it would not use the fast join on inequality and would be 7 times
        # slower. So the device is only compared in the sum.
        of_one_device = pl.when(col.device == col.device_right).then(cut)
        return pairs.group_by("key").agg(of_one_device.sum().dt.total_seconds())

    def recorded(start, end):
        inside = (col.role == "applications") & (col.start_local >= start) & (col.start_local < end)
        return pl.scan_parquet(files(folder)).filter(inside).group_by("key").agg(col.seconds.sum())

    def ask(*edges):
        query = {"active": active, "recorded": recorded}[question]
        return query(*(datetime.datetime.fromisoformat(edge) for edge in edges)).collect().rows()

    return lambda: pl.LazyFrame({"one": [1]}).collect().rows(), ask


def files(folder):
    """Returns the pattern for the files of the activities. There is one file for each month."""
    return f"{folder}/activities/*/*.parquet"


ENGINES = {"sqlite": sqlite, "duckdb": duckdb, "polars": polars}


def main(engine, source, question):
    nothing, ask = ENGINES[engine](source, question)
    for line in sys.stdin:
        # An application has no seconds if it overlaps only the active time of another device. Such applications are
        # left out.
        say(nothing() if line == "ready\n" else [row for row in ask(*line.split()) if row[1]])


def say(rows):
    print(json.dumps(rows), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
