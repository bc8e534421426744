"""Says what an engine found in a fleet.

With `--planted FILE`, the note of what was planted in a generated fleet, it is held against that:
one row more, less or other ends it with 1.
"""

import argparse
import json
import sys

# Each question, what the note calls its answer, and the columns of that.
QUESTIONS = {
    "violations": ("planted", ("app", "session", "code", "controller", "event")),
    "introduced": ("introduced", ("app", "code", "controller", "app_version")),
    "slower": ("slower", ("app", "controller", "from", "to", "app_version")),
    "stuck": ("stuck", ("app", "controller", "state", "os")),
}
MOST_SHOWN = 20


def plan():
    """What was planted, if the command says where that is written."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--planted", metavar="FILE", help="what has to be found, and nothing else")
    path = parser.parse_args().planted
    if path is None:
        return None
    with open(path, encoding="utf-8") as note:
        return json.load(note)


def questions(path):
    """What a file of SQL does first, and its questions by name."""
    with open(path, encoding="utf-8") as file:
        prologue, *parts = file.read().split("-- question: ")
    named = (part.partition("\n") for part in parts)
    return prologue, {name.strip(): sql for name, _, sql in named}


def tell(engine, found, plan):
    """Says the rows by question, and holds them against a plan if there is one."""
    answered = {name: sorted(tuple(str(value) for value in row) for row in found[name])
                for name in QUESTIONS}
    if plan is None:
        for name, rows in answered.items():
            print(f"{engine}: {name}: {len(rows)} rows")
            for row in rows[:MOST_SHOWN]:
                print("  " + " ".join(row))
            if len(rows) > MOST_SHOWN:
                print(f"  and {len(rows) - MOST_SHOWN} more")
    elif not all([is_as_planted(engine, name, rows, plan) for name, rows in answered.items()]):
        sys.exit(1)


def is_as_planted(engine, name, got, plan):
    key, columns = QUESTIONS[name]
    # A plan for one app alone does not say which.
    said = [column for column in columns if all(column in row for row in plan[key])]
    wanted = sorted(tuple(str(row[column]) for column in said) for row in plan[key])
    got = sorted(tuple(value for column, value in zip(columns, row, strict=True) if column in said)
                 for row in got)
    if got == wanted:
        shown = "; ".join(" ".join(row) for row in got) if len(got) <= 4 else f"{len(got)} rows"
        print(f"{engine}: {name}: as planted: {shown}")
        return True
    for row in sorted(set(wanted) - set(got)):
        print(f"{engine}: {name}: not found: {row}", file=sys.stderr)
    for row in sorted(set(got) - set(wanted)):
        print(f"{engine}: {name}: not planted: {row}", file=sys.stderr)
    if set(got) == set(wanted):
        print(f"{engine}: {name}: {len(got)} rows for {len(wanted)}", file=sys.stderr)
    return False
