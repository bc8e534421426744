"""Holds the page of a history against the history itself; see `.ci/report`."""

import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import unicodedata

from browser import Browser

STATY, PLACE = sys.argv[1], pathlib.Path(sys.argv[2])
# Asks of every event what is asked of some, and of larger histories; `.ci/nightly` sets it.
IS_LONG = bool(os.environ.get("STATY_LONG"))
HOSTILE = [
    "</script><script>window.taken = 1</script>", '"><img src=x onerror="window.taken = 2">',
    "`${window.taken = 3}`", "a\u2028b\u2029c", "<!--<script>", "]]>", "&lt;b&gt;&amp;",
    "'; window.taken = 4; '", "\u202etxt.exe", "javascript:window.taken=5", "{{script}}",
    "<svg onload=window.taken=6>", "\\u003cb\\u003e", "שלום 日本語 🙂", "x" * 300, "$&$'$`",
    "\u2067turned\u202bround\u0007", "a\u200bb\U000e0041\ue000",
    "a\u3164\u115f\u1160\uffa0\u034f\u17b4\u17b5\u180b\U000e0100\u2800", "\u2764\ufe0f",
]
# What is called a letter or a sign and shows nothing.
UNSEEN = {"\u034f", "\u115f", "\u1160", "\u17b4", "\u17b5", "\u180b", "\u180c", "\u180d", "\u180f",
          "\u2800", "\u3164", "\uffa0", *map(chr, range(0xe0100, 0xe01f0))}
failures = []


def visible(name):
    """A name as it is to be shown: nothing hides itself, ends the line or turns it round."""
    seen = "".join(f"\\u{{{ord(sign):x}}}"
                   if unicodedata.category(sign) in {"Cc", "Cf", "Zl", "Zp", "Co", "Cn", "Cs"}
                   or sign in UNSEEN else sign
                   for sign in name)
    return f"\u2068{seen}\u2069" if re.search("[\u0590-\u08ff]", seen) else seen


def expect(is_so, what):
    if not is_so:
        failures.append(what)


def staty(*words):
    # So broad that no line of what it says is broken.
    return subprocess.run([STATY, *words], cwd=PLACE, check=False, capture_output=True, text=True,
                          env={**os.environ, "COLUMNS": "1000"})


def numbered(lines):
    """The same as an export: a session, numbers of events and visits, `attached` before a controller's first event."""
    out = [lines[0], {"type": "session", "uuid": "u", "first_seq": 1}]
    seq, visits, described = 0, {}, set()

    def event(line, **members):
        nonlocal seq
        seq += 1
        rest = {key: value for key, value in line.items() if key != "t_ms"}
        out.append({"seq": seq, "t_us": round(line["t_ms"] * 1000), **rest, **members})

    for line in lines[1:]:
        controller = line.get("controller")
        if line.get("type") == "session":
            out[1].update(line)
        elif line.get("type") == "loss":
            out.append({**line, "first_seq": seq + 1, "last_seq": seq + line["count"]})
            seq += line["count"]
        elif "type" in line:
            described.add(controller)
            out.append(line)
        elif controller is None:
            event(line)
        else:
            if controller not in described:
                described.add(controller)
                out.append({"type": "controller", "controller": controller})
            if controller not in visits:
                visits[controller] = {}
                event({"kind": "attached", "controller": controller, "t_ms": line["t_ms"]})
            known = visits[controller]
            visit = line.get("visit") or known.setdefault(line["state"], len(known) + 1)
            event(line, visit=visit)
    if out[-1].get("type") != "end":
        out.append({"type": "end"})
    return out


def made(name, lines):
    imported(name, numbered(lines))


def imported(name, lines):
    text = "".join(json.dumps(line) + "\n" for line in lines)
    (PLACE / f"{name}.ndjson").write_text(text)
    done = staty("import", f"{name}.ndjson", "-o", f"{name}.sqlite", "--force", "--quiet")
    expect(done.returncode == 0, f"import of {name}: {done.stderr}")


def report(name, *words):
    began = time.monotonic()
    done = staty("report", f"{name}.sqlite", "-o", f"{name}.html", "--force", *words)
    expect(done.returncode == 0, f"report on {name}: {done.stderr}")
    return PLACE / f"{name}.html", time.monotonic() - began


def rows(name, sql, **values):
    connection = sqlite3.connect(PLACE / f"{name}.sqlite")
    found = [list(row) for row in connection.execute(sql, values)]
    connection.close()
    return found


def standing(name, seq):
    """Who waits (0), comes in, is in or leaves (3) after an event, as the events up to it say."""
    return sorted(rows(name, """
        SELECT controller, visit, max(CASE kind WHEN 'exiting' THEN 3 WHEN 'entered' THEN 2
            WHEN 'entering' THEN 1 ELSE 0 END)
        FROM history WHERE seq <= :seq AND visit IS NOT NULL GROUP BY controller, visit
        HAVING sum(kind IN ('exited', 'discarded')) = 0""", seq=seq))


def shown_after(browser, place):
    return sorted(browser.run(f"""page.session.standing({place}).flatMap(({{stage, queue}}, place) =>
        [...stage, ...queue].map(({{visit, phase}}) =>
        [page.session.controllers[place].name, visit.number, phase]))"""))


def played(name, session, seq):
    """What `play` says of each controller: who is on screen, who waits, what is awaited and what is not sure."""
    told, lines = {}, staty("play", f"{name}.sqlite", f"--session={session}", f"--at={seq}")
    expect(lines.returncode == 0, f"play of {name} at {seq}: {lines.stderr}")
    controller = label = None
    for line in lines.stdout.splitlines():
        if re.match(r"\S.* \(\S+\)$", line):
            controller, label = line, None
            told[controller] = {}
        elif controller and (part := re.match(r"  (on screen|waiting|awaited|not sure|over) +(.*)", line)):
            label = part[1]
            told[controller][label] = part[2]
        elif not line.strip():
            controller = None
    return {name: {label: re.sub(r", (shown|entering|exiting)( for [^;]*)?(?=;|$)",
                                 lambda part: {"shown": "", "entering": " (entering)",
                                               "exiting": " (exiting)"}[part[1]], text)
                   if label == "on screen" else text for label, text in parts.items()}
            for name, parts in told.items()}


def many_events(count):
    chance, clock, lines = random.Random(7), 0.0, []
    policies = {"checkout": "queue", "profile": "queue", "feed": "latest", "player": "immediate"}
    lines.append({"format": "staty-history", "version": 1})
    lines.append({"type": "session", "app": "Shop", "app_version": "2.1", "os": "Linux",
                  "wall_us": 1769860800000000})
    for name, policy in policies.items():
        discipline = "at-once" if policy == "immediate" else "in-order"
        lines.append({"type": "controller", "controller": name, "policy": policy,
                      "discipline": discipline})
    last, shown, events = dict.fromkeys(policies, 0), dict.fromkeys(policies), 0
    states = ["loading", "content", "alert", "empty", "error", "detail", "search", "cart"]
    while events < count:
        name = chance.choice(list(policies))
        asked = []
        for _ in range(chance.choice([1, 1, 1, 2, 3])):
            last[name] += 1
            asked.append((last[name], chance.choice(states)))
        told = [("enqueued", *one) for one in asked]
        for visit, state in asked:
            before = shown[name]
            leaving = [("exiting", *before), ("exited", *before)] if before else []
            coming = [("entering", visit, state), ("entered", visit, state)]
            if leaving and chance.random() < 0.0005:
                # Let in while the one before is still leaving.
                told += [leaving[0], coming[0], leaving[1], coming[1]]
            else:
                told += leaving + coming
            shown[name] = (visit, state)
        for kind, visit, state in told:
            clock += chance.expovariate(1 / 6.0)
            lines.append({"kind": kind, "controller": name, "state": state, "visit": visit,
                          "t_ms": round(clock, 3)})
            events += 1
        clock += chance.expovariate(1 / 20.0)
    return lines


