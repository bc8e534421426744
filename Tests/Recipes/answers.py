"""Holds what an engine found in a generated fleet against what was planted in it.

A recipe gives rows for four questions; one row more, less or other than planted ends it with 1.
"""

import json
import sys

QUESTIONS = {
    "planted": ("session", "code", "controller", "event"),
    "introduced": ("code", "controller", "app_version"),
    "slower": ("controller", "from", "to", "app_version"),
    "stuck": ("controller", "state", "os"),
}


def questions(path):
    """What a file of SQL does first, and its questions by name."""
    prologue, *parts = open(path, encoding="utf-8").read().split("-- question: ")
    named = (part.partition("\n") for part in parts)
    return prologue, {name.strip(): sql for name, _, sql in named}


def check(engine, plan_path, found):
    plan = json.load(open(plan_path, encoding="utf-8"))
    failed = False
    for name, columns in QUESTIONS.items():
        wanted = sorted(tuple(str(row[column]) for column in columns) for row in plan[name])
        got = sorted(tuple(str(value) for value in row) for row in found[name])
        if got == wanted:
            shown = "; ".join(" ".join(row) for row in got) if len(got) <= 3 else f"{len(got)} rows"
            print(f"{engine}: {name}: as planted: {shown}")
            continue
        failed = True
        for row in sorted(set(wanted) - set(got)):
            print(f"{engine}: {name}: not found: {row}", file=sys.stderr)
        for row in sorted(set(got) - set(wanted)):
            print(f"{engine}: {name}: not planted: {row}", file=sys.stderr)
        if set(got) == set(wanted):
            print(f"{engine}: {name}: {len(got)} rows for {len(wanted)}", file=sys.stderr)
    if failed:
        sys.exit(1)
