"""Writes the table of a whole nightly run into a guide: `nightly.py COMMIT TABLE PAGE`.

TABLE has a line for each step: its name, what it tries, its time, the seed, the result and what it says. In
PAGE, the paragraph that begins with `The last whole run` and the table behind it are replaced. Of several
figures the one with the most runs is shown.
"""

import datetime
import pathlib
import re
import sys

BLOCK = re.compile(r"^The last whole run .*?^\| .*?(?=^$)", re.M | re.S)


def cell(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def figure(name, says, seed):
    """What a step says, in short."""
    says = re.sub(rf"(,| of) seed {seed}| \(.*?\)", "", says)
    parts = [part.strip(" :").removeprefix(f"{name}: ") for part in says.split("; ")]
    runs = [part for part in parts if part[0].isdigit()]
    most = max(runs, key=lambda part: int(re.match(r"[\d,]+", part)[0].replace(",", "")), default=parts[0])
    return ", ".join(most.split(", ")[:3])


def passed(rows):
    failed = [row[0] for row in rows if row[4] != "passed"]
    return f"{', '.join(failed)} failed" if failed else "all passed"


def main():
    commit, table, page = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    rows = [line.split("\t") for line in table.read_text().splitlines()[1:]]
    day = datetime.date.today()
    seconds = sum(int(row[2].split()[0]) for row in rows)
    lines = [
        f"The last whole run was on {day.day} {day:%B %Y}, at commit {commit} with the seed {rows[0][3]}: {len(rows)} steps,",
        f"{round(seconds / 60)} minutes of work, two steps at a time; {passed(rows)}.",
        "",
        "| step | what is tried | seconds | says |",
        "| --- | --- | --- | --- |",
    ]
    for name, tries, time, seed, _, *says in rows:
        lines.append(f"| {name} | {cell(tries)} | {time.split()[0]} | {cell(figure(name, ' '.join(says), seed))} |")
    text = page.read_text()
    if not BLOCK.search(text):
        sys.exit(f"nightly: {page} has no table to replace")
    page.write_text(BLOCK.sub(lambda _: "\n".join(lines) + "\n", text, count=1))


main()
