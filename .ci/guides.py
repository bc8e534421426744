"""Runs what the README and the guides tell people to type.

A block of `console` holds commands behind `$ ` and what each prints; a line that is `...` stands for
any lines, and `# exits with N` behind a command for its status. A block of `sh` is typed line by line
and exits with 0, unless the same comment says otherwise; only lines that begin with `staty` are run,
as the others are run by `.ci/run` itself. A block of `python` is run before what follows it.

Each document has a folder of its own, with the files that its commands speak of.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

PLACE = pathlib.Path.cwd()
DOCUMENTS = ["README.md"] + sorted(
    str(path.relative_to(PLACE)) for path in PLACE.glob("Sources/**/*.docc/*.md"))
BLOCK = re.compile(r"^```(console|sh|python)\n(.*?)^```$", re.M | re.S)
STATUS = re.compile(r"#.*exits with (\d+)")
# What a history called so by a document is: one that the demo records.
FILES = """
staty demo -o demo >/dev/null
cp demo/second-last.sqlite history.sqlite
cp demo/second-last.sqlite before.sqlite
staty import <(staty export history.sqlite) -o after.sqlite
cp demo/closed-alert.sqlite a.sqlite
cp demo/unknown-key.sqlite b.sqlite
"""


def run(command, folder):
    result = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=120)
    return result.returncode, result.stdout + result.stderr


CUT = re.compile(r"^\.\.\.\n", re.M)


def is_shown(shown, printed):
    parts = [re.escape(part) for part in CUT.split(shown)]
    return re.fullmatch(".*".join(parts), printed, re.S) is not None


def commands(block):
    """Each command of a console block with what is shown below it."""
    for piece in re.split(r"^\$ ", block, flags=re.M)[1:]:
        lines = piece.splitlines(keepends=True)
        count = 1
        while lines[count - 1].rstrip("\n").endswith("\\") or is_open("".join(lines[:count])):
            count += 1
        yield "".join(lines[:count]), "".join(lines[count:])


def is_open(text):
    return text.count('"') % 2 == 1


class Document:
    def __init__(self, path):
        self.path = path
        self.text = (PLACE / path).read_text()
        self.failures = []
        self.count = 0

    def check(self, folder, writes):
        status, printed = run(FILES, folder)
        if status != 0:
            sys.exit(f"guides: no demo was recorded: {printed}")

        def block(found):
            kind, body = found.groups()
            line = self.text.count("\n", 0, found.start()) + 2
            if kind == "python":
                self.expect(folder, f"python3 - <<'END'\n{body}END\n", None, line)
            elif kind == "sh":
                for offset, command in enumerate(body.splitlines()):
                    if command.startswith("staty "):
                        self.expect(folder, command, None, line + offset, is_quick=True)
            else:
                new = ""
                for command, shown in commands(body):
                    printed = self.expect(folder, command, None if writes else shown, line)
                    new += "$ " + command + (shown if CUT.search(shown) else printed)
                    line += (command + shown).count("\n")
                return f"```console\n{new}```"
            return found.group(0)

        written = BLOCK.sub(block, self.text)
        if writes and written != self.text:
            (PLACE / self.path).write_text(written)

    def expect(self, folder, command, shown, line, is_quick=False):
        self.count += 1
        status, printed = run(command, folder)
        said = STATUS.search(command)
        allowed = [int(said.group(1))] if said else [0]
        if is_quick and not said and command.startswith("staty check"):
            allowed = [0, 1]  # what it finds is not said there
        if status not in allowed:
            self.failures.append(f"{self.path}:{line}: exits with {status}, not {allowed[0]}: "
                                 f"{command.strip()}\n{printed}")
        elif shown is not None and not is_shown(shown, printed):
            self.failures.append(f"{self.path}:{line}: {command.strip()}\nshown:\n{shown}"
                                 f"printed:\n{printed}")
        return printed


def main():
    writes = "--write" in sys.argv[1:]
    failures, count = [], 0
    for path in DOCUMENTS:
        document = Document(path)
        with tempfile.TemporaryDirectory() as folder:
            document.check(folder, writes)
        failures += document.failures
        count += document.count
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"guides: {count} commands in {len(DOCUMENTS)} documents, {len(failures)} failures")
    sys.exit(1 if failures or count < 30 else 0)


main()
