"""Lets Perfetto itself read the traces of the guide; see `.ci/perfetto`."""

import http.server
import json
import pathlib
import re
import subprocess
import sys
import threading
import time

from browser import Browser
import hostile

STATY, PLACE, DIST = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
GUIDE = pathlib.Path("Sources/StatyCommand/Documentation.docc/Pictures.md").read_text()
QUERY = re.search(r'--json -o trace\.json "\n(.*?)"\n\$', GUIDE, re.S)[1]
# What Perfetto says of a trace, and what it has read of it.
READ = """(async () => {
  const rows = async (query, columns) => {
    const found = [], result = await app.trace.engine.query(query);
    for (const row = result.iter(columns); row.valid(); row.next())
      found.push(Object.keys(columns).map(name => row[name]));
    return found;
  };
  return {
    troubles: await rows("SELECT name FROM stats WHERE severity <> 'info' AND value > 0", {name: "str"}),
    arrows: await rows(`SELECT cause.name AS cause, effect.name AS effect FROM flow
      JOIN slice AS cause ON cause.id = slice_out JOIN slice AS effect ON effect.id = slice_in`,
      {cause: "str", effect: "str"}),
    spans: (await rows("SELECT name FROM slice WHERE category = 'visit'", {name: "str"})).flat(),
  };
})()"""


class Files(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *words):
        super().__init__(*words, directory=DIST)

    def log_message(self, *words):
        pass


def staty(*words):
    return subprocess.run([STATY, *words], check=True, capture_output=True, text=True).stdout


def waited(browser, condition):
    for _ in range(600):
        if browser.run(condition):
            return True
        time.sleep(0.1)
    return False


def check(folder, address):
    merged = str(PLACE / f"{folder}.sqlite")
    staty("merge", *map(str, sorted((PLACE / folder).glob("*.sqlite"))), "-o", merged, "-q")
    trace = staty("query", merged, "--json", QUERY)
    browser = Browser()
    try:
        browser.call("Page.navigate", url=address)
        if not waited(browser, "typeof app !== 'undefined' && document.readyState === 'complete'"):
            return [f"{folder}: Perfetto does not begin"]
        open_trace = (f"window.postMessage({{perfetto: {{buffer: new TextEncoder().encode("
                      f"{json.dumps(trace)}).buffer, title: {json.dumps(folder)}}}}}, '*')")
        # It listens a moment after it is there.
        for _ in range(30):
            browser.run(open_trace)
            time.sleep(1)
            if browser.run(f"app.trace?.traceInfo.traceTitle.startsWith({json.dumps(folder)}) === true"):
                break
        else:
            return [f"{folder}: Perfetto opens nothing"]
        read = browser.run(READ)
        if browser.run("typeof window.taken") != "undefined":
            return [f"{folder}: a name was run"]
    finally:
        browser.close()
    return [f"{folder}: Perfetto says {name}" for [name] in read["troubles"]] + differences(
        folder, merged, read)


def differences(folder, merged, read):
    """What Perfetto has read otherwise than it is recorded."""
    name = "{0}.controller || ' ' || {0}.kind || coalesce(' ' || {0}.state, '')"
    arrows = json.loads(staty(
        "query", merged, "--json",
        f"SELECT {name.format('c')} AS cause, {name.format('e')} AS effect FROM history AS e "
        "JOIN history AS c ON c.session = e.session AND c.seq = e.cause"))
    spans = json.loads(staty(
        "query", merged, "--json",
        "SELECT state AS name FROM visits "
        "UNION ALL SELECT 'on screen' FROM visits WHERE entered_ms IS NOT NULL"))
    print(f"{folder}: {len(arrows)} arrows, {len(spans)} spans")
    pairs = [
        ("arrows", [[row["cause"], row["effect"]] for row in arrows], read["arrows"]),
        ("spans", [[row["name"]] for row in spans], [[name] for name in read["spans"]])]
    return [
        f"{folder}: {len(theirs)} {what} were read, and not these {len(ours)}"
        for what, ours, theirs in pairs if not ours or shown(ours) != shown(theirs)]


def check_ends():
    """Of two controllers of one name, what the first leaves open ends with its own recording."""
    lines = [{"format": "staty-history", "version": 1}, {"type": "session", "uuid": "u", "first_seq": 1}]
    told = [("attached", 0), ("enqueued", 1), ("entering", 1), ("entered", 1), ("enqueued", 2), ("detached", 0),
            ("attached", 0), ("enqueued", 1), ("entering", 1), ("entered", 1), ("enqueued", 2), ("discarded", 2),
            ("exiting", 1), ("exited", 1), ("detached", 0), ("mark", 0)]
    for place, (kind, visit) in enumerate(told):
        key = "first" if place < 6 else "second"
        if kind == "attached":
            lines.append({"type": "controller", "controller": "screen", "key": key, "policy": "queue"})
        lines.append({"seq": place + 1, "t_us": 1000 * (place + 1), "kind": kind,
                      **({} if kind == "mark" else {"controller": key}),
                      **({"visit": visit, "state": f"{key} {visit}"} if visit else {})})
    (PLACE / "twins.ndjson").write_text("".join(json.dumps(line) + "\n" for line in lines + [{"type": "end"}]))
    staty("import", str(PLACE / "twins.ndjson"), "-o", str(PLACE / "twins.sqlite"), "-q")
    rows = json.loads(staty("query", str(PLACE / "twins.sqlite"), "--json", QUERY))
    times = {phase: {(row["id"], row["name"]): row["ts"] for row in rows if row["ph"] == phase} for phase in "be"}
    names = {id: name for id, name in times["b"] if name != "on screen"}
    spans = sorted((names[id], name == "on screen", begin / 1000, times["e"][id, name] / 1000)
                   for (id, name), begin in times["b"].items())
    wanted = [("first 1", False, 2, 6), ("first 1", True, 4, 6), ("first 2", False, 5, 6),
              ("second 1", False, 8, 14), ("second 1", True, 10, 13), ("second 2", False, 11, 12)]
    return [] if spans == wanted else [f"twins: the spans are {spans}, and not {wanted}"]


def shown(rows):
    """Perfetto shows these characters of some names as they are written in JSON."""
    return sorted([name.replace("\n", "\\n").replace("\u2028", "\\u2028") for name in row] for row in rows)


hostile.write_recordings(STATY, PLACE)
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
threading.Thread(target=server.serve_forever, daemon=True).start()
problems = check_ends() + [
    problem for folder in ["demo", "gallery", "hostile"]
    for problem in check(folder, f"http://127.0.0.1:{server.server_port}/")]
if problems:
    sys.exit("\n".join(problems))
