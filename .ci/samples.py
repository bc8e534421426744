"""Type-checks every Swift block of the README and the guides: `samples.py PROGRAMS [PAGE...]`.

A block that stands in a compiled file of this repository, or that another script runs, is left to that. Each
other block is checked after what its page has declared so far, and after `Tests/GuideSamples/PAGE.swift`,
which declares what the page takes for granted, such as a model of the reader's. Declarations stand in a file;
statements stand in a function on the main actor; what is neither, such as a part of a class, in a class.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

PLACE = pathlib.Path.cwd()
DOCUMENTS = [PLACE / "README.md", *sorted(PLACE.glob("Sources/**/*.docc/**/*.md"))]
BLOCK = re.compile(r"^( *)```swift\n(.*?)^ *```$", re.M | re.S)
# What begins a declaration that stands in a file; `let` and `var` are statements.
DECLARATION = re.compile(
    r"(@\w+(\(.*?\))? )*(public |private |fileprivate |open |package |final |indirect |nonisolated )*"
    r"(struct|class|enum|extension|protocol|actor|func|typealias)\b|@Suite\b|@Test\b")
# A type that stands at the edge.
TYPE = re.compile(r"^(?:@\w+ |public |final )*(?:struct|class|enum|protocol|actor) (\w+)", re.M)
# What is not on Linux; what is shown in part is compared with its file by `.ci/own-tool`.
ELSEWHERE = re.compile(
    r"import (SwiftUI|StatyUIKit|StateViewController|PackageDescription)|\bTabView\b|\.sheet\(|: View \{"
    r"|\bNavigationTrack\(")
APART = "<!-- .ci/tutorial "
IMPORTS = "Foundation Staty StatyRecorder StatyReplay StatyRules StatyTesting StatyCommand StatySpecimens Testing"


def lines(text):
    return "\n".join(line.strip() for line in text.splitlines() if line.strip())


def compiled_texts():
    for folder in ["Tests", "Sources"]:
        for path in (PLACE / folder).rglob("*.swift"):
            if ".build" not in path.parts and "GuideSamples" not in path.parts:
                yield "\n" + lines(path.read_text()) + "\n"


class Page:
    def __init__(self, path):
        self.path = path
        self.name = path.stem
        self.text = path.read_text()
        prelude = PLACE / f"Tests/GuideSamples/{self.name}.swift"
        self.prelude = prelude.read_text() if prelude.exists() else ""
        self.declared = []
        self.failures = []
        self.count = self.elsewhere = 0

    def check(self, modules, compiled):
        for found in BLOCK.finditer(self.text):
            block = re.sub(rf"^{found.group(1)}", "", found.group(2), flags=re.M)
            if ELSEWHERE.search(block) or self.text[:found.start()].rstrip().endswith(", in part:"):
                self.elsewhere += 1
                continue
            pieces = [(is_declaration(piece), piece) for piece in pieces_of(block)]
            declared = "\n".join(piece for isOne, piece in pieces if isOne)
            if not any("\n" + lines(block) + "\n" in text for text in compiled):
                self.count += 1
                said = self.first_error(modules, block, declared,
                                        "\n".join(piece for isOne, piece in pieces if not isOne))
                if said:
                    line = self.text.count("\n", 0, found.start(2)) + 1
                    self.failures.append(f"{self.path.relative_to(PLACE)}:{line}: {said}")
            elif declared:
                self.declare(declared)
        return self

    def declare(self, text):
        """What a page shows once more takes the place of what it has shown before."""
        again = {name for piece in pieces_of(text) for name in TYPE.findall(piece)}
        self.declared = ["\n".join(piece for piece in pieces_of(earlier) if not again & set(TYPE.findall(piece)))
                         for earlier in self.declared] + [text]

    def first_error(self, modules, block, declared, stated):
        """Tries the block after all that was declared, then after less: a page may show a type twice. Then
        as members of a class of the reader's."""
        # A synchronous function may sleep.
        effects = "async throws" if "await " in stated else "throws"
        function = f"@MainActor func sample() {effects} {{\n{stated}\n}}\n" if stated else ""
        model = ": Model" if "class Model " in self.prelude else ""
        ways = [(earlier, True, declared + "\n" + function)
                for earlier in ([self.declared, self.declared[-1:], []] if self.declared else [[]])]
        for parent in ["", model] if model else [""]:
            ways.append((self.declared, False, f"@MainActor final class Sample{parent} {{\n{block}\n}}\n"))
        said = []
        for earlier, isInFile, text in ways:
            errors = typecheck(modules, self.source(text, earlier))
            if not errors:
                if isInFile and declared:
                    self.declare(declared)
                return None
            if errors not in said:
                said.append(errors)
        return "; or: ".join(said)

    def source(self, block, earlier):
        text = "\n".join([self.prelude, *earlier, block])
        imported = re.compile(r"^(@testable )?(?:\w+ )?import (\w+)$", re.M)
        names = {name: mark for mark, name in imported.findall(text)}
        names.update({name: "" for name in IMPORTS.split()})
        head = "".join(f"{mark}import {name}\n" for name, mark in sorted(names.items()))
        return head + imported.sub("", text)


