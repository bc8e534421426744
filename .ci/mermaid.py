"""Lets Mermaid itself draw what `staty graph` writes; see `.ci/mermaid`."""

import json
import pathlib
import subprocess
import sys
import time

from browser import Browser
import hostile

STATY, PLACE, SCRIPT = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])


def staty(*words):
    return subprocess.run([STATY, *words], check=True, capture_output=True, text=True).stdout


failures = []
hostile.write_recordings(STATY, PLACE)
page = PLACE / "page.html"
page.write_text(f"<meta charset=utf-8><script src='{SCRIPT.as_uri()}'></script><body></body>")
browser = Browser()
browser.call("Page.navigate", url=page.as_uri())


def evaluate(expression):
    answer = browser.call(
        "Runtime.evaluate", expression=expression, awaitPromise=True, returnByValue=True)
    if "exceptionDetails" in answer:
        details = answer["exceptionDetails"]
        raise RuntimeError(details.get("exception", {}).get("description", details["text"]))
    return answer["result"].get("value")


for _ in range(300):
    if evaluate("typeof mermaid") == "object":
        break
    time.sleep(0.1)
evaluate("mermaid.initialize({startOnLoad: false})")
drawings = 0
for file in sorted(PLACE.glob("*/*.sqlite")):
    for kind in [[], ["--sequence", "--limit=0"]]:
        text = staty("graph", *kind, str(file))
        try:
            # What is not drawn, Mermaid replaces by a picture of an error.
            shown = evaluate(
                f"mermaid.render('drawing', {json.dumps(text)}).then(drawn => {{"
                "document.body.innerHTML = drawn.svg; return document.body.textContent })")
        except RuntimeError as error:
            failures.append(f"{file.name} {kind}: {error}")
            continue
        drawings += 1
        if evaluate("typeof window.taken") != "undefined":
            failures.append(f"{file.name} {kind}: a name was run")
        if file.parent.name == "hostile":
            continue
        # A flowchart has only states that entered.
        kinds = "kind <> 'received'" if kind else "kind IN ('entered', 'moved')"
        names = json.loads(staty(
            "query", str(file), "--json",
            f"SELECT DISTINCT state FROM history WHERE state IS NOT NULL AND {kinds}"))
        missing = [row["state"] for row in names if row["state"] not in shown]
        if missing:
            failures.append(f"{file.name} {kind}: {missing} are not in the drawing")
if failures or drawings < 30:
    sys.exit("\n".join(failures) or f"only {drawings} drawings")
