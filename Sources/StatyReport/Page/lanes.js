// The canvas with the lanes, and the small one with the whole session. Only visible visits are
// drawn: in each row those between two times and, if several share a pixel, the first.

const LABEL = 24, ROW = 24, GAP = 4, QUEUE = 22, BETWEEN = 16;
// A browser draws nothing on a canvas that is higher than some 32,767 of its pixels.
const HIGHEST = 32000;

class Lanes {
  constructor(session, onPick) {
    this.session = session;
    this.onPick = onPick;
    this.canvas = byId("lanes");
    this.box = byId("lanes-box");
    this.map = byId("map");
    this.place = 0;
    this.read();
    this.view = {...this.whole};
    // What does not depend on the moment is drawn once for each view.
    this.still = document.createElement("canvas");
    this.isDue = false;
    this.readColors();
  }

  // Reads what the session has now.
  read() {
    const {session} = this, span = Math.max(session.end - session.start, 1);
    this.whole = {from: session.start - span * 0.01, to: session.end + span * 0.01};
    this.bands = this.measure();
    const found = session.raw.findings.filter(finding => session.has(finding.seq));
    this.marks = new Marks(session, found);
    const own = session.controllers.map(() => []);
    for (const finding of found) own[finding.controller].push(finding);
    this.marksOf = own.map(findings => new Marks(session, findings));
    this.bars = this.drawn = null;
  }

  // Takes what the session has got. The whole session stays visible if it was.
  grow() {
    // Zooming in and out again rounds.
    const {view, whole} = this, isWhole = view.from < whole.from + 1 && view.to > whole.to - 1;
    this.read();
    if (isWhole) this.view = {...this.whole};
  }

  measure() {
    let top = 8;
    return this.session.controllers.map((controller, place) => {
      const rows = Math.max(1, this.session.stages[place].length);
      const hasQueue =
        this.session.queues[place].most > 0 || this.session.dropped[place].length > 0;
      const band = {top, rows, hasQueue};
      band.height = LABEL + rows * (ROW + GAP) + (hasQueue ? QUEUE : 0);
      top += band.height + BETWEEN;
      this.height = top;
      return band;
    });
  }

  readColors() {
    this.drawn = null;
    const style = getComputedStyle(document.documentElement);
    this.colors = {};
    for (const name of ["text", "soft", "line", "accent", "accent-text", "moving", "waiting",
      "error", "warning", "surface"]) {
      this.colors[name] = style.getPropertyValue(`--${name}`).trim();
    }
    this.font = `12px ${getComputedStyle(document.body).fontFamily}`;
    this.draw();
  }

  draw() {
    if (this.isDue) return;
    this.isDue = true;
    requestAnimationFrame(() => {
      this.isDue = false;
      this.paint();
    });
  }

  paint() {
    const total = Math.max(this.height || 0, 60);
    const isPrinting = document.documentElement.classList.contains("printing");
    const most = Math.min(total, isPrinting ? Math.floor(HIGHEST / (window.devicePixelRatio || 1))
      : parseFloat(getComputedStyle(this.box).maxHeight) || total);
    byId("lanes-space").style.height = `${isPrinting ? 0 : total - most}px`;
    const rest = isPrinting ? this.bands.filter(({top, height}) => top + height > most).length : 0;
    byId("lanes-rest").hidden = rest === 0;
    byId("lanes-rest").textContent =
      `The lanes of ${counted(rest, "more controller")} are left out: there is no room to print them.`;
    const width = this.width = this.canvas.clientWidth;
    const context = this.prepare(this.canvas, width, most);
    const drawn = [width, most, this.box.scrollTop, this.view.from, this.view.to].join(" ");
    if (drawn !== this.drawn) {
      this.drawn = drawn;
      this.paintStill(this.prepare(this.still, width, most), most);
    }
    if (width > 0) context.drawImage(this.still, 0, 0, width, most);
    this.paintThere(context, most);
    this.paintPlayhead(context, most);
    this.paintMap();
  }

