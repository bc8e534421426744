"""Compares what sqlite3 and Datasette read from every view of a history."""

import csv
import html
import io
import json
import os
import subprocess
import sys
import urllib.parse
import urllib.request

# Questions to which a sound history may have no answer.
QUIET = ("broken-rules", "worst-visits", "not-through", "what-is-lost")


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


def html_of(address, path):
    with urllib.request.urlopen(f"{address}/{path}", timeout=60) as answer:
        return html.unescape(answer.read().decode())


def questions(history, address, database, known):
    """Every canned query has an answer, and every view says on its page what it and its columns are."""
    event = sqlite3(
        history, "SELECT session, controller, visit, seq FROM history WHERE cause > 0 AND visit > 0 LIMIT 1")[1]
    arguments = dict(zip(("session", "controller", "visit", "seq"), event))
    for name, query in known["queries"].items():
        answer = datasette(address, f"{database}/{name}", _shape="arrays", **arguments)
        if query["title"] not in html_of(address, database):
            raise SystemExit(f"clients: {name} is not among the questions of {database}")
        if not answer["rows"] and name not in QUIET:
            raise SystemExit(f"clients: {name} has no answer")
        print(f"{name}: {len(answer['rows'])} rows")
    for name, table in known["tables"].items():
        if table.get("hidden"):
            continue
        text = html_of(address, f"{database}/{name}")
        for sentence in [table["description"], *table["columns"].values()]:
            if sentence not in text:
                raise SystemExit(f"clients: the page of {name} does not say: {sentence}")


def main(history, address, metadata):
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
    with open(metadata, encoding="utf-8") as file:
        known = json.load(file)["databases"][database]
    described = [name for name, table in known["tables"].items() if not table.get("hidden")]
    if sorted(described) != views:
        raise SystemExit(f"clients: described are {described}, and there are {views}")
    for name in sqlite3(history, "SELECT name FROM sqlite_master WHERE type = 'view'")[1:]:
        if name[0].startswith("_") and not known["tables"].get(name[0], {}).get("hidden"):
            raise SystemExit(f"clients: {name[0]} is private and not hidden")
    questions(history, address, database, known)


main(sys.argv[1], sys.argv[2], sys.argv[3])
