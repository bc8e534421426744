"""Writes the table of a whole nightly run into a guide: `nightly.py COMMIT TABLE PAGE`.

TABLE has a line for each step: its name, what it tries, its time, the seed, the result and what it says. In
PAGE, the paragraph that begins with `The last whole run` and the table behind it are replaced.
"""

import datetime
import pathlib
import re
import sys

BLOCK = re.compile(r"^The last whole run .*?^\| .*?(?=^$)", re.M | re.S)


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def main():
    commit, table, page = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    rows = [line.split("\t") for line in table.read_text().splitlines()[1:]]
    day = datetime.date.today()
    seconds = sum(int(row[2].split()[0]) for row in rows)
    lines = [
        f"The last whole run was on {day.day} {day:%B %Y}, at commit {commit} with the seed {rows[0][3]}: {len(rows)} steps,",
        f"{round(seconds / 60)} minutes of work, two steps at a time.",
        "",
        "| step | what is tried | time | result | says |",
        "| --- | --- | --- | --- | --- |",
    ]
    for name, tries, time, _, result, *says in rows:
        lines.append(f"| {name} | {cell(tries)} | {time} | {result} | {cell(' '.join(says))} |")
    text = page.read_text()
    if not BLOCK.search(text):
        sys.exit(f"nightly: {page} has no table to replace")
    page.write_text(BLOCK.sub(lambda _: "\n".join(lines) + "\n", text, count=1))


main()