  paintStill(context, height) {
    this.paintTimes(context, height);
    this.eachBand(height, (place, top) =>
      this.paintBand(context, this.session.controllers[place], place, top));
    this.paintLosses(context, height);
  }

  // Calls the body for each controller whose lanes are visible.
  eachBand(height, body) {
    this.bands.forEach((band, place) => {
      const top = band.top - this.box.scrollTop;
      if (top < height && top + band.height > 0) body(place, top);
    });
  }

  // Marks the visits that are on screen, entering or exiting at this moment.
  paintThere(context, height) {
    const standing = this.session.standing(this.place);
    context.fillStyle = context.strokeStyle = this.colors.text;
    context.lineWidth = 1.5;
    this.eachBand(height, (place, top) => {
      for (const {visit} of standing[place].stage) {
        const [left, right] = this.edges(visit);
        if (right < 0 || left > this.width) continue;
        const y = top + LABEL + visit.row * (ROW + GAP), room = right - left;
        if (room < 4) {
          context.fillRect(left, y, Math.max(room - 0.3, 0.7), ROW);
        } else {
          context.beginPath();
          context.roundRect(left, y, room - 0.5, ROW, room > 8 ? 5 : 0);
          context.stroke();
        }
      }
    });
    context.lineWidth = 1;
  }