def hostile_events():
    lines = [{"format": "staty-history", "version": 1},
             {"type": "session", "app": HOSTILE[0], "app_version": HOSTILE[1], "os": HOSTILE[2]}]
    for name in HOSTILE:
        lines.append({"type": "controller", "controller": name, "policy": name})
    clock = 0
    for place, name in enumerate(HOSTILE):
        for kind in ["enqueued", "entering", "entered", "entering"]:
            clock += 1
            state = HOSTILE[(place + 3) % len(HOSTILE)]
            site = {"site": name, "line": 1} if kind == "enqueued" else {}
            lines.append({"kind": kind, "controller": name, "state": state, "visit": 1,
                          "t_ms": clock, **site})
        lines.append({"kind": "mark", "note": name, "t_ms": clock})
    lines.append({"type": "loss", "count": 3, "reason": HOSTILE[0]})
    return lines


def place_shown(browser):
    return browser.run("Number(document.querySelector('#now strong').textContent.split(' ')[1])")


def check_moments(browser, name, newest=None, every=1):
    """Every session in the page: who is there after each `every`th event and the last, as `play` says."""
    events = rows(name, "SELECT session, seq FROM history ORDER BY seq")
    for session in sorted({number for number, _ in events}):
        browser.run(f"page.open({session})")
        own = [seq for number, seq in events if number == session][-(newest or len(events)):]
        expect(browser.run("[...page.session.seq]") == own, f"{name}, session {session}: other events")
        for place, seq in enumerate(own):
            if place % every and seq != own[-1]:
                continue
            cards = browser.run(f"""(page.goTo({place}), [...document.querySelectorAll(".card")].map(
                card => [card.querySelector("h3").firstChild.data + " ("
                  + card.querySelector("h3 span").textContent + ")",
                ...[...card.querySelectorAll("dd")].map(e => [...e.childNodes].map(
                  node => node.data ?? "; ").join(""))]))""")
            shown = {title: parts for title, *parts in cards}
            told = played(name, session, seq)
            doubt = any("not sure" in said for said in told.values())
            expect(browser.run("document.getElementById('doubt').hidden") != doubt,
                   f"{name}, event {seq}: {'no' if doubt else 'a'} doubt")
            for title, said in told.items():
                if "over" in said:
                    wanted = ["none", "nothing: its recording has ended", "none"]
                else:
                    on_screen = re.sub("none; .* was the last", "none", said["on screen"])
                    wanted = [on_screen, said["awaited"], said["waiting"].replace(", ", "; ")]
                expect(shown.get(title) == wanted,
                       f"{name}, event {seq}, {title}: {shown.get(title)}, and not {wanted}")


def check_demo(browser):
    shutil.rmtree(PLACE / "demo", ignore_errors=True)
    staty("demo", "-o", "demo")
    merged = staty("merge", *sorted(f"demo/{file.name}" for file in (PLACE / "demo").glob("*.sqlite")),
                   "-o", "demo.sqlite", "--force", "--quiet")
    expect(merged.returncode == 0, f"merge: {merged.stderr}")
    page, _ = report("demo", "--replay")
    browser.size(1280, 900)
    browser.open(page)
    check_moments(browser, "demo", every=1 if IS_LONG else 3)
    found = [json.loads(line) for line in
             staty("check", "demo.sqlite", "--format", "ndjson").stdout.splitlines()]
    check_input(browser, found)
    check_address(browser, page)
    check_words(browser, found)
    check_keys(browser)
    browser.call("Page.printToPDF")
    expect(browser.troubles() == [], f"demo: {browser.troubles()}")
    check_policy(browser)


def check_input(browser, found):
    browser.run("page.open(1)")
    own = [finding["seq"] for finding in found if finding["session"] == 1]
    expect(place_shown(browser) == own[0], "the first finding is not shown first")
    browser.run("document.getElementById('moment').focus()")
    browser.key("Home")
    first = place_shown(browser)
    for key, place in [("ArrowRight", first + 1), ("ArrowRight", first + 2), ("ArrowLeft", first + 1)]:
        browser.key(key)
        expect(place_shown(browser) == place, f"{key} leads to {place_shown(browser)}, not {place}")
    browser.click("#moment", 0.5)
    middle, count = place_shown(browser), browser.run("page.session.count")
    expect(abs(middle - first - count / 2) < 2, f"half of the slider is event {middle} of {count}")
    spoken = browser.run("document.getElementById('moment').getAttribute('aria-valuetext')")
    expect(spoken.startswith(f"Event {middle}, "), f"the slider says: {spoken}")
    browser.click("#findings li:last-child button")
    expect(place_shown(browser) == own[-1], f"the last finding leads to {place_shown(browser)}")
    browser.run("document.body.focus()")
    browser.key("p")
    before = max([seq for seq in own if seq < own[-1]], default=own[-1])
    expect(place_shown(browser) == before, f"'p' leads to {place_shown(browser)}, not {before}")
    check_canvas(browser)


def check_address(browser, page):
    """The address names the event that is shown, and leads to it, in each session and with each key."""
    named = "location.hash"
    [[last, session]] = rows("demo", "SELECT max(seq), session FROM history WHERE session = 2")
    browser.run(f"page.open({session}); page.goTo(3); new Promise(done => setTimeout(done, 500))")
    fourth = browser.run("page.session.seq[3]")
    expect(browser.run(named) == f"#{fourth}", f"at event {fourth} the address ends with {browser.run(named)}")
    browser.run(f"location.hash = '#{last}'; new Promise(done => setTimeout(done, 100))")
    expect(place_shown(browser) == last, f"'#{last}' leads to {place_shown(browser)}")
    browser.run("document.activeElement.blur()")
    browser.key("?")
    expect(browser.run("document.getElementById('help').open"), "'?' does not open the list of keys")
    browser.key("Escape")
    expect(not browser.run("document.getElementById('help').open"), "Escape does not close the list of keys")
    # An event with a cause: its chain is that of 'why', and 'c' goes one step back in it.
    [[caused, cause]] = rows("demo", """SELECT seq, cause FROM history WHERE session = 3 AND cause IS NOT NULL
        ORDER BY seq DESC LIMIT 1""")
    browser.run("location.href = 'about:blank'; 0")
    browser.open(page, f"#{caused}")
    expect(place_shown(browser) == caused, f"opened at '#{caused}', the page shows {place_shown(browser)}")
    check_chain(browser, "demo", caused, "#why .chain > li")
    browser.run("document.body.focus()")
    browser.key("c")
    expect(place_shown(browser) == cause, f"'c' leads to {place_shown(browser)}, and not to {cause}")
    for address in ["#0", "#999999999", "#timeline", "#%3Cb%3E"]:
        browser.run("location.href = 'about:blank'; 0")
        browser.open(page, address)
        expect(place_shown(browser) > 0 and browser.run(named) == address, f"{address} leads nowhere")


def check_links(browser):
    """An address of an event that is not in the page says so and leads nowhere; no event has no address."""
    lines = [{"format": "staty-history", "version": 1}, {"type": "session", "uuid": "first", "first_seq": 1},
             *({"seq": seq, "t_us": seq, "kind": "mark", "note": "on"} for seq in range(1, 10)), {"type": "end"},
             {"type": "session", "uuid": "second", "first_seq": 10}, {"type": "end"}]
    imported("linked", lines)
    later, address = "new Promise(done => setTimeout(done, 500))", "location.hash"
    note = "(note => note.hidden ? '' : note.textContent)(document.getElementById('missing'))"
    browser.open(report("linked")[0], "#5")
    expect([place_shown(browser), browser.run(note)] == [5, ""], f"'#5' leads elsewhere: {browser.run(note)}")
    browser.run(f"location.hash = '#12'; {later}")
    expect([place_shown(browser), browser.run(address)] == [5, "#12"], "'#12' leads elsewhere")
    expect(browser.run(note) == "Event 12 is not in this page.", f"of event 12 it says: {browser.run(note)}")
    browser.run(f"page.goTo(2); {later}")
    expect([browser.run(note), browser.run(address)] == ["", "#3"], f"at event 3 it says: {browser.run(note)}")
    browser.run(f"page.goTo(3); page.open(2); {later}")
    expect(browser.run(address) == "#3", f"without an event the address is {browser.run(address)}")
    for words, shown in [(["--session=1", "--limit=4"], "Event 9"), (["--limit=4"], "No event")]:
        browser.run("location.href = 'about:blank'; 0")
        browser.open(report("linked", *words)[0], "#2")
        browser.run(later)
        expect(browser.run(note) == "Event 2 is not in this page.", f"{words}: it says {browser.run(note)!r}")
        now = browser.run("document.getElementById('now').textContent")
        expect(now.startswith(shown) and browser.run(address) == "#2", f"{words}: {now}")
    expect(browser.troubles() == [], f"linked: {browser.troubles()}")


