"""Compares what sqlite3 and Datasette read from every view of a history."""

import csv
import io
import json
import os
import subprocess
import sys
import urllib.parse
import urllib.request


def sqlite3(history, sql):
    """The rows as sqlite3 prints them, with the names of the columns as the first."""
    command = ["sqlite3", "-readonly", "-bail", "-csv", "-header", history, sql]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    if done.stderr:
        raise SystemExit(f"clients: sqlite3 says: {done.stderr}")
    return list(csv.reader(io.StringIO(done.stdout)))


def datasette(address, path, **arguments):
    query = urllib.parse.urlencode(arguments)
    with urllib.request.urlopen(f"{address}/{path}.json?{query}", timeout=60) as answer:
        content = json.load(answer)
    if content.get("ok") is False or content.get("error"):
        raise SystemExit(f"clients: Datasette says of {path}: {content}")
    return content


def main(history, address):
    database = os.path.basename(history).rsplit(".", 1)[0]
    # What begins with `_` is as private as a table.
    views = [row[0] for row in sqlite3(
        history, "SELECT name FROM sqlite_master WHERE type = 'view' ORDER BY name")[1:]
        if not row[0].startswith("_")]
    for known in ("history", "sessions", "visits", "dwell", "waits", "transitions", "slowest", "stuck",
                  "losses", "violations"):
        if known not in views:
            raise SystemExit(f"clients: there is no view {known}, only {views}")
    for view in views:
        rows = sqlite3(history, f'SELECT * FROM "{view}"')
        columns = [row[1] for row in sqlite3(history, f"PRAGMA table_info(\"{view}\")")[1:]]
        page = datasette(address, f"{database}/{view}", _size=50, _shape="arrays")
        count = datasette(
            address, database, sql=f'SELECT count(*) FROM "{view}"', _shape="arrays")
        seen = count["rows"][0][0]
        expected = max(len(rows) - 1, 0)
        if seen != expected:
            raise SystemExit(f"clients: {view} has {expected} rows for sqlite3, {seen} for Datasette")
        if page["columns"] != columns or (rows and rows[0] != columns):
            raise SystemExit(f"clients: {view} has columns {page['columns']}, and not {columns}")
        if len(page["rows"]) != min(expected, 50):
            raise SystemExit(f"clients: a page of {view} has {len(page['rows'])} rows")
        print(f"{view}: {expected} rows, {len(columns)} columns, alike for sqlite3 and Datasette")


main(sys.argv[1], sys.argv[2])
