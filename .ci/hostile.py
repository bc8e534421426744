"""The recordings of the demo and the gallery, and some whose names try to be syntax, markup and script."""

import json
import subprocess

NAMES = [
    "</script><script>window.taken = 1</script>", '"><img src=x onerror="window.taken = 2">',
    "`${window.taken = 3}`", "a\u2028b", "end", "%%{init: {}}%%", "x; y # z", "wrap: x", "a\nb",
    "user->>platform: taken", "שלום 日本語 🙂", "style a:b", " ", "-->", "{", "x\"] ; click a call b()",
]


def write_recordings(staty, place):
    """Writes them into the folders `gallery`, `demo` and `hostile`."""
    for words, folder in [(["demo", "gallery"], "gallery"), (["demo"], "demo")]:
        subprocess.run([staty, *words, "-q", "-o", place / folder], check=True)
    (place / "hostile").mkdir()
    exported = subprocess.run(
        [staty, "export", place / "demo" / "second-last.sqlite"],
        check=True, capture_output=True, text=True).stdout
    for number in range(len(NAMES)):
        write_hostile(staty, place, exported, number)


def write_hostile(staty, place, exported, number):
    """A recording of the demo with other names."""
    states = {}
    lines = []
    for text in exported.splitlines():
        line = json.loads(text)
        if line.get("uuid"):
            line["uuid"] = f"{number:02x}{line['uuid'][2:]}"
        if line.get("controller"):
            line["controller"] = NAMES[number]
        if line.get("state"):
            states.setdefault(line["state"], NAMES[(number + len(states)) % len(NAMES)])
            line["state"] = states[line["state"]]
        lines.append(json.dumps(line) + "\n")
    events = place / f"{number}.ndjson"
    events.write_text("".join(lines))
    subprocess.run(
        [staty, "import", events, "-o", place / "hostile" / f"{number}.sqlite"],
        check=True, capture_output=True)