def check_chain(browser, name, seq, selector):
    """A chain on the page is the one that 'why' tells."""
    told = json.loads(staty("why", f"{name}.sqlite", str(seq), "--time", "0s", "--json").stdout)["chain"]
    shown = browser.run(f"[...document.querySelectorAll({json.dumps(selector)})].map(e => e.textContent)")
    expect(len(told) == len(shown) and len(told) > 1, f"{name}, {seq}: {shown}, and not {told}")
    for event, line in zip(told, shown):
        about = f"{event['what']} " + (f"#{event['visit']} " if event["visit"] else "")
        expect(line.startswith(f"Event {event['seq']}") and about.strip() in line,
               f"{name}, {seq}: {line!r} is not {event}")
        expect(event["site"] is None or line.endswith(f"at {event['site']}"), f"{line!r} is not {event}")


def check_canvas(browser):
    browser.click("#zoom-all")
    seen = "[page.lanes.view.from, page.lanes.view.to]"
    whole = browser.run(seen)
    browser.click("#zoom-in")
    inner = browser.run(seen)
    expect(inner[1] - inner[0] < (whole[1] - whole[0]) * 0.6, f"zoomed in from {whole} to {inner}")
    x, y, width, height = browser.middle("#lanes")
    browser.mouse("mousePressed", x + width / 2, y + 30, button="left", clickCount=1)
    browser.mouse("mouseMoved", x + width / 2 + 60, y + 30, button="left", buttons=1)
    browser.mouse("mouseReleased", x + width / 2 + 60, y + 30, button="left", clickCount=1)
    moved = browser.run(seen)
    expect(moved[0] < inner[0] or inner[0] == whole[0], f"dragged from {inner} to {moved}")
    browser.mouse("mouseWheel", x + width / 2, y + 30, deltaX=0, deltaY=-200, modifiers=2)
    browser.run("new Promise(done => setTimeout(done, 100))")
    closer = browser.run(seen)
    expect(closer[1] - closer[0] < moved[1] - moved[0], "Ctrl and the wheel do not zoom")
    browser.click("#zoom-all")
    browser.click("#lanes", 0.999, 0.3)
    expect(browser.run("page.place === page.session.count - 1"), "a click leads elsewhere")
    browser.run("document.getElementById('sessions').focus()")
    listed = browser.run("[...document.getElementById('sessions').options].map(e => Number(e.value))")
    chosen = listed.index(1)
    key, other = ("ArrowUp", chosen - 1) if chosen else ("ArrowDown", chosen + 1)
    browser.key(key)
    browser.run("new Promise(done => setTimeout(done, 100))")
    [[first]] = rows("demo", "SELECT min(seq) FROM history WHERE session = :id", id=listed[other])
    shown = browser.run("page.session.seq[0]")
    expect(shown == first, f"the menu shows the session of event {shown}, and not of {first}")


def check_words(browser, found):
    """What a screen reader finds, and that the tables say what the views say."""
    browser.run("page.open(1)")
    nodes = browser.call("Accessibility.getFullAXTree")["nodes"]
    nodes = [node for node in nodes if not node.get("ignored")]
    def named(role):
        return [node.get("name", {}).get("value", "") for node in nodes
                if node.get("role", {}).get("value") == role]
    for role in ["banner", "main", "contentinfo"]:
        expect(len(named(role)) == 1, f"{len(named(role))} landmarks are {role}")
    expect(set(named("region")) >= {"Timeline", "At this moment", "Findings", "Times", "Visits"},
           f"the regions are {named('region')}")
    for role in ["button", "slider", "combobox", "searchbox", "table", "img", "image", "group"]:
        expect(all(named(role)), f"a {role} has no name: {named(role)}")
    boxes = browser.run("[...document.querySelectorAll('.scroll, .cards, .lanes')].map(e => e.tabIndex)")
    expect(boxes == [0] * 8 and len(named("group")) > 8, f"what can be scrolled: {boxes}, {named('group')}")
    visits = rows("demo", "SELECT state, outcome FROM visits WHERE session = 1 ORDER BY visit")
    shown = browser.run("[...document.querySelectorAll('#visits tbody tr')].map("
                        "row => [row.cells[1].textContent.replace(/^#\\d+ /, ''),"
                        " row.cells[7].textContent])")
    expect(visits == shown, f"the visits are {shown}, and not {visits}")
    codes = browser.run("[...document.querySelectorAll('#findings .what')].map(e => e.textContent)")
    expect(codes == [one["code"] for one in found if one["session"] == 1], f"found: {codes}")


def check_keys(browser):
    """In a table that is wider than its place the arrow keys scroll, and go nowhere else."""
    browser.size(380, 700)
    browser.run("page.goTo(page.session.count - 1); document.querySelector('#events').parentElement.focus()")
    at = "[page.place, document.activeElement.scrollLeft > 0]"
    place, _ = browser.run(at)
    for _ in range(3):
        browser.key("ArrowRight")
    for _ in range(3):
        browser.key("ArrowLeft")
        browser.key("ArrowRight")
    expect(until(lambda: browser.run(at) == [place, True]), f"in a wide table the keys lead to {browser.run(at)}")
    browser.size(1280, 900)
    browser.key("ArrowLeft")
    expect(browser.run("page.place") == place - 1, "in a table that has room the keys lead nowhere")


def check_policy(browser):
    """A script or a handler that got into the page all the same would not run."""
    browser.run("""document.body.insertAdjacentHTML("beforeend",
        '<img src="data:," onerror="window.taken = 7"><b style="color: red"></b>');
        const added = document.createElement("script"); added.textContent = "window.taken = 8";
        document.body.append(added); new Promise(done => setTimeout(done, 200))""")
    expect(browser.run("window.taken === undefined"), "what was put into the page has run")


def check_divergence(browser):
    """A queue that lets the second in too early: where the replay parts from it stands side by side."""
    lines = [{"format": "staty-history", "version": 1},
             {"type": "controller", "controller": "screen", "policy": "queue"}]
    told = ["enqueued loading", "entering loading", "entered loading", "enqueued alert",
            "exiting loading", "entering alert", "exited loading", "entered alert"]
    for place, words in enumerate(told):
        kind, state = words.split()
        lines.append({"kind": kind, "controller": "screen", "state": state, "t_ms": place})
    made("diverged", lines)
    page, _ = report("diverged", "--replay")
    browser.open(page)
    told = json.loads(staty("replay", "diverged.sqlite", "--json").stdout)
    said = told["verdicts"][0]["divergences"]
    expect(browser.run("document.querySelector('#verdict strong').textContent") == "diverged",
           "the verdict is another")
    browser.run("document.getElementById('moment').focus()")
    browser.key("Home")
    browser.click("#replay button")
    expect(place_shown(browser) == said[0]["seq"], f"the divergence leads to {place_shown(browser)}")
    sides = browser.run("[...document.querySelectorAll('.sides > div > p:nth-of-type(1)')]"
                        ".map(e => e.textContent)")
    expect(len(sides) == 2 * len(said) and sides[0].startswith("entering #2 alert")
           and "exited" not in sides[0] and sides[0] != sides[1], f"the sides are {sides}")
    expect(browser.troubles() == [], f"diverged: {browser.troubles()}")