def pieces_of(block):
    """Cuts a block where a line begins at its edge and nothing is open."""
    piece, depth = [], 0
    for line in block.splitlines():
        if piece and depth == 0 and line and not line[0].isspace() and line[0] not in "})]" and \
                not piece[-1].startswith("@") and not piece[-1].startswith("///"):
            yield "\n".join(piece)
            piece = []
        piece.append(line)
        code = re.sub(r"//.*|\"[^\"]*\"|`[^`]*`", "", line)
        depth += sum(code.count(sign) for sign in "{([") - sum(code.count(sign) for sign in "})]")
    if piece:
        yield "\n".join(piece)


def is_declaration(piece):
    first = next((line for line in piece.splitlines() if line.strip() and not line.startswith("//")), "")
    return DECLARATION.match(first) is not None


def typecheck(modules, source):
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "Sample.swift"
        path.write_text(source)
        result = subprocess.run(
            ["swiftc", "-typecheck", "-swift-version", "6", "-parse-as-library", *modules, path],
            capture_output=True, text=True)
        if result.returncode == 0:
            return None
        found = re.search(r"Sample.swift:(\d+):\d+: error: (.*)", result.stdout + result.stderr)
        return (found.group(2) if found else (result.stdout + result.stderr)[-300:])


def main():
    programs = pathlib.Path(sys.argv[1])
    modules = ["-I", programs / "Modules"]
    for folder in ["CSQLite", "CStaty", "CStatyRing", "CJobs", "COrders", "CMigrations", "CPage", "CTemporaryFiles"]:
        for place in PLACE.glob(f"Sources/{folder}"):
            include = place / "include"
            modules += ["-Xcc", f"-I{include if include.exists() else place}"]
            for map in place.glob("**/module.modulemap"):
                modules += ["-Xcc", f"-fmodule-map-file={map}"]
    modules += [flag for map in programs.glob("*.build/module.modulemap")
                for flag in ("-Xcc", f"-fmodule-map-file={map}")]
    compiled = list(compiled_texts())
    wanted = sys.argv[2:]
    pages = [Page(path) for path in DOCUMENTS if not wanted or path.stem in wanted]
    # The guides of StatyUIKit show code of other packages, and are compiled by `.ci/uikit`.
    pages = [page for page in pages if APART not in page.text and "StatyUIKit" not in page.path.parts]
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        pages = list(pool.map(lambda page: page.check(modules, compiled), pages))
    failures = [failure for page in pages for failure in page.failures]
    print(*failures, sep="\n")
    print(f"samples: {sum(page.count for page in pages)} blocks type-checked, "
          f"{sum(page.elsewhere for page in pages)} left to other checks, {len(failures)} failures")
    # A page that is not found any more would be no failure.
    sys.exit(1 if failures or not wanted and sum(page.count for page in pages) < 40 else 0)


main()
