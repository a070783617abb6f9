"""Reads the tables of an export with pyarrow and DuckDB. Prints the results as JSON.

    python3 reading.py FOLDER TABLE ...
"""

import json
import pathlib
import sys

import duckdb
import pyarrow
import pyarrow.compute
import pyarrow.dataset
import pyarrow.parquet

CLOCKS = ("hour_local", "date", "start_local")


def main(folder, *tables):
    found = {}
    for table in tables:
        files = pathlib.Path(folder) / table
        found[table] = {"pyarrow": with_pyarrow(files), "duckdb": with_duckdb(files)}
        for file in files.rglob("*.parquet"):
            check(table, file)
    print(json.dumps(found))


def with_pyarrow(files):
    rows = pyarrow.dataset.dataset(files, partitioning="hive").to_table()
    seconds = "seconds" if "seconds" in rows.column_names else "active_seconds"
    facts = {"rows": rows.num_rows, "seconds": pyarrow.compute.sum(rows[seconds]).as_py()}
    for clock in CLOCKS:
        if clock in rows.column_names:
            span = pyarrow.compute.min_max(rows[clock]).as_py()
            facts |= {"first": span["min"].isoformat(), "last": span["max"].isoformat()}
    return facts


def with_duckdb(files):
    rows = duckdb.sql(f"SELECT * FROM read_parquet('{files}/**/*.parquet', hive_partitioning = true)")
    seconds = "seconds" if "seconds" in rows.columns else "active_seconds"
    count, total = duckdb.sql(f"SELECT count(*), sum({seconds})::BIGINT FROM rows").fetchall()[0]
    facts = {"rows": count, "seconds": total}
    for clock in CLOCKS:
        if clock in rows.columns:
            first, last = duckdb.sql(f"SELECT min({clock}), max({clock}) FROM rows").fetchall()[0]
            facts |= {"first": first.isoformat(), "last": last.isoformat()}
    return facts


def check(table, file):
    """Checks that a file has its metadata, valid timestamps, and the statistics that let readers skip rows by time."""
    parquet = pyarrow.parquet.ParquetFile(file)
    declared = parquet.metadata.metadata[b"dayledger.table"].decode()
    assert declared == table, f"{file} declares the table {declared}"
    for field in parquet.schema_arrow:
        if pyarrow.types.is_timestamp(field.type):
            zone = "UTC" if field.name.endswith("_utc") else None
            assert field.type.tz == zone, f"{file}: {field}"
    for group in range(parquet.num_row_groups):
        for column in range(parquet.metadata.num_columns):
            chunk = parquet.metadata.row_group(group).column(column)
            assert chunk.compression == "ZSTD", f"{file}: {chunk.compression}"
            if chunk.path_in_schema in CLOCKS:
                assert chunk.statistics.has_min_max, f"{file}: no statistics of {chunk.path_in_schema}"
    for clock in CLOCKS:
        if clock in parquet.schema_arrow.names:
            instants = parquet.read(columns=[clock])[clock].to_pylist()
            assert instants == sorted(instants), f"{file} is not in order of time"


if __name__ == "__main__":
    main(*sys.argv[1:])