def check_reasons(browser):
    """A finding says what led to it, also where that is not on the page."""
    lines = [{"format": "staty-history", "version": 1},
             {"type": "controller", "controller": "asks", "policy": "mine"},
             {"type": "controller", "controller": "shows", "policy": "mine"},
             {"kind": "enqueued", "controller": "asks", "state": "first", "t_ms": 0,
              "site": "Shop/Asks.swift", "line": 7},
             {"kind": "enqueued", "controller": "shows", "state": "second", "t_ms": 1, "inside": 2,
              "part": "performed"},
             *({"kind": "mark", "note": "between", "t_ms": 2} for _ in range(9)),
             {"kind": "entering", "controller": "shows", "state": "second", "t_ms": 3, "cause": 4},
             {"kind": "entered", "controller": "shows", "state": "second", "t_ms": 4, "cause": 14},
             {"kind": "exited", "controller": "shows", "state": "second", "t_ms": 5, "cause": 15},
             {"kind": "exited", "controller": "shows", "state": "second", "t_ms": 6, "cause": 15}]
    made("reasons", lines)
    [[seq]] = rows("reasons", "SELECT seq FROM violations WHERE code = 'double-exit'")
    for words in [[], ["--limit", "3"], ["--controller", "shows"]]:
        browser.open(report("reasons", *words)[0])
        place = browser.run("page.session.raw.findings.findIndex(one => one.code === 'double-exit')")
        item = f"#findings > li:nth-child({place + 1})"
        browser.click(f"{item} [aria-expanded]")
        check_chain(browser, "reasons", seq, f"{item} .chain > li")
        away = browser.run(f"document.querySelectorAll('{item} .chain > li').length")
        away -= browser.run(f"document.querySelectorAll('{item} .chain button').length")
        expect((away > 0) == bool(words), f"{words}: {away} events are not on the page")
        browser.click(f"{item} [aria-expanded]")
        expect(browser.run(f"document.querySelector('{item} .reason').hidden"), "a reason stays open")
        check_steps(browser, "#why .chain button", 16)
    expect(browser.troubles() == [], f"reasons: {browser.troubles()}")


def check_steps(browser, selector, seq):
    """Who goes from one event to the next with the keyboard stays where the way is."""
    browser.run(f"page.goTo(page.session.placeOf({seq}))")
    box = selector.split()[0]
    for _ in range(3):
        text = browser.run(f"(step => step && (step.focus(), step.click(), step.textContent))"
                           f"(document.querySelector({json.dumps(selector)}))")
        held = browser.run("[document.activeElement.textContent, document.activeElement.closest('[id]')?.id]")
        expect(f"#{held[1]}" == box, f"{selector}: after {text} the focus is at {held}")
        if browser.run(f"document.querySelector({json.dumps(selector)}) === null"):
            return
        expect(held[0] == text, f"{selector}: after {text} the focus is at {held}")


def mirrored(path, shown):
    """Two tracks that should show the same, and do not in the end."""
    side = {"discipline": "moves", "fidelity": "full", "policy": "moves",
            "snapshot": {"isTornDown": False, "isWithholding": False, "lastVisit": 1, "waiting": [],
                         "standing": [{"phase": 2, "state": "list", "visit": 1}],
                         "mirrors": [{"pair": 1, "within": 1_000_000, "isError": False, "isPath": False}]}}
    lines = [{"format": "staty-history", "version": 1},
             *({"type": "controller", "controller": name, **side} for name in [path, shown])]
    for place, (name, visit, state) in enumerate(
            [(path, 1, "list"), (shown, 1, "list"), (path, 2, "detail"), (shown, 2, "detail"),
             (path, 3, "list")]):
        lines.append({"kind": "stood" if visit == 1 else "moved", "controller": name, "visit": visit,
                      "state": state, "t_ms": place, **({"reason": "entered"} if visit == 1 else {})})
    return lines + [{"kind": "mark", "note": "later", "t_ms": 600 * after} for after in range(1, 9)]


def check_mirrors(browser):
    """What two tracks show that should show the same stands side by side, at each moment."""
    made("mirrors", mirrored("model", "screen"))
    page, _ = report("mirrors")
    browser.open(page)
    browser.run("page.goTo(page.session.count - 1)")
    sides = "[...document.querySelectorAll('#mirrors .sides > div')].map(e => e.querySelector('h4').textContent" \
            " + '; ' + e.querySelector('p').textContent)"
    expect(browser.run(sides) == ["model; On screen: #3 list", "screen; On screen: #2 detail"],
           f"the mirrors are {browser.run(sides)}")
    browser.run("page.goTo(page.session.placeOf(6))")
    expect(browser.run(sides) == ["model; On screen: #2 detail", "screen; On screen: #2 detail"],
           f"the mirrors are {browser.run(sides)}")
    check_steps(browser, "#mirrors button", 8)
    # Not by the mouse: the page may still scroll.
    browser.run("document.querySelector('#findings [aria-expanded]').click()")
    marked = browser.run("[...document.querySelectorAll('#findings .sides > div')].map(e => e.className)")
    expect(marked == ["other", ""], f"the sides are marked {marked}")
    expect(browser.troubles() == [], f"mirrors: {browser.troubles()}")


def chosen(pairs):
    """Controllers that reject a request while they are busy: what they show in the end depends on the order."""
    lines = [{"format": "staty-history", "version": 1}]
    for controller, first, second in pairs:
        lines.append({"type": "controller", "controller": controller, "policy": "reject"})
    clock = 0
    for controller, first, second in pairs:
        for words in [("enqueued", 1), ("entering", 1), ("entered", 1), ("enqueued", 2), ("exiting", 1),
                      ("exited", 1), ("entering", 2), ("entered", 2)]:
            clock += 1
            kind, visit = words
            lines.append({"kind": kind, "controller": controller, "visit": visit, "t_ms": clock,
                          "state": first if visit == 1 else second})
    return lines


def check_outcomes(browser):
    """Two orders that end differently lie below each other, with the first difference in one column."""
    made("chosen", chosen([("screen", "list", "detail")]))
    page, _ = report("chosen", "--outcomes")
    told = json.loads(staty("explore", "chosen.sqlite", "--json").stdout)["verdicts"][0]
    browser.open(page)
    verdict = browser.run("document.querySelector('#ends strong').textContent")
    expect(verdict == told["verdict"], f"the page says {verdict}, and 'explore' {told['verdict']}")
    ways = browser.run("[...document.querySelectorAll('#ways li')].map(e => e.textContent)")
    wanted = [f"{one['shows']}: {one['when']}." for one in told["outcomes"][0]["outcomes"]]
    expect(ways == wanted and len(ways) == 2, f"the outcomes are {ways}, and not {wanted}")
    splits = browser.run("[...document.querySelectorAll('#orders .split')].map(e => "
                         "Math.round(e.getBoundingClientRect().x))")
    expect(len(splits) >= 4 and len(set(splits)) == 1, f"the first difference is at {splits}")
    titles = browser.run("[...document.querySelectorAll('#orders h3')].map(e => e.textContent)")
    expect(len(titles) == 2 and titles[0].startswith("As usual"), f"the orders are {titles}")
    # What is no change of a visit's phase is no hole in its lane.
    for cells, wanted in [("?.c.>-[=d=+<~]!", "0 pending 4 moving 2 shown 5 moving 2 end 1  1"),
                          ("?.x!  ", "0 pending 2 pending end 1  3"), ("[=!=:::|#", "0 shown 4  5")]:
        parts = browser.run(f"""[...strip("{cells}", 0, {len(cells)}, 0).querySelectorAll("i")].map(e =>
            `${{e.className}} ${{Math.round(parseFloat(e.style.width) * {len(cells)} / 100)}}`).join(" ").trim()""")
        expect(parts == wanted, f"{cells!r} is drawn as {parts!r}, and not as {wanted!r}")
    expect(browser.troubles() == [], f"chosen: {browser.troubles()}")
    browser.open(report("chosen")[0])
    expect(browser.run("document.getElementById('outcomes').hidden"), "outcomes that nobody asked for")