  prepare(canvas, width, height) {
    const scale = window.devicePixelRatio || 1;
    canvas.style.height = `${height}px`;
    const [across, down] = [Math.round(width * scale), Math.round(height * scale)];
    if (canvas.width !== across) canvas.width = across;
    if (canvas.height !== down) canvas.height = down;
    const context = canvas.getContext("2d");
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, width, height);
    context.font = this.font;
    context.textBaseline = "middle";
    return context;
  }

  // A box of a pale color has an edge that can be seen; a very small one is all edge.
  paintPale(context, color, left, top, width, height) {
    context.fillStyle = this.colors.soft;
    context.fillRect(left, top, width, height);
    if (width <= 2 || height <= 2) return;
    context.fillStyle = color;
    context.fillRect(left + 1, top + 1, width - 2, height - 2);
  }

  x(time) { return (time - this.view.from) / (this.view.to - this.view.from) * this.width; }

  timeAt(x) { return this.view.from + x / this.width * (this.view.to - this.view.from); }

  // The event that is nearest to a place of the canvas, of the controller at that height.
  nearest(x, y) {
    const {session} = this, time = this.timeAt(x), at = session.placeAt(time);
    const band = this.bands.findIndex(band => y >= band.top && y < band.top + band.height);
    const isIts = i => band < 0 || session.controller[i] === band;
    let before = at, after = at + 1;
    while (before >= 0 && !isIts(before)) before--;
    while (after < session.count && !isIts(after)) after++;
    if (before < 0) return after < session.count ? after : -1;
    if (after >= session.count) return before;
    return session.clock[after] - time < time - session.clock[before] ? after : before;
  }

  paintTimes(context, height) {
    const span = this.view.to - this.view.from, wanted = span / Math.max(2, this.width / 130);
    const power = 10 ** Math.floor(Math.log10(wanted));
    const step = [1, 2, 5, 10].map(n => n * power).find(step => step >= wanted);
    context.fillStyle = this.colors.soft;
    context.strokeStyle = this.colors.line;
    context.textAlign = "left";
    for (let time = Math.ceil(this.view.from / step) * step; time <= this.view.to; time += step) {
      if (time < 0) continue;
      const x = Math.round(this.x(time)) + 0.5;
      context.beginPath();
      context.moveTo(x, 0);
      context.lineTo(x, height);
      context.stroke();
      const digits = Math.min(6, Math.max(0, 6 - Math.floor(Math.log10(step))));
      context.fillText(`${(time / 1e6).toFixed(digits)} s`, x + 4, height - 10);
    }
  }

  paintBand(context, controller, place, top) {
    context.fillStyle = this.colors.text;
    context.textAlign = "left";
    const name = cut(context, controller.name, this.width / 2);
    context.fillText(name, 12, top + LABEL / 2);
    context.fillStyle = this.colors.soft;
    context.fillText(
      cut(context, controller.policy, this.width / 3), 20 + context.measureText(name).width,
      top + LABEL / 2);
    const {most} = this.session.queues[place];
    if (most > 0 && this.width > 480) {
      context.textAlign = "right";
      context.fillText(`${grouped(most)} pending at most`, this.width - 12, top + LABEL / 2);
      context.textAlign = "left";
    }
    this.session.stages[place].forEach((row, number) => {
      const isShared = number === MOST_ROWS - 1;
      this.paintRow(context, row.visits, top + LABEL + number * (ROW + GAP), isShared);
    });
    const band = this.bands[place], bottom = top + LABEL + band.rows * (ROW + GAP);
    if (band.hasQueue) this.paintQueue(context, place, bottom);
    this.paintFindings(context, place, top, band);
  }

  paintRow(context, visits, top, isShared) {
    let last = -1;
    // Of visits that share a pixel, only one is looked at. In a shared row they end in any order.
    const next = (from, time) => {
      const isOver = place => this.until(visits[place]) < time;
      if (!isShared) return firstNot(from, visits.length, isOver);
      while (from < visits.length && isOver(from)) from++;
      return from;
    };
    let i = next(0, this.view.from);
    while (i < visits.length && this.from(visits[i]) <= this.view.to) {
      const [left, right] = this.edges(visits[i]);
      last = Math.max(right, left + 1);
      this.paintVisit(context, visits[i], left, last, top);
      i = next(i + 1, this.timeAt(last + 0.6));
    }
  }

  from(visit) {
    const {session} = this;
    return visit.isBefore && visit.staged === 0 ? session.start : session.clock[visit.staged];
  }

  until(visit) {
    const {session} = this, place = session.until(visit);
    return place < 0 ? session.end : session.clock[place];
  }

  edges(visit) {
    return [Math.max(this.x(this.from(visit)), -8), Math.min(this.x(this.until(visit)), this.width + 8)];
  }

  paintVisit(context, visit, left, right, top) {
    const {clock} = this.session;
    const edge = (i, otherwise) =>
      i < 0 ? otherwise : Math.min(right, Math.max(left, this.x(clock[i])));
    const isIn = visit.entered >= 0;
    const from = isIn ? edge(visit.entered, right) : right;
    const to = isIn ? edge(visit.exiting, right) : right;
    if (right - left < 4) {
      // Too thin for a shape. A clip for each of thousands of these would be slow.
      const isMostly = to - from > (right - left) / 2 || right - left < 1.5 && isIn;
      const width = Math.max(right - left - 0.3, 0.7);
      if (isMostly) {
        context.fillStyle = this.colors.accent;
        context.fillRect(left, top, width, ROW);
      } else this.paintPale(context, this.colors.moving, left, top, width, ROW);
      return;
    }
    context.save();
    context.beginPath();
    context.roundRect(left, top, Math.max(right - left - 0.5, 1), ROW, right - left > 8 ? 5 : 0);
    context.fillStyle = this.colors.moving;
    context.fill();
    context.clip();
    // Half of the line is outside of the clip.
    context.strokeStyle = this.colors.soft;
    context.lineWidth = 2;
    context.stroke();
    context.fillStyle = this.colors.accent;
    if (isIn) context.fillRect(from, top, Math.max(to - from, 0), ROW);
    const room = right - Math.max(left, 0) - 12;
    if (room > 16) {
      const text = cut(context, this.session.visitName(visit), room);
      const start = Math.max(left, 0) + 6;
      const isOnAccent = isIn && from - start < 12 && to - start > room * 0.7;
      context.fillStyle = isOnAccent ? this.colors["accent-text"] : this.colors.text;
      if (!isOnAccent && isIn && to - from > room * 0.8) {
        // The part after the enter has more room than the part before.
        context.fillStyle = this.colors["accent-text"];
        context.fillText(cut(context, text, to - from - 8), Math.max(from, 0) + 6, top + ROW / 2);
      } else {
        if (isIn && !isOnAccent) {
          // The text begins where the visit is entering, and may end after the enter, which is
          // darker.
          context.strokeStyle = this.colors.moving;
          context.lineWidth = 4;
          context.lineJoin = "round";
          context.strokeText(text, start, top + ROW / 2);
        }
        context.fillText(text, start, top + ROW / 2);
      }
    }
    context.restore();
  }

  paintQueue(context, place, top) {
    const {at, length, most} = this.session.queues[place], clock = this.session.clock;
    const time = i => i === 0 ? this.session.start : clock[at[i]];
    const first = firstNot(0, at.length, place => time(place) <= this.view.from);
    const room = QUEUE - 4;
    let pixel = -1, tallest = 0;
    for (let i = Math.max(0, first - 1); i < at.length && time(i) <= this.view.to; i++) {
      if (length[i] === 0) continue;
      const left = Math.max(0, this.x(time(i)));
      const right = Math.min(this.width, i + 1 < at.length ? this.x(time(i + 1)) : this.x(this.session.end));
      const column = Math.floor(right);
      if (column === pixel && length[i] <= tallest) continue;
      tallest = column === pixel ? Math.max(tallest, length[i]) : length[i];
      pixel = column;
      const height = Math.max(2, room * length[i] / most);
      this.paintPale(
        context, this.colors.waiting, left, top + room - height, Math.max(right - left, 1), height);
    }
    context.fillStyle = this.colors.soft;
    let last = -10;
    const dropped = this.session.dropped[place];
    for (const i of dropped) {
      const x = this.x(clock[i]);
      if (x < 0 || x - last < 6) continue;
      if (x > this.width) break;
      last = x;
      context.fillText("×", x - 4, top + room / 2 + 1);
    }
  }

  paintFindings(context, place, top, band) {
    const pixel = (this.view.to - this.view.from) / this.width;
    this.marksOf[place].each(this.timeAt(-6), this.timeAt(this.width + 6), pixel, (time, isError) => {
      const x = this.x(time);
      context.fillStyle = context.strokeStyle = isError ? this.colors.error : this.colors.warning;
      context.beginPath();
      context.arc(x, top + LABEL - 7, 4, 0, 7);
      context.fill();
      context.beginPath();
      context.moveTo(x, top + LABEL - 4);
      context.lineTo(x, top + band.height - 2);
      context.stroke();
    });
  }

  paintLosses(context, height) {
    context.fillStyle = this.colors.warning;
    context.globalAlpha = 0.7;
    for (const [, last] of this.session.raw.losses) {
      const next = lastAtMost(this.session.seq, last) + 1;
      // It is before the page's first event.
      if (next === 0 && this.session.leftOut > 0) continue;
      const after = Math.min(next, this.session.count - 1);
      if (after < 0) continue;
      const x = this.x(this.session.clock[after]);
      for (let y = 0; y < height; y += 8) context.fillRect(x - 1, y, 2, 4);
    }
    context.globalAlpha = 1;
  }

  paintPlayhead(context, height) {
    if (this.session.count === 0) return;
    const x = this.x(this.session.clock[this.place]);
    context.fillStyle = this.colors.text;
    context.fillRect(x - 0.75, 0, 1.5, height);
  }

  paintMap() {
    const height = 40, width = this.map.clientWidth, {session} = this;
    const context = this.prepare(this.map, width, height), span = this.whole.to - this.whole.from;
    const x = time => (time - this.whole.from) / span * width;
    if (this.bars === null || this.bars.length !== Math.ceil(width / 2)) {
      this.bars = new Float64Array(Math.ceil(width / 2));
      for (let i = 0; i < session.count; i++) this.bars[Math.floor(x(session.clock[i]) / 2)] += 1;
    }
    const most = Math.log1p(Math.max(1, ...this.bars));
    context.fillStyle = this.colors.waiting;
    this.bars.forEach((count, i) => {
      const tall = Math.log1p(count) / most * (height - 12);
      if (count > 0) context.fillRect(i * 2, height - 4 - tall, 1.5, tall);
    });
    this.marks.each(this.whole.from, this.whole.to, 1.5 * span / width, (time, isError) => {
      context.fillStyle = isError ? this.colors.error : this.colors.warning;
      context.fillRect(x(time) - 1, 0, 2, 6);
    });
    context.strokeStyle = this.colors.accent;
    const [left, right] = [x(this.view.from), x(this.view.to)];
    context.globalAlpha = 0.12;
    context.fillStyle = this.colors.accent;
    context.fillRect(left, 0, right - left, height);
    context.globalAlpha = 1;
    context.strokeRect(left + 0.5, 0.5, Math.max(right - left - 1, 2), height - 1);
    context.fillStyle = this.colors.text;
    if (session.count > 0) context.fillRect(x(session.clock[this.place]) - 0.75, 0, 1.5, height);
  }
}

