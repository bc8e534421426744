"""Measures a page that follows a recording; see `.ci/live`."""

import pathlib
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from browser import Browser

PROGRAMS, SECONDS, RATE = pathlib.Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
# Notes each task of 50 ms and more, the longest time between two frames, when how much was shown, and how
# long the page worked for it.
WATCH = """(() => { const seen = window.seen = {tasks: [], gap: 0, shown: [], work: []};
    const grow = page.grow;
    page.grow = (...news) => {
      const began = performance.now(), fits = grow.apply(page, news);
      seen.work.push(performance.now() - began);
      return fits;
    };
    new PerformanceObserver(list => seen.tasks.push(...list.getEntries().map(({duration}) => duration)))
      .observe({type: "longtask"});
    let last = performance.now(), count = 0;
    const step = now => {
      seen.gap = Math.max(seen.gap, now - last);
      last = now;
      if (page.session && page.session.count !== count) {
        count = page.session.count;
        seen.shown.push([Math.round(now), count]);
      }
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step); })()"""
NUMBER = "typeof page === 'undefined' ? 0 : page.session?.count ?? 0"


def until(is_so, seconds):
    end = time.monotonic() + seconds
    while not is_so() and time.monotonic() < end:
        time.sleep(0.1)
    return is_so()


def recorded(place):
    connection = sqlite3.connect(f"file:{place / 'history.sqlite'}?mode=ro", uri=True)
    [[count]] = connection.execute("SELECT count(*) FROM history")
    connection.close()
    return count


def main(place):
    recorder = subprocess.Popen(
        [PROGRAMS / "RecorderProbe", "steady", place / "history.sqlite", str(RATE), str(SECONDS)],
        stdout=subprocess.PIPE, text=True)
    follower = browser = None
    try:
        recorder.stdout.readline()
        until((place / "history.sqlite").exists, 20)
        time.sleep(1)
        follower = subprocess.Popen(
            [PROGRAMS / "staty", "report", "--follow", "history.sqlite", "-o", "live.html"], cwd=place)
        if not until((place / "live.js").exists, 20):
            sys.exit("live: nothing follows the recording")
        browser = Browser()
        browser.size(1440, 900)
        browser.open(place / "live.html")
        browser.run(WATCH)
        recorder.wait(SECONDS + 60)
        count = recorded(place)
        if count < RATE * SECONDS * 0.9:
            sys.exit(f"live: only {count:,} events were recorded")
        if not until(lambda: browser.run(NUMBER) == count, 60):
            sys.exit(f"live: {browser.run(NUMBER):,} of {count:,} events are on the page")
        seen = browser.run("window.seen ?? null")
        if seen is None:
            sys.exit("live: the page was loaded anew, so that it stalled")
        times = [moment for moment, _ in seen["shown"]]
        pauses = [later - earlier for earlier, later in zip(times, times[1:])]
        worst, work = max(seen["tasks"], default=0), sorted(seen["work"])
        middle = work[len(work) // 2]
        print(f"figure: {count:,} events in {SECONDS} s on a page that follows them: "
              f"{len(seen['tasks'])} tasks of 50 ms or more, the longest {worst:.0f} ms; "
              f"the longest time between two frames {seen['gap']:.0f} ms; "
              f"the page works {middle:.0f} ms for what is new, {work[-1]:.0f} ms at most; "
              f"what is new comes after {sorted(pauses)[len(pauses) // 2] / 1000:.1f} s, "
              f"and after {max(pauses) / 1000:.1f} s at most")
        follower.send_signal(signal.SIGINT)
        if follower.wait(20) != 0:
            sys.exit(f"live: the follower ended with {follower.returncode}")
        # On a busy machine some tasks are long. A page that builds itself anew has a long one each time.
        if middle > 50 or len(seen["tasks"]) > len(work) / 2:
            sys.exit("live: the page stalls")
    finally:
        for process in [recorder, follower]:
            if process and process.poll() is None:
                process.kill()
        if browser:
            browser.close()


with tempfile.TemporaryDirectory() as folder:
    main(pathlib.Path(folder))