def check_lanes(browser):
    """Each lane can be reached and printed, and what is pale has an edge."""
    lines = [{"format": "staty-history", "version": 1}]
    for place in range(12):
        for kind in ["enqueued", "entering", "entered", "exiting", "exited"]:
            lines.append({"kind": kind, "controller": f"screen {place}", "state": "a", "t_ms": len(lines)})
    made("lanes", lines)
    browser.open(report("lanes")[0])
    wait = "new Promise(done => requestAnimationFrame(() => setTimeout(done, 100)))"
    for size, height in [(15, 900), (24, 1400), (15, 200)]:
        browser.size(1280, height)
        browser.run(f"document.documentElement.style.fontSize = '{size}px'; page.lanes.draw(); {wait}")
        browser.run(f"page.lanes.box.scrollTop = 1e6; {wait}")
        missing = browser.run("page.lanes.height - page.lanes.box.scrollTop - page.lanes.canvas.clientHeight")
        expect(missing <= 2, f"letters of {size} px, {height} high: {missing} px of the lanes cannot be reached")
    browser.size(1280, 900)
    # On paper it is narrower, but what was drawn keeps its shape.
    browser.call("Emulation.setEmulatedMedia", media="print")
    shape = browser.run("""(() => { page.print(true); document.body.style.width = "600px";
        const {canvas} = page.lanes, {width, height} = canvas.getBoundingClientRect();
        const shape = [width / height, canvas.width / canvas.height];
        document.body.style.width = ""; page.print(false); return shape; })()""")
    browser.call("Emulation.setEmulatedMedia", media="")
    expect(abs(shape[0] / shape[1] - 1) < 0.02, f"printed lanes have the shape {shape[0]}, and not {shape[1]}")
    check_edges(browser)
    many = [{"kind": "enqueued", "controller": f"screen {place}", "state": "a", "t_ms": place} for place in range(500)]
    made("wide", lines[:1] + many)
    browser.open(report("wide")[0])
    rest = "(rest => rest.hidden ? '' : rest.textContent)(document.getElementById('lanes-rest'))"
    expect(browser.run(rest) == "", "lanes are left out of the window")
    drawn, told = browser.run(f"""(() => {{ page.print(true); const {{canvas}} = page.lanes;
        const seen = canvas.getContext("2d").getImageData(0, 0, 200, 40).data.some(value => value > 0);
        return [seen, {rest}]; }})()""")
    expect(drawn and re.match(r"The lanes of \d+ more controllers are left out", told), f"{drawn}, it says {told!r}")
    browser.run(f"page.print(false); {wait}")
    expect(browser.run(rest) == "", "lanes are left out of the window, after printing")
    expect(browser.troubles() == [], f"lanes: {browser.troubles()}")


def contrast(*colors):
    """How much two colors differ, as WCAG has it."""
    def light(color):
        parts = [part / 255 for part in color[:3]]
        parts = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]
    dark, bright = sorted(map(light, colors))
    return (bright + 0.05) / (dark + 0.05)


def check_edges(browser):
    """What is pending, what is entering or exiting, and the field of the search are told from what is around."""
    for scheme in ["light", "dark"]:
        browser.size(1280, 900, scheme)
        browser.run("page.control.all(); page.goTo(0); page.lanes.box.scrollTop = 0; page.lanes.paint(); 0")
        found = browser.run("""(() => { const {lanes, session} = page, [visit] = session.visits;
            const rgb = text => text.match(/\\d+/g).slice(0, 3).map(Number);
            const at = (x, y) => [...lanes.canvas.getContext("2d").getImageData(x, y, 1, 1).data];
            const [left] = lanes.edges(visit), top = lanes.bands[0].top + LABEL;
            const asked = lanes.x(session.clock[visit.asked]), bottom = top + ROW + GAP;
            const style = selector => getComputedStyle(document.querySelector(selector));
            const edge = ({borderTopWidth, borderTopColor, backgroundColor}) =>
              rgb(borderTopWidth === "0px" ? backgroundColor : borderTopColor);
            return {surface: rgb(style(".card").backgroundColor),
              edges: {moving: at((left + lanes.x(session.clock[visit.entered])) / 2, top),
                pending: at((asked + left) / 2, bottom), "moving key": edge(style(".key.moving")),
                "pending key": edge(style(".key.waiting")), field: edge(style("#visit-filter"))}}; })()""")
        for name, color in found["edges"].items():
            ratio = contrast(color, found["surface"])
            expect(len(color) < 4 or color[3] == 255, f"{scheme}: where {name} ends nothing is drawn")
            expect(ratio >= 3, f"{scheme}: the edge of {name} has a contrast of {ratio:.2f}")


def following(name, page, *words):
    """A command that follows a history, once its page is written."""
    if "--force" not in words:
        for end in ["html", "js"]:
            (PLACE / f"{page}.{end}").unlink(missing_ok=True)
    process = subprocess.Popen([STATY, "report", "--follow", f"{name}.sqlite", "-o", f"{page}.html", *words],
                               cwd=PLACE, stderr=subprocess.PIPE, text=True)
    expect(until(lambda: (PLACE / f"{page}.js").exists()), f"nothing follows {name}")
    return process


def until(is_so, seconds=20):
    """Whether it is so within some seconds."""
    end = time.monotonic() + seconds
    while not is_so():
        if time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def visits_shown(browser):
    """All that the page knows of visits, as text."""
    return browser.run("""JSON.stringify([page.session.visits, page.session.queues, page.session.dropped,
        page.session.stages.map(rows => rows.map(({visits}) => visits.map(({id}) => id))),
        [...page.session.seq], [...page.session.state].map(state => page.session.names[state])])""")


def check_live(browser):
    """A page that follows a history shows what one shows that is made at the end, and says what is wrong."""
    lines = [line for line in many_events(3_000) if line.get("type") != "session"]
    header = [line for line in lines if "kind" not in line]
    events = [line for line in lines if "kind" in line]
    made("live", header + events[:100])
    process = following("live", "live")
    browser.open(PLACE / "live.html")
    # While a page is loaded anew it has neither.
    told = "document.getElementById('live')?.textContent ?? ''"
    number = "typeof page === 'undefined' ? 0 : page.session?.count"
    try:
        count = browser.run(number)
        for place in [101, 777, 1_800, len(events)]:
            made("live", header + events[:place])
            grown = rows("live", "SELECT count(*) FROM history")[0][0]
            expect(until(lambda: browser.run(number) == grown),
                   f"{grown} events, and on the page are {browser.run('page.session.count')}")
            expect(browser.run("page.place === page.session.count - 1"), "the newest event is not shown")
        expect(grown > count, "nothing was recorded")
        (PLACE / "live.js").unlink()
        expect(until(lambda: (PLACE / "live.js").exists()), "a script that is gone is not written again")
        followed = visits_shown(browser)
        # A page that was opened later is the same, and so is one that does not follow.
        browser.open(PLACE / "live.html")
        expect(until(lambda: browser.run(number) == grown), "a later page is not complete")
        expect(visits_shown(browser) == followed, "a page that is opened later shows something else")
        browser.open(report("live")[0])
        process = ended(process, browser)
        expect(visits_shown(browser) == followed, "a page that followed shows something else")
        check_moments(browser, "live", every=997)
        process = following("live", "live")
        browser.open(PLACE / "live.html")
        expect(browser.run("location.hash") == "", "the newest event has an address")
        browser.run("page.goTo(7); new Promise(done => setTimeout(done, 500))")
        made("live", header + events[:200])
        made("live", [*header[:1], {"type": "session", "uuid": "other"}, *header[1:], *events[:300]])
        other = rows("live", "SELECT count(*) FROM history")[0][0]
        expect(until(lambda: browser.run(number) == other), "a new file is not shown")
        expect("was replaced" in browser.run(told), f"of a new file it says: {browser.run(told)}")
        # Of one controller, which is not there from the beginning, among many other events.
        process.kill()
        process.communicate()
        made("live", header + events[:20])
        process = following("live", "live", "--controller=player")
        browser.open(PLACE / "live.html")
        browser.run("window.isSame = true")
        for place in [60, 800, len(events)]:
            made("live", header + events[:place])
            own = [seq for [seq] in rows("live", "SELECT seq FROM history WHERE controller = 'player'")]
            shown = "typeof page === 'undefined' ? [] : [...page.session?.seq ?? []]"
            expect(until(lambda: browser.run(shown) == own), f"of one controller {browser.run(shown)} is shown")
        expect(browser.run("window.isSame"), "a page of one controller is loaded anew")
        # The script next to it is all that the page may ask for.
        expect(all("asked for" in one and "live.js?" in one for one in browser.troubles()),
               f"live: {browser.troubles()}")
        expect(until(lambda: (PLACE / "live.js").exists()), "the script is not there")
        process.kill()
        process.communicate()
        if IS_LONG:
            expect(until(lambda: "Nothing has come" in browser.run(told)), f"it says: {browser.run(told)}")
        (PLACE / "live.js").unlink()
        expect(until(lambda: "is not next to this page" in browser.run(told)), f"it says: {browser.run(told)}")
        process = following("live", "live")
        browser.open(PLACE / "live.html")
        (PLACE / "live.sqlite").unlink()
        expect(until(lambda: "not updated any more" in browser.run(told)), f"it says: {browser.run(told)}")
        expect("There is no" not in browser.run(told) and process.wait(20) == 66, "it follows nothing")
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()


