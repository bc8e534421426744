"""Puts sessions of two other apps beside the generated fleet's, where what is true of one app must
not change what is said of another.

`other_apps.py PARTITIONS PLAN NEW-PLAN`. They are sessions of the fleet under other names. Those of
the first have versions that the fleet's would be mixed up with: clean and slow ones, some that
broke a rule from a version on, and two that got stuck on another system; no version is slower than
its others, and two are too few to be stuck. The second has one version alone, which thus introduced
nothing. Beside each is what a killed export leaves, which nobody is to read.
"""

import glob
import json
import os
import re
import sys
import uuid

STALL, KIOSK = "Stall", "Kiosk"
INTRODUCED = {"exit-before-enter", "never-entered"}

partitions, plan_path, new_path = sys.argv[1:]
plan = json.load(open(plan_path, encoding="utf-8"))
slow, stuck = plan["slower"][0], plan["stuck"][0]
codes = {}
for row in plan["planted"]:
    codes.setdefault(row["session"], []).append(row)


class Session:
    def __init__(self, path):
        self.path = path
        self.text = open(path, encoding="utf-8").read()
        events = [json.loads(line) for line in self.text.splitlines()]
        started = next(event for event in events if event.get("type") == "session")
        self.uuid, self.app = started["uuid"], started["app"]
        self.version, self.os = started["app_version"], started["os"]
        self.rows = codes.get(self.uuid, [])
        self.codes = {row["code"] for row in self.rows}
        self.moves = sum(
            event.get("kind") == "entered" and event["controller"] == slow["controller"]
            and event["state"] == slow["to"] for event in events)

    def copy(self, app, version, os_name):
        """Writes this session as one of another app, and says what is planted in that."""
        name = str(uuid.uuid5(uuid.NAMESPACE_URL, f"{app}/{version}/{self.uuid}"))
        values = {"uuid": name, "app": app, "app_version": version, "os": os_name}
        text = re.sub(r'"(uuid|app|app_version|os)":"[^"]*"',
                      lambda found: f'"{found[1]}":"{values[found[1]]}"', self.text)
        folder = os.path.dirname(self.path).replace(f"app={self.app}", f"app={app}")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, name + ".ndjson"), "w", encoding="utf-8") as file:
            file.write(text)
        with open(os.path.join(folder, f".{name}.ndjson.1-2.part"), "w", encoding="utf-8") as file:
            # Of a session of its own, so that who reads it sees one more.
            other_name = str(uuid.uuid5(uuid.NAMESPACE_URL, name))
            file.write(text.replace(name, other_name)[:len(text) // 2])
        return [{**row, "app": app, "session": name} for row in self.rows]


sessions = [Session(path) for path in sorted(glob.glob(partitions + "/*/*/*.ndjson"))]
sessions.sort(key=lambda session: session.moves)
is_slow = [session for session in sessions
           if session.version == slow["app_version"] and not session.codes]
is_broken = [session for session in sessions if session.codes == INTRODUCED]
is_stuck = [session for session in sessions
            if session.os == stuck["os"] and session.codes == {"never-exited"}
            and session.rows[0]["controller"] == stuck["controller"]]
other = next(session.os for session in sessions if session.os != stuck["os"])

copies = (
    [(session, STALL, "2.3.0-beta1", session.os) for session in is_slow[-12::2]]
    + [(session, STALL, "2.9.0", session.os) for session in is_slow[-11::2]]
    + [(session, STALL, "1.9.0", other) for session in is_stuck[:2]]
    + [(session, STALL, "2.10.0-beta1", session.os) for session in is_broken[:10:3]]
    + [(session, STALL, "2.10.1", session.os) for session in is_broken[1:10:3]]
    + [(session, STALL, "2.10.2", session.os) for session in is_broken[2:10:3]]
    + [(session, KIOSK, "2.4.0", session.os) for session in is_broken[:10]])
moves = {}
for session, app, version, _ in copies:
    if app == STALL:
        moves[version] = moves.get(version, 0) + session.moves
# Otherwise the sessions would not be what is said above of them.
assert len(copies) == 34, f"{len(copies)} sessions: the fleet is too small"
compared = {version for version in moves if moves[version] >= 30}
assert compared == {"2.3.0-beta1", "2.9.0"}, moves

for rows in plan.values():
    if isinstance(rows, list):
        for row in rows:
            row["app"] = sessions[0].app
plan["introduced"] += [
    {**row, "app": STALL, "app_version": "2.10.0-beta1"} for row in plan["introduced"]]
for copy in copies:
    plan["planted"] += copy[0].copy(*copy[1:])
with open(new_path, "w", encoding="utf-8") as file:
    json.dump(plan, file)
print(f"{len(copies)} sessions of other apps")
