"""Makes a fleet: a log a device, and a note of what is planted in them.

`fleet.py DEVICES FOLDER`. An app called Shop in five versions on four systems, a session a device.
From one version on its checkout breaks a rule when somebody is quick, in one version content comes
slowly, and on one system results do not leave. All else is in order. The same number of devices
gives the same logs. `staty import` makes a history of each log.
"""

import json
import os
import random
import sys
import uuid

VERSIONS = ["2.0.0", "2.1.0", "2.2.0", "2.3.0", "2.4.0"]
SYSTEMS = ["iOS 17.5", "iOS 18.1", "iOS 18.4", "macOS 15.3"]
FAULTY, SLOW, STUCK = "2.3.0", "2.2.0", "iOS 18.4"
MONDAY = 1_772_409_600


class Screen:
    """A controller that shows one state after the other."""

    def __init__(self, device, name):
        self.device, self.name, self.visit, self.state = device, name, 0, None
        self.enqueued = 0

    def tell(self, kind, visit, state):
        return self.device.tell(kind, self.name, visit, state)

    def ask(self, state, enters, exits, leaves=True):
        """Shows a state; without `leaves` the one before does not go, and this one waits for it."""
        self.visit += 1
        self.enqueued = self.tell("enqueued", self.visit, state)
        if self.state:
            left = self.tell("exiting", self.visit - 1, self.state)
            if not leaves:
                return left
            self.device.wait(exits)
            self.tell("exited", self.visit - 1, self.state)
        self.tell("entering", self.visit, state)
        self.device.wait(enters)
        self.tell("entered", self.visit, state)
        self.state = state


class Device:
    def __init__(self, number):
        self.dice = random.Random(f"fleet {number}")
        self.file = f"device-{number:05}"
        self.version, self.os = self.dice.choice(VERSIONS), self.dice.choice(SYSTEMS)
        self.uuid = str(uuid.UUID(int=self.dice.getrandbits(128)))
        self.lines, self.seen, self.seq, self.now, self.planted = [], set(), 0, 0.0, []
        began = MONDAY + self.dice.randrange(28 * 86_400)
        self.lines.append({"format": "staty-history", "version": 1})
        self.lines.append({
            "type": "session", "uuid": self.uuid, "app": "Shop", "app_version": self.version,
            "os": self.os, "wall_us": began * 1_000_000})
        for name in ["feed", "search", "checkout"]:
            self.lines.append({"type": "controller", "controller": name, "policy": "queue"})

    def wait(self, times):
        self.now += self.dice.uniform(*times)

    def tell(self, kind, controller, visit, state):
        """Adds an event and says its number: `attached` comes before a controller's first."""
        self.seq += 1 if controller in self.seen else 2
        self.seen.add(controller)
        self.lines.append({
            "kind": kind, "controller": controller, "visit": visit, "state": state,
            "t_us": int(self.now * 1_000)})
        return self.seq

    def plant(self, code, controller, event):
        self.planted.append({
            "file": self.file, "session": self.uuid, "code": code, "controller": controller,
            "event": event})

    def live(self):
        feed, search, checkout = (Screen(self, name) for name in ["feed", "search", "checkout"])
        is_stuck = is_broken = False
        for _ in range(self.dice.randint(4, 9)):
            scene = self.dice.randint(1, 8)
            if scene > 6 and not is_broken:
                is_broken = self.buy(checkout)
            elif scene > 4 and not is_stuck:
                is_stuck = self.find(search)
            else:
                self.browse(feed)
            self.wait((2_000, 30_000))
        self.wait((5_000, 5_000))
        self.lines.append({"kind": "mark", "note": "end", "t_us": int(self.now * 1_000)})

    def browse(self, feed):
        for _ in range(self.dice.randint(1, 4)):
            feed.ask("loading", (80, 200), (100, 250))
            self.wait((300, 1_500))
            content = (900, 1_500) if self.version == SLOW else (180, 420)
            feed.ask("content", content, (120, 260))
            self.wait((3_000, 12_000))

    def find(self, search):
        search.ask("typing", (60, 150), (80, 200))
        self.wait((1_500, 6_000))
        search.ask("results", (200, 600), (80, 200))
        self.wait((2_500, 9_000))
        is_stuck = self.os == STUCK and self.dice.random() < 0.2
        left = search.ask("idle", (60, 150), (150, 400), leaves=not is_stuck)
        if is_stuck:
            self.plant("never-exited", "search", left)
        self.wait((2_500, 5_000))
        return is_stuck

    def buy(self, checkout):
        """Whoever is quick asks for the receipt before the payment is on the screen."""
        checkout.ask("cart", (150, 350), (150, 350))
        self.wait((2_500, 9_000))
        if self.version < FAULTY or self.dice.random() >= 0.3:
            checkout.ask("payment", (200, 500), (150, 350))
            self.wait((2_500, 6_000))
            checkout.ask("receipt", (150, 350), (200, 500))
            self.wait((3_000, 8_000))
            return False
        checkout.visit += 1
        payment = checkout.visit
        checkout.tell("enqueued", payment, "payment")
        checkout.tell("exiting", payment - 1, "cart")
        self.wait((150, 350))
        checkout.tell("exited", payment - 1, "cart")
        checkout.tell("entering", payment, "payment")
        self.wait((40, 40))
        receipt = checkout.tell("enqueued", payment + 1, "receipt")
        self.plant("exit-before-enter", "checkout", checkout.tell("exiting", payment, "payment"))
        self.wait((200, 500))
        checkout.tell("exited", payment, "payment")
        self.plant("never-entered", "checkout", receipt)
        self.wait((3_000, 8_000))
        return True


def note(devices, planted):
    return {
        "sessions": devices,
        "introduced": [
            {"code": code, "controller": "checkout", "app_version": FAULTY}
            for code in ["exit-before-enter", "never-entered"]],
        "slower": [{
            "controller": "feed", "from": "loading", "to": "content", "app_version": SLOW}],
        "stuck": [{"controller": "search", "state": "results", "os": STUCK}],
        "planted": planted,
    }


def main():
    devices, folder = int(sys.argv[1]), sys.argv[2]
    os.makedirs(folder)
    planted = []
    for number in range(1, devices + 1):
        device = Device(number)
        device.live()
        planted += device.planted
        with open(f"{folder}/{device.file}.ndjson", "w", encoding="utf-8") as log:
            log.writelines(json.dumps(line) + "\n" for line in device.lines)
    with open(f"{folder}/planted.json", "w", encoding="utf-8") as file:
        json.dump(note(devices, planted), file)


main()