def check_late(browser):
    """An event that is stored late, and what is recorded while nothing follows, is on an open page, too."""
    lines = numbered([line for line in many_events(500) if line.get("type") != "session"])

    def put(last, missing=0):
        known = [line for line in lines if line.get("seq", 0) <= last and line.get("seq") != missing]
        # What is missing may still come while a session is open.
        imported("late", [line if line.get("type") != "end" else {"type": "end", "ended": "open"} for line in known])
        return rows("late", "SELECT count(*) FROM history")[0][0]

    def shows(count):
        number = "typeof page === 'undefined' ? 0 : page.session?.count"
        return until(lambda: browser.run(number) == count)

    first = put(100, missing=95)
    process = following("late", "late")
    try:
        browser.open(PLACE / "late.html")
        expect(shows(first), "the page is not complete")
        expect(shows(put(140)), "an event that is stored late is not on the page")
        expect(shows(put(200)), "after an event that was stored late the page stands still")
        browser.run("window.isSame = true")
        process.terminate()
        process.communicate(timeout=20)
        meanwhile = put(300)
        process = following("late", "late", "--force")
        expect(shows(meanwhile), "what was recorded while nothing followed is not on the page")
        expect(browser.run("window.isSame"), "a page that can go on is loaded anew")
    finally:
        process.kill()
        process.communicate()


def check_kept(browser):
    """What is open and what has the focus stays so while a page grows."""
    lines = [{"format": "staty-history", "version": 1},
             {"type": "controller", "controller": "screen", "policy": "mine"}]
    for place in range(400):
        lines.append({"controller": "screen", "visit": 1, "state": "a", "t_ms": place,
                      **({"kind": "entering", "cause": 2} if place else {"kind": "enqueued"})})
    for visit in range(40):
        for kind in ["enqueued", "entering", "entered", "exiting", "exited"]:
            lines.append({"kind": kind, "controller": "other", "visit": visit + 1, "state": f"s{visit}",
                          "t_ms": 10 * len(lines)})
    more = [{"kind": kind, "controller": controller, "visit": visit, "state": state, "t_ms": 99_999}
            for controller, visit, state, kinds in [("screen", 1, "a", ["entering"]), (
                "other", 41, "s1", ["enqueued", "entering", "entered", "exiting", "exited"])]
            for kind in kinds]
    made("kept", lines)
    process = following("kept", "kept")
    try:
        browser.open(PLACE / "kept.html")
        expect(until(lambda: browser.run("page.session.count > 500")), "nothing is on the page")
        focus = "document.activeElement"
        browser.run("page.goTo(100); document.querySelector('#findings li:last-child button').click()")
        place = browser.run(f"[...document.getElementById('findings').children].indexOf({focus}.closest('li'))")
        expect(place == 200, f"behind '… more' the focus is at the finding {place}")
        browser.run("[...document.querySelectorAll('#tables button')].at(-1).click()")
        place = browser.run(f"{focus}.closest('#tables') && {focus}.rowIndex")
        expect(place == 26, f"behind '… more' the focus is at the row {place}")
        browser.run("document.querySelector('#findings [aria-expanded]').click()")
        counted = """[document.querySelectorAll('#findings .what').length, document.querySelectorAll('.reason').length,
            ...[...document.querySelectorAll('#tables .scroll')].map(e => e.querySelector('tbody').rows.length)]"""
        shown, grown = browser.run(counted), lines
        steps = ["#findings [aria-expanded]", "#why button", "#visits tbody button", "#tables button"]
        for number, selector in enumerate(steps):
            text = browser.run(f"(it => (it.focus(), it.textContent))(document.querySelector('{selector}'))")
            count = browser.run("page.session.count")
            grown = grown + [{**line, "visit": line["visit"] + number if line["controller"] == "other" else 1}
                             for line in more]
            made("kept", grown)
            expect(until(lambda: browser.run("page.session.count") > count), "nothing new is on the page")
            kept = browser.run(counted)
            expect(all(now >= before for now, before in zip(kept, shown)), f"of {shown} there is {kept}")
            held = browser.run(f"[{focus}.textContent, {focus} === document.querySelector('{selector}')]")
            expect(held[1] and (held[0] == text or selector == "#tables button"), f"{selector}: the focus is at {held}")
        expect(browser.run("page.session.raw.findings.length") > 400, "there are no new findings")
    finally:
        process.kill()
        process.communicate()


def ended(process, browser):
    """The process when the user has ended it, which the page says."""
    process.terminate()
    _, said = process.communicate(timeout=20)
    expect(process.returncode == 0 and "Ctrl-C" in said and "was removed; it is" in said, f"following ends with {process.returncode}: {said}")
    script = (PLACE / "live.js").read_text()
    expect("has ended" in script, "the page does not say that nothing follows it")
    return process


def check_urgency(browser):
    """Who is most urgent waits in front, and whom a deadline takes for being in is in, as `play` says it."""
    lines = [{"format": "staty-history", "version": 1},
             {"type": "controller", "controller": "screen", "policy": "priority",
              "discipline": "by-urgency"},
             {"type": "controller", "controller": "other", "policy": "queue"}]
    told = [("enqueued", 1, 0), ("entering", 1, 0), ("enqueued", 2, 0), ("enqueued", 3, 5),
            ("deadline", 1, 0), ("enqueued", 4, 5), ("enqueued", 5, -3), ("exiting", 1, 0),
            ("discarded", 4, 0), ("exited", 1, 0), ("entering", 3, 0), ("enqueued", 6, 9),
            ("enqueued", 3, 0), ("exited", 3, 0), ("entering", 3, 0)]
    reasons = {"deadline": "entering-force", "discarded": "cancelled"}
    for controller in ["screen", "other"]:
        for place, (kind, visit, priority) in enumerate(told):
            line = {"kind": kind, "controller": controller, "visit": visit, "state": f"s{visit}",
                    "t_ms": len(lines)}
            if kind in reasons:
                line["reason"] = reasons[kind]
            if priority:
                line["priority"] = priority
            lines.append(line)
    made("urgent", lines)
    browser.open(report("urgent")[0])
    check_moments(browser, "urgent")
    turned = browser.run("""[...page.session.seq.keys()].filter(i => page.session.standing(i)[0].queue
        .some(({visit}, j, queue) => j > 0 && queue[j - 1].visit.number > visit.number)).length""")
    expect(turned > 3, f"a later request waits in front after {turned} events")
    browser.open(report("urgent", "--limit", "20")[0])
    check_moments(browser, "urgent", newest=20)
    expect(browser.troubles() == [], f"urgent: {browser.troubles()}")


