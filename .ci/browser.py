"""A headless Chromium on a pair of pipes: DevTools' protocol needs nothing else to be installed."""

import base64
import json
import os
import shutil
import subprocess
import tempfile
import time


class Browser:
    def __init__(self):
        program = shutil.which("chromium") or shutil.which("chromium-browser")
        self.folder = tempfile.TemporaryDirectory()
        (theirs_in, ours_out), (ours_in, theirs_out) = os.pipe(), os.pipe()

        def place_ends():
            # Chromium reads descriptor 3 and writes 4; the pipes may lie on these themselves.
            high = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)
            os.set_inheritable(3, True)
            os.set_inheritable(4, True)

        self.process = subprocess.Popen(
            [program, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
             "--no-first-run", "--disable-background-networking", "--disable-component-update",
             "--hide-scrollbars", "--remote-debugging-pipe", f"--user-data-dir={self.folder.name}"],
            preexec_fn=place_ends, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)
        self.out, self.incoming = os.fdopen(ours_out, "wb"), os.fdopen(ours_in, "rb")
        self.number, self.session, self.events = 0, None, []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call(
            "Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ["Page", "Runtime", "Log", "Network"]:
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        self.out.write(json.dumps(message).encode() + b"\0")
        self.out.flush()
        while True:
            answer = self.read()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']['message']}")
                return answer["result"]

    def read(self):
        text = bytearray()
        while not text.endswith(b"\0"):
            part = self.incoming.read(1)
            if not part:
                raise RuntimeError("Chromium has gone")
            text += part
        message = json.loads(text[:-1])
        if "method" in message:
            self.events.append(message)
        return message

    def open(self, path, fragment=""):
        """Opens a file without network, and returns how long that took until it was drawn."""
        # What the page before still says is not said of this one.
        self.navigate("about:blank")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0,
                  downloadThroughput=0, uploadThroughput=0)
        began = time.monotonic()
        self.navigate(path.resolve().as_uri() + fragment)
        self.run("new Promise(done => requestAnimationFrame(() => setTimeout(done)))")
        return time.monotonic() - began

    def navigate(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(event["method"] == "Page.loadEventFired" for event in self.events):
            self.read()

    def run(self, code):
        result = self.call(
            "Runtime.evaluate", expression=code, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{code}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def troubles(self):
        """What the page complained of: exceptions, console errors, refused or failed loads."""
        found = []
        for event in self.events:
            method, said = event["method"], event["params"]
            if method == "Runtime.exceptionThrown":
                found.append(json.dumps(said["exceptionDetails"])[:400])
            elif method == "Runtime.consoleAPICalled" and said["type"] in ("error", "warning"):
                found.append(json.dumps(said["args"])[:400])
            elif method == "Log.entryAdded" and said["entry"]["level"] in ("error", "warning"):
                found.append(said["entry"]["text"])
            elif method == "Network.requestWillBeSent":
                url = said["request"]["url"]
                if said["type"] != "Document":
                    found.append(f"it asked for {url}")
        return found

    def key(self, key, code=None):
        text = {"text": key} if len(key) == 1 else {}
        codes = {"ArrowRight": 39, "ArrowLeft": 37, "Home": 36, "End": 35, "PageUp": 33,
                 "PageDown": 34, "Enter": 13, "Tab": 9, "Escape": 27}
        number = {"windowsVirtualKeyCode": codes[key]} if key in codes else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, code=code or key,
                  **text, **number)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key, code=code or key, **number)

    def middle(self, selector):
        """Where an element is, once it is scrolled to."""
        return self.run(
            f"(() => {{ const element = document.querySelector({json.dumps(selector)});"
            "element.scrollIntoView({block: 'center', behavior: 'instant'});"
            "const box = element.getBoundingClientRect();"
            "return [box.x, box.y, box.width, box.height]; })()")

    def mouse(self, kind, x, y, **more):
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def click(self, selector, across=0.5, down=0.5):
        x, y, width, height = self.middle(selector)
        x, y = x + width * across, y + height * down
        for kind in ["mouseMoved", "mousePressed", "mouseReleased"]:
            more = {} if kind == "mouseMoved" else {"button": "left", "clickCount": 1}
            self.mouse(kind, x, y, **more)

    def size(self, width, height, scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia", features=[
            {"name": "prefers-color-scheme", "value": scheme}])
        self.run("new Promise(done => requestAnimationFrame(() => setTimeout(done, 50)))")

    def picture(self, path, is_whole=False):
        data = self.call("Page.captureScreenshot", format="png", captureBeyondViewport=is_whole)
        path.write_bytes(base64.b64decode(data["data"]))

    def close(self):
        try:
            self.call("Browser.close")
        except (RuntimeError, BrokenPipeError):
            pass
        self.process.wait(timeout=20)
        self.folder.cleanup()
