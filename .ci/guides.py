"""Runs what the README and the guides tell people to type.

A block of `console` holds commands behind `$ ` and what each prints; a line that is `...` stands for
any lines, and `# exits with N` behind a command for its status. A block of `sh` is typed line by line
and exits with 0, unless the same comment says otherwise; only lines that begin with `staty` are run,
as the others are run by `.ci/run` itself. A block of `python` is run before what follows it.

A block behind a line ``In `shop/Package.swift`:`` is that file; behind
``In `shop/Package.swift`, in the place of `NAME`:`` it is what becomes of the function NAME in it.

What a command prints is what is piped. Behind `<!-- as at a terminal -->` it is what somebody sees whose
terminal has 80 columns and no colors.

Each document has a folder of its own, with the files that its commands speak of; where a command leads
elsewhere (`cd`), the next begins there. One that says so (`<!-- .ci/tutorial …`) is left to that script.
"""

import argparse
import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import sys
import tempfile
import termios

PLACE = pathlib.Path.cwd()
DOCUMENTS = ["README.md"] + sorted(
    str(path.relative_to(PLACE)) for path in PLACE.glob("Sources/**/*.docc/*.md"))
BLOCK = re.compile(
    r"^(?:In `(?P<file>[^`\s]+\.\w+)`(?:, in the place of `(?P<part>\w+)`)?:\n\n)?"
    r"(?P<terminal><!-- as at a terminal -->\n)?"
    r"```(?P<kind>\w+)\n(?P<body>.*?)^```$", re.M | re.S)
APART = "<!-- .ci/tutorial "
STATUS = re.compile(r"#.*exits with (\d+)")
# What a history called so by a document is: one that the demo records.
FILES = """
staty demo -o demo >/dev/null
cp -r demo staty-demo
cp demo/second-last.sqlite history.sqlite
cp demo/second-last.sqlite before.sqlite
staty import <(staty export history.sqlite) -o after.sqlite
cp demo/closed-alert.sqlite a.sqlite
cp demo/unknown-key.sqlite b.sqlite
"""


def run(command, folder, seconds=120):
    result = subprocess.run(
        ["bash", "-c", command], cwd=folder, capture_output=True, text=True, timeout=seconds)
    return result.returncode, result.stdout + result.stderr


def run_at_a_terminal(command, folder):
    leader, follower = pty.openpty()
    fcntl.ioctl(follower, termios.TIOCSWINSZ, struct.pack("4H", 24, 80, 0, 0))
    process = subprocess.Popen(
        ["bash", "-c", command], cwd=folder, stdin=follower, stdout=follower, stderr=follower,
        env=os.environ | {"NO_COLOR": "1", "TERM": "xterm"}, start_new_session=True)
    os.close(follower)
    printed = b""
    try:
        while part := os.read(leader, 1 << 16):
            printed += part
    except OSError:
        pass  # nobody holds the other end any more
    os.close(leader)
    return process.wait(), printed.decode().replace("\r\n", "\n")


CUT = re.compile(r"^\.\.\.\n", re.M)


def is_shown(shown, printed):
    parts = [re.escape(part) for part in CUT.split(shown)]
    return re.fullmatch(".*".join(parts), printed, re.S) is not None