def check_many(browser):
    made("many", many_events(100_000 if IS_LONG else 20_000))
    page, writing = report("many")
    browser.size(1440, 900)
    opening = browser.open(page)
    expect(browser.troubles() == [], f"many: {browser.troubles()}")
    [[count]] = rows("many", "SELECT count(*) FROM history")
    painting = browser.run(f"""(() => {{ const began = performance.now();
        for (let i = 0; i < 60; i++) {{ page.goTo(i * {count // 60}); page.lanes.paint(); }}
        return (performance.now() - began) / 60; }})()""")
    # At a few places, far from each other.
    for place in [0, 1023, 1024, 1025, count // 2, count * 7 // 9, count - 1]:
        seq = browser.run(f"page.session.seq[{place}]")
        shown, stood = shown_after(browser, place), standing("many", seq)
        expect(shown == stood, f"many, event {seq}: {shown}, and not {stood}")
    print(f"{count:,} events: {page.stat().st_size / 1e6:.1f} MB, written in {writing:.2f} s, "
          f"open in {opening:.2f} s, a moment shown in {painting:.1f} ms")
    check_scrolling(browser)
    check_bands(browser)
    check_cut(browser)


def check_guilty(browser):
    """A page with very many findings opens, and they can be gone through."""
    lines = [{"format": "staty-history", "version": 1},
             {"type": "controller", "controller": "screen", "policy": "mine"}]
    for place in range(98_000):
        kind = ["enqueued", "entering"][min(place, 1)]
        lines.append({"kind": kind, "controller": "screen", "visit": 1, "state": "a", "t_ms": place})
    made("guilty", lines)
    page, writing = report("guilty")
    opening = browser.open(page)
    found = [seq for [seq] in rows("guilty", "SELECT seq FROM violations ORDER BY seq")]
    expect(len(found) > 97_000, f"only {len(found)} findings")
    figure = browser.run("document.querySelector('#figures div:nth-child(4) dd').textContent")
    expect(figure == f"{len(found):,}", f"{figure} errors, and not {len(found):,}")
    browser.click("#findings li:last-child button")
    listed = browser.run("document.querySelectorAll('#findings .what').length")
    expect(listed == 400, f"{listed} findings are listed")
    browser.run("page.goTo(page.session.count - 1); document.body.focus()")
    browser.key("p")
    last = browser.run("page.session.seq.at(-1)")
    before = max(seq for seq in found if seq < last)
    expect(place_shown(browser) == before, f"'p' leads to {place_shown(browser)}, not {before}")
    painting = browser.run("""(() => { const began = performance.now();
        for (let i = 0; i < 60; i++) { page.goTo(i * 1600); page.lanes.paint(); }
        return (performance.now() - began) / 60; })()""")
    print(f"{len(found):,} findings: {page.stat().st_size / 1e6:.1f} MB, written in {writing:.2f} s, "
          f"open in {opening:.2f} s, a moment shown in {painting:.1f} ms")
    expect(browser.troubles() == [], f"guilty: {browser.troubles()}")


def check_scrolling(browser):
    """While it is scrolled, dragged and moved along, nothing holds the page up."""
    def longest():
        return browser.run("""new Promise(done => {
            const tasks = [], box = page.lanes.box, {whole} = page.lanes;
            const watch = new PerformanceObserver(list =>
              tasks.push(...list.getEntries().map(({duration}) => duration)));
            watch.observe({type: "longtask"});
            const down = document.documentElement.scrollHeight - innerHeight, count = page.session.count;
            let frame = 0, last = performance.now(), gap = 0;
            const step = now => {
              gap = Math.max(gap, now - last);
              last = now;
              const share = frame++ / 180;
              if (share < 1 / 3) scrollTo({top: down * share * 3, behavior: "instant"});
              else if (share < 2 / 3) {
                scrollTo({top: 0, behavior: "instant"});
                const span = (whole.to - whole.from) / 50;
                page.control.show(whole.from + (whole.to - whole.from) * (share * 3 - 1), span);
                box.scrollTop = 300 * (share * 3 - 1);
              } else page.goTo(Math.floor(count * (share * 3 - 2)));
              if (share < 1) requestAnimationFrame(step);
              else setTimeout(() => { watch.disconnect(); done([Math.max(0, ...tasks), gap]); }, 100);
            };
            requestAnimationFrame(step); })""")
    # A busy machine makes some tasks long; none of several sweeps is free of a slow page's.
    task, gap = min(longest() for _ in range(3))
    told = "none of 50 ms" if task == 0 else f"{task:.0f} ms"
    print(f"while it is scrolled, the longest task: {told}; the longest time between two frames: {gap:.0f} ms")
    expect(task <= 60, f"a task takes {task:.0f} ms while the page is scrolled")


def check_bands(browser):
    """A click leads to the nearest event of the controller that is clicked on."""
    browser.run("page.control.all()")
    browser.run("new Promise(done => setTimeout(done, 100))")
    x, y, width, _ = browser.middle("#lanes")
    for place in range(3):
        down = browser.run(f"page.lanes.bands[{place}].top") + 30
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            more = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            browser.mouse(kind, x + width * 0.4, y + down, **more)
        shown = browser.run("[page.session.controller[page.place],"
                            "page.session.clock[page.place] / page.session.end]")
        expect(shown[0] == place and abs(shown[1] - 0.4) < 0.01, f"a click leads to {shown}")


def check_cut(browser):
    """A page of the newest events says who was there before them."""
    page, _ = report("many", "--limit", "500")
    browser.open(page)
    expect(browser.run("page.session.count") == 500, "the page has not 500 events")
    for place in [0, 499]:
        seq = browser.run(f"page.session.seq[{place}]")
        shown, stood = shown_after(browser, place), standing("many", seq)
        expect(shown == stood, f"cut, event {seq}: {shown}, and not {stood}")
    [[visits]] = rows("many", "SELECT count(*) FROM visits")
    figure = browser.run("document.querySelector('#figures div:nth-child(3) dd').textContent")
    expect(figure == f"{visits:,}", f"{figure} visits, and not {visits}")
    place = browser.run("document.getElementById('visits-place').textContent")
    expect(place.endswith("older visits not in this page"), f"of the visits it says: {place}")
    expect(browser.troubles() == [], f"cut: {browser.troubles()}")


def check_hostile(browser):
    check_hostile_outputs(browser)
    made("hostile", hostile_events())
    page, _ = report("hostile", "--replay")
    browser.size(1280, 900)
    browser.open(page)
    browser.run("""window.drawn = []; const own = CanvasRenderingContext2D.prototype.fillText;
        CanvasRenderingContext2D.prototype.fillText = function (text, ...rest) {
            window.drawn.push(text); return own.call(this, text, ...rest); }; 0""")
    count = browser.run("page.session.count")
    for place in range(count):
        browser.run(f"page.goTo({place})")
        browser.run(f"page.control.zoom({0.5 if place < 5 else 1}); page.lanes.box.scrollTop = "
                    f"{place * 40}; page.lanes.paint(); 0")
    browser.run("for (const one of document.querySelectorAll('#findings [aria-expanded]')) one.click()")
    browser.run("new Promise(done => setTimeout(done, 500))")
    expect(browser.run("window.taken === undefined"), "a name has run")
    expect(browser.run("document.querySelectorAll('img, svg, iframe, object, embed').length") == 0,
           "a name has become an element")
    expect(browser.run("document.scripts.length") == 3, "there are other scripts")
    titles = browser.run("[...document.querySelectorAll('.card h3')].map(e => e.textContent)")
    states = browser.run("[...document.querySelectorAll('#visits tbody button')].map(e => e.textContent)")
    spoken = browser.run("document.getElementById('spoken').textContent"
                         " + document.getElementById('moment').getAttribute('aria-valuetext')")
    drawn = browser.run("window.drawn.join('')")
    expect("x" * 20 in drawn, "no name is drawn")
    shown = browser.run("""(() => { const body = document.body.cloneNode(true);
        for (const script of body.querySelectorAll("script")) script.remove();
        return body.textContent; })()""")
    for where, text in [("texts", shown), ("lanes", drawn), ("speech", spoken)]:
        hidden = {sign for sign in text if sign not in "\n\u2068\u2069" and visible(sign) != sign
                  and unicodedata.category(sign) != "Lo"}
        expect(not hidden, f"in the page's {where} there are {sorted(map(ascii, hidden))}")
    for name in map(visible, HOSTILE):
        expect(f"{name} {name}" in titles, f"no card is called {name!r}")
        expect(f"#1 {name}" in states, f"no visit is of {name!r}")
        expect(name in shown, f"{name!r} does not show")
    notes = browser.run("""[...page.session.seq].map((_, i) => { page.goTo(i);
        return document.getElementById("now").textContent; }).filter(text => text.includes("mark"))""")
    for name, note in zip(map(visible, HOSTILE), notes):
        expect(note.endswith(f"mark “{name}”"), f"{note!r} is not about {name!r}")
    title = browser.run("document.getElementById('app').textContent")
    expect(title == visible(f"{HOSTILE[0]} {HOSTILE[1]}"), f"the title is {title!r}")
    expect(browser.troubles() == [], f"hostile: {browser.troubles()}")


def check_hostile_outputs(browser):
    """Hostile names in what leads to findings, in mirrors and in outcomes are shown, and do nothing."""
    for number, name in enumerate(HOSTILE):
        other = HOSTILE[(number + 1) % len(HOSTILE)]
        lines = mirrored(name, other + " ")
        lines += chosen([(f"{name}!", name, other)])[1:]
        made("outputs", lines)
        browser.open(report("outputs", "--outcomes")[0])
        browser.run("""page.goTo(page.session.count - 1); page.help();
            for (const one of document.querySelectorAll("#findings [aria-expanded]")) one.click();
            for (const one of document.querySelectorAll("details")) one.open = true;
            new Promise(done => setTimeout(done, 50))""")
        expect(browser.run("window.taken === undefined"), f"{name!r} has run")
        expect(browser.run("document.querySelectorAll('img, svg, iframe, object, embed').length") == 0,
               f"{name!r} has become an element")
        for selector, wanted in [("#mirrors h4", visible(name)), ("#findings .sides h4", visible(name)),
                                 ("#ways", visible(other)[:20]), ("#orders .label", visible(f"{name}! #1 {name}"))]:
            shown = browser.run(f"[...document.querySelectorAll('{selector}')].map(e => e.textContent).join('|')")
            expect(wanted in shown, f"{selector}: {shown!r} does not have {wanted!r}")
            expect(not any(unicodedata.category(sign) in {"Cc", "Zl", "Zp"} or sign == "\u202e" for sign in shown),
                   f"{selector}: something hides in {shown!r}")
        expect(browser.troubles() == [], f"outputs: {browser.troubles()}")


def check_hostile_live(browser):
    """Hostile names that are recorded while a page follows, and one of the page itself, do nothing."""
    lines = hostile_events()
    lines[1]["uuid"] = "hostile"
    name = "a#b%25'\"<i>$&\u202e?"
    made("followed", lines[:1 + len(HOSTILE)] + lines[1 + len(HOSTILE):40])
    process = following("followed", name)
    try:
        browser.open(PLACE / f"{name}.html")
        made("followed", lines)
        [[count]] = rows("followed", "SELECT count(*) FROM history")
        number = "typeof page === 'undefined' ? 0 : page.session.count"
        expect(until(lambda: browser.run(number) == count), f"{browser.run(number)} events, and not {count}")
        browser.run("[...page.session.seq].forEach((_, i) => page.goTo(i))")
        browser.run("new Promise(done => setTimeout(done, 500))")
        expect(browser.run("window.taken === undefined"), "a name has run while it was followed")
        expect(browser.run("document.querySelectorAll('img, svg, iframe, object, embed').length") == 0,
               "a name has become an element while it was followed")
        process.kill()
        process.communicate()
        (PLACE / f"{name}.js").unlink()
        told = "document.getElementById('live').textContent"
        expect(until(lambda: "is not next to" in browser.run(told)), f"it says: {browser.run(told)}")
        expect(f"'{visible(name)}.js'" in browser.run(told), f"it says: {browser.run(told)}")
        check_policy(browser)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        for end in ["html", "js"]:
            (PLACE / f"{name}.{end}").unlink(missing_ok=True)


def check_losses(browser):
    """After a gap the page says that it cannot know who has left."""
    lines = [{"format": "staty-history", "version": 1},
             {"kind": "enqueued", "controller": "screen", "state": "a", "t_ms": 0},
             {"type": "loss", "count": 2, "reason": "disk full"},
             {"kind": "enqueued", "controller": "screen", "state": "b", "t_ms": 5}]
    made("lossy", lines)
    browser.open(report("lossy")[0])
    hidden = "document.getElementById('doubt').hidden"
    browser.run("page.goTo(0)")
    expect(browser.run(hidden) is True, "there is a doubt before the gap")
    browser.run("page.goTo(page.session.count - 1)")
    expect(browser.run(hidden) is False, "there is no doubt after the gap")
    # What is heard of again is not in doubt any more, and before that it is, wherever the page begins.
    made("lossy", [*lines, {"kind": "mark", "note": "on", "t_ms": 6}, {"kind": "entering", "controller": "screen",
                                                                    "state": "a", "t_ms": 7}])
    for words, newest in [([], None), (["--limit=2"], 2)]:
        browser.open(report("lossy", *words)[0])
        check_moments(browser, "lossy", newest=newest)
        doubts = browser.run(f"[...page.session.seq].map((_, i) => (page.goTo(i), {hidden}))")
        expect(doubts == [True, True, False, False, True][-(newest or 5):], f"{words}: no doubt: {doubts}")
    # What became of visits is what the view says, also behind a gap and where not every exit was asked for.
    told = ["enqueued 1", "entering 1", "entered 1", "enqueued 2", "loss", "exited 1", "entering 2",
            "enqueued 3", "entering 3", "entered 3", "exited 3", "enqueued 4", "discarded 4", "entered 2",
            "loss", "enqueued 5"]
    lines = [{"format": "staty-history", "version": 1}]
    for controller in ["ordered", "three-kind"]:
        lines.append({"type": "controller", "controller": controller, "fidelity": controller})
    for place, words in enumerate(told):
        kind, _, visit = words.partition(" ")
        if kind == "loss":
            lines.append({"type": "loss", "count": 2, "reason": "disk full"})
            continue
        for controller in ["ordered", "three-kind"]:
            lines.append({"kind": kind, "controller": controller, "visit": int(visit),
                          "state": f"s{visit}", "t_ms": place})
    made("ends", lines)
    browser.open(report("ends")[0])
    check_moments(browser, "ends")
    view = rows("ends", "SELECT controller, visit, outcome FROM visits")
    shown = browser.run("""[...document.querySelectorAll("#visits tbody tr")].map(({cells}) =>
        [cells[0].textContent, parseInt(cells[1].textContent.slice(1)), cells[7].textContent])""")
    expect(sorted(shown) == sorted(view), f"the visits are {sorted(shown)}, and not {sorted(view)}")
    expect({outcome for *_, outcome in view} >= {"exited", "self-exit", "unknown"}, f"the view says {view}")


def check_nothing(browser):
    """A history in which nothing was recorded has a page, too."""
    made("nothing", [{"format": "staty-history", "version": 1},
                     {"type": "session", "app": "Shop"}, {"type": "end"}])
    browser.open(report("nothing")[0])
    expect(browser.run("document.getElementById('now').textContent") == "No event was recorded.",
           "an empty session says something else")
    connection = sqlite3.connect(PLACE / "nothing.sqlite")
    connection.execute("DELETE FROM session")
    connection.commit()
    connection.close()
    browser.open(report("nothing")[0])
    note = browser.run("document.getElementById('note').textContent")
    expect(note == "There is no session in this history.", f"without sessions it says: {note}")
    expect(browser.troubles() == [], f"nothing: {browser.troubles()}")


def take_pictures(browser):
    for name in ["demo", "diverged", "many", "hostile", "reasons", "mirrors", "chosen", "outputs"]:
        if name == "chosen":
            report(name, "--outcomes")
        browser.open(PLACE / f"{name}.html")
        browser.run("for (const one of document.querySelectorAll('#findings [aria-expanded]')) one.click()")
        for width, height in [(1440, 900), (900, 1000), (390, 844)]:
            for scheme in ["light", "dark"]:
                browser.size(width, height, scheme)
                wide = browser.run("document.documentElement.scrollWidth")
                expect(wide <= width, f"{name} is {wide} wide in a window of {width}")
                browser.picture(PLACE / f"{name}-{width}-{scheme}.png", is_whole=True)


def main():
    browser = Browser()
    try:
        # To make 98,000 findings and to look them up takes as long as all else.
        most = [check_guilty] if IS_LONG else []
        for check in [check_demo, check_links, check_divergence, check_reasons, check_mirrors, check_outcomes,
                      check_lanes, check_live, check_late, check_kept, check_urgency, check_many, *most,
                      check_hostile, check_hostile_live, check_losses, check_nothing, take_pictures]:
            check(browser)
    finally:
        browser.close()
    for failure in failures[:20]:
        print(f"report: {failure}", file=sys.stderr)
    sys.exit(1 if failures else 0)


main()