// The times of findings, stored so that a drawing reads only as many as are visible.
class Marks {
  constructor(session, findings) {
    const marks = findings.filter(({severity}) => severity !== "note").map(({seq, severity}) =>
      ({time: session.clock[session.placeOf(seq)], isError: severity === "error"}));
    marks.sort((one, other) => one.time - other.time);
    this.times = Float64Array.from(marks, mark => mark.time);
    // The number of errors before each finding.
    this.errors = new Int32Array(marks.length + 1);
    marks.forEach(({isError}, i) => { this.errors[i + 1] = this.errors[i] + (isError ? 1 : 0); });
  }

  // Calls the body for the findings between two times: once for each stretch, as an error if it
  // contains one.
  each(from, to, stretch, body) {
    const {times, errors} = this;
    let i = firstAtLeast(times, from, 0);
    while (i < times.length && times[i] <= to) {
      const next = Math.max(i + 1, firstAtLeast(times, times[i] + stretch, i));
      body(times[i], errors[next] > errors[i]);
      i = next;
    }
  }
}

// The place of the first number in an ascending list, from a place on, that is at least as large.
function firstAtLeast(numbers, wanted, from) {
  return firstNot(from, numbers.length, place => numbers[place] < wanted);
}

// The visible range, and the user's gestures.
class LaneControl {
  constructor(lanes) {
    this.lanes = lanes;
    const {canvas, map, box} = lanes, signal = (this.ending = new AbortController()).signal;
    const on = (target, name, body, options = {}) =>
      target.addEventListener(name, body, {signal, ...options});
    on(canvas, "wheel", event => this.wheel(event), {passive: false});
    on(canvas, "pointerdown", event => this.grab(event));
    on(canvas, "pointermove", event => this.drag(event));
    on(canvas, "pointerup", event => this.release(event));
    on(canvas, "pointercancel", () => { this.held = null; });
    on(map, "pointerdown", event => { map.setPointerCapture(event.pointerId); this.point(event); });
    on(map, "pointermove", event => { if (event.buttons & 1) this.point(event); });
    on(box, "scroll", () => lanes.draw(), {passive: true});
    this.sizes = new ResizeObserver(() => lanes.draw());
    this.sizes.observe(canvas);
  }

