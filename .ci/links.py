"""Links of the guides, which lead from file to file so that they work in an editor and on GitHub.

`links.py` checks that each of them leads to a file, and to a heading if it names one.
`links.py CATALOG OUT MODULES...` copies a documentation catalog with the links that DocC wants. It knows these
modules by now; a page of another one is linked as it will be found on a web server.
"""

import pathlib
import re
import shutil
import sys

PAGES = {
    str(path): path for path in sorted(pathlib.Path("Sources").glob("*/Documentation.docc/**/*.md"))}
LINK = re.compile(r"(?<!!)\[(?P<text>[^\]]+)\]\((?P<target>[^)\s]+\.md)(?P<heading>#[^)\s]+)?\)")
IMAGE = re.compile(r"!\[([^\]]*)\]\(Resources/([^).]+)\.\w+\)")
TOPIC = re.compile(r"^- \[[^\]]+\]\((doc:\w+)\)$", re.M)
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)


def module(path):
    return path.parts[path.parts.index("Sources") + 1]


def for_docc(text, page, known):
    text = IMAGE.sub(r"![\1](\2)", text)

    def link(found):
        target = (page.parent / found["target"]).resolve().relative_to(pathlib.Path.cwd())
        if str(target) not in PAGES:
            return found[0]
        name = target.stem
        if module(target) not in [module(page), *known]:
            return f"[{found['text']}](/documentation/{module(target).lower()}/{name.lower()})"
        if module(target) != module(page):
            return f"[{found['text']}](doc:/documentation/{module(target)}/{name})"
        return f"[{found['text']}](doc:{name})"
    # A list of topics has links without texts.
    return TOPIC.sub(r"- <\1>", LINK.sub(link, text))


def copy(catalog, out, *known):
    shutil.copytree(catalog, out)
    for path in pathlib.Path(out).glob("**/*.md"):
        page = pathlib.Path(catalog) / path.relative_to(out)
        path.write_text(for_docc(path.read_text(), page, known))


def slug(heading):
    kept = re.sub(r"[^\w\- ]", "", heading.replace("`", "").lower())
    return kept.replace(" ", "-")


def check():
    failures = []
    count = 0
    for page in [pathlib.Path("README.md")] + list(PAGES.values()):
        text = FENCE.sub("", page.read_text())
        for line in re.findall(r"<doc:[^>]*>|\]\(doc:[^)]*\)", text):
            failures.append(f"{page}: '{line}' leads nowhere outside of DocC")
        for found in re.finditer(r"\]\((?P<target>[^)\s#]*)(?:#(?P<heading>[^)\s]+))?\)", text):
            target, heading = found["target"], found["heading"]
            if re.match(r"\w+:", target):
                continue
            count += 1
            path = page.parent / target if target else page
            if not path.exists():
                failures.append(f"{page}: there is no '{target}'")
            elif heading:
                headings = re.findall(r"^#+ (.*)$", FENCE.sub("", path.read_text()), re.M)
                if heading not in map(slug, headings):
                    failures.append(f"{page}: '{path}' has no heading '{heading}'")
    for failure in failures:
        print(failure, file=sys.stderr)
    print(f"links: {count} in {len(PAGES) + 1} documents, {len(failures)} lead nowhere")
    return 1 if failures else 0


if len(sys.argv) > 1:
    copy(*sys.argv[1:])
else:
    sys.exit(check())