def timeless(text):
    """A text without what is another each time that something is recorded."""
    text = re.sub(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", "UUID", text)
    text = re.sub(r"2\d{3}-\d\d-\d\d[T ][0-9:.]+Z?", "DATE", text)
    text = re.sub(r"\+?\d+\.\d+ ?m?s\b|\d+\.\d+ seconds", "TIME", text)
    # How long something is drawn follows how long it took, and how lines break what is in them. What lasts to
    # the end may have no room.
    text = re.sub(r"\[=+$", "[", text, flags=re.M)
    text = re.sub(r"[ \n]+", " ", re.sub(r"([-.=~|])\1+", r"\1", text))
    return re.sub(r"TIME( TIME)+", "TIME", text)


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
        self.is_apart = APART in self.text

    def check(self, folder, writes):
        self.folder = folder

        def block(found):
            file, part, kind, body = found.group("file", "part", "kind", "body")
            line = self.text.count("\n", 0, found.start("body")) + 1
            if file:
                self.make(pathlib.Path(folder) / file, part, body)
            elif kind == "python":
                self.expect(f"python3 - <<'END'\n{body}END\n", None, line)
            elif kind == "sh":
                for offset, command in enumerate(body.splitlines()):
                    if command.startswith("staty "):
                        self.expect(command, None, line + offset, is_quick=True)
            elif kind == "console":
                new = ""
                for command, shown in commands(body):
                    printed = self.expect(command, None if writes else shown, line,
                                          is_at_a_terminal=found["terminal"])
                    new += "$ " + command + (shown if CUT.search(shown) else printed)
                    line += (command + shown).count("\n")
                return f"{found['terminal'] or ''}```console\n{new}```"
            return found.group(0)

        written = BLOCK.sub(block, self.text)
        if writes and written != self.text:
            (PLACE / self.path).write_text(written)

    def is_shown(self, shown, printed):
        if not self.is_apart:
            return is_shown(shown, printed)
        # What is left of a cut line is the mark of the cut alone.
        parts = [re.escape(timeless(part).strip()) for part in CUT.split(shown)]
        return re.fullmatch(".*".join(parts), timeless(printed).strip(), re.S) is not None

    def make(self, path, part, body):
        """Writes a file, or what becomes of a part of it."""
        if part:
            text = path.read_text()
            whole = re.compile(rf"^( *)[a-z ]*func {part}\(.*?^\1}}\n", re.M | re.S)
            body, count = whole.subn(lambda _: body, text)
            if count != 1:
                sys.exit(f"guides: {self.path}: {path} has {count} functions {part}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(body)

    def expect(self, command, shown, line, is_quick=False, is_at_a_terminal=False):
        self.count += 1
        with tempfile.NamedTemporaryFile("r") as place:
            typed = f"trap 'pwd >{place.name}' EXIT\n{command}"
            if is_at_a_terminal:
                status, printed = run_at_a_terminal(typed, self.folder)
            else:
                status, printed = run(typed, self.folder, 1200 if self.is_apart else 120)
            self.folder = place.read().strip()
        said = STATUS.search(command)
        allowed = [int(said.group(1))] if said else [0]
        if is_quick and not said and command.startswith(("staty check", "staty explore")):
            allowed = [0, 1]  # what it finds is not said there
        if status not in allowed:
            self.failures.append(f"{self.path}:{line}: exits with {status}, not {allowed[0]}: "
                                 f"{command.strip()}\n{printed}")
        elif shown is not None and not self.is_shown(shown, printed):
            self.failures.append(f"{self.path}:{line}: {command.strip()}\nshown:\n{shown}"
                                 f"printed:\n{printed}")
        return printed


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true", help="show anew what commands print")
    parser.add_argument("--in", dest="place", help="the folder to be in")
    parser.add_argument("documents", nargs="*")
    arguments = parser.parse_args()
    failures, count = [], 0
    documents = [Document(path) for path in arguments.documents or DOCUMENTS]
    if not arguments.documents:
        documents = [document for document in documents if not document.is_apart]
    for document in documents:
        with tempfile.TemporaryDirectory() as folder:
            if not document.is_apart:
                status, printed = run(FILES, folder)
                if status != 0:
                    sys.exit(f"guides: no demo was recorded: {printed}")
            document.check(arguments.place or folder, arguments.write)
        failures += document.failures
        count += document.count
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"guides: {count} commands in {len(documents)} documents, {len(failures)} failures")
    sys.exit(1 if failures or count < (3 if arguments.documents else 30) else 0)


main()