  end() {
    this.ending.abort();
    this.sizes.disconnect();
  }

  zoom(factor, time = null) {
    const {lanes} = this, {view, whole} = lanes;
    const around = time ?? this.middle();
    const span = Math.min(whole.to - whole.from, Math.max(20, (view.to - view.from) * factor));
    const share = (around - view.from) / (view.to - view.from);
    this.show(around - share * span, span);
  }

  // The playhead, if it is visible.
  middle() {
    const {view, session, place} = this.lanes, time = session.count > 0 ? session.clock[place] : 0;
    return time >= view.from && time <= view.to ? time : (view.from + view.to) / 2;
  }

  all() { this.show(this.lanes.whole.from, this.lanes.whole.to - this.lanes.whole.from); }

  show(from, span) {
    const {lanes} = this, {whole} = lanes;
    const first = Math.max(whole.from, Math.min(from, whole.to - span));
    lanes.view = {from: first, to: first + span};
    lanes.draw();
  }

  // Moves the visible range so that a moment is visible.
  reveal(place, isClose = false) {
    const {lanes} = this, {session, view} = lanes;
    lanes.place = place;
    if (session.count === 0) return lanes.draw();
    const time = session.clock[place];
    let span = view.to - view.from;
    if (isClose) {
      const [from, to] = [Math.max(0, place - 30), Math.min(session.count - 1, place + 30)];
      span = Math.min(span, Math.max((session.clock[to] - session.clock[from]) * 1.2, 1000));
      this.show(time - span / 2, span);
    } else if (time < view.from || time > view.to) {
      this.show(time - span / 2, span);
    }
    const band = lanes.bands[session.controller[place]], {box} = lanes;
    if (isClose && band) {
      const seen = lanes.canvas.clientHeight;
      if (band.top < box.scrollTop || band.top + band.height > box.scrollTop + seen) {
        box.scrollTop = band.top - 8;
      }
    }
    lanes.draw();
  }

  wheel(event) {
    const across = Math.abs(event.deltaX) > Math.abs(event.deltaY);
    // A plain wheel scrolls the page, as usual.
    if (!event.ctrlKey && !event.metaKey && !across && !event.shiftKey) return;
    event.preventDefault();
    const {view} = this.lanes, span = view.to - view.from;
    if (event.ctrlKey || event.metaKey) {
      this.zoom(Math.exp(event.deltaY * 0.004), this.lanes.timeAt(event.offsetX));
    } else {
      const moved = across ? event.deltaX : event.deltaY;
      this.show(view.from + moved / this.lanes.width * span, span);
    }
  }

  grab(event) {
    if (event.button !== 0) return;
    this.lanes.canvas.setPointerCapture(event.pointerId);
    this.held = {x: event.offsetX, from: this.lanes.view.from, isMoved: false};
  }

  drag(event) {
    if (!this.held) return;
    const moved = event.offsetX - this.held.x, {view, canvas, width} = this.lanes;
    if (Math.abs(moved) > 4) this.held.isMoved = true;
    if (!this.held.isMoved) return;
    canvas.classList.add("dragged");
    const span = view.to - view.from;
    this.show(this.held.from - moved / width * span, span);
  }

  release(event) {
    const {held, lanes} = this;
    this.held = null;
    lanes.canvas.classList.remove("dragged");
    if (!held || held.isMoved) return;
    const place = lanes.nearest(event.offsetX, event.offsetY + lanes.box.scrollTop);
    if (place >= 0) lanes.onPick(place);
  }

  point(event) {
    const {whole, view, map} = this.lanes, span = view.to - view.from;
    const time = whole.from + event.offsetX / map.clientWidth * (whole.to - whole.from);
    this.show(time - span / 2, span);
    this.lanes.onPick(this.lanes.session.placeAt(time));
  }
}

// The part of a text that there is room for.
function cut(context, text, room) {
  if (room < 8) return "";
  const short = text.length > 200 ? text.slice(0, 200) : text;
  if (context.measureText(short).width <= room) return short;
  const length = firstNot(1, short.length + 1, count =>
    context.measureText(short.slice(0, count) + "…").width <= room) - 1;
  return length === 0 ? "" : short.slice(0, length) + "…";
}
