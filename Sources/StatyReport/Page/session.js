// Reads the columns of a session, which contain the visit's phase after each event. Nothing here
// uses the page.

// The phases of a visit: the numbers in the column minus 1. Numbers from GONE on say how the visit
// ended.
const WAITING = 0, ENTERING = 1, ENTERED = 2, EXITING = 3, GONE = 4;
const MOMENTS = ["asked", "entering", "entered", "exiting", "gone"];
const SELF_EXIT = 6, DROPPED = 7;
// The flags of a controller.
const WITHHOLDING = 1, TORN_DOWN = 2, NOT_RECORDED = 4;
const STRIDE = 1024;
// The most rows of a controller; further visits share the last one.
const MOST_ROWS = 64;

// The columns of events, and how each is kept.
const COLUMNS = {
  time: Float64Array, clock: Float64Array, seq: Float64Array, visit: Uint32Array, code: Uint8Array,
  kind: Uint8Array, reason: Uint8Array, controller: Int32Array, state: Int32Array, back: Float64Array,
  site: Int32Array, visitOf: Int32Array
};

class Session {
  constructor(raw) {
    this.count = 0;
    for (const [name, Column] of Object.entries(COLUMNS)) {
      this[name] = new Column(raw.time.length).subarray(0, 0);
    }
    // Unescaped, for searching.
    this.sought = {states: [], controllers: []};
    [this.names, this.sites, this.controllers] = [[], [], []];
    // The places of names and call sites.
    [this.nameAt, this.siteAt] = [new Map(), new Map()];
    this.visits = [];
    this.known = [];
    this.waiting = [];
    this.open = new Set();
    // The visits that stop being visible at an event.
    this.cut = new Map();
    // The visit that ends because a track changes, by the place of the event.
    this.left = new Map();
    this.standings = [];
    this.queues = [];
    this.stageOf = [];
    this.stages = [];
    this.dropped = [];
    // The places of events at which a track with a mirror moved.
    this.moves = [];
    this.notes = new Map();
    this.unknown = [];
    // The number of events before the page's first, the number of the last of them, and that of the last
    // event that is known.
    [this.leftOut, this.from, this.upTo] = [raw.leftOut, raw.from, raw.from];
    this.start = raw.start;
    this.add(raw);
    this.further = new Map(raw.further.map(event => [event[0], event]));
  }

  // Adds what is new in an object: events behind those that are known. Says whether it fits to them.
  add(raw) {
    const skipped = this.overlap(raw);
    if (skipped < 0) return false;
    const states = raw.names, controllers = raw.controllers.map(({name}) => name);
    for (const part of ["names", "sites", "controllers", "notes", "findings", "losses", "silent",
      "tables", "replay", "outcomes", "further"]) {
      raw[part] = allTold(raw[part]);
    }
    const first = this.count;
    this.decode(raw, skipped, states);
    [this.raw, this.upTo] = [raw, Math.max(this.upTo, raw.upTo)];
    this.sought.controllers = controllers;
    raw.controllers.slice(this.controllers.length).forEach(one => this.addController(one, first > 0));
    this.mirrors = this.pairs();
    this.follow(first, raw, skipped);
    for (const visit of this.unknown) visit.isUnknown = false;
    this.unknown = raw.unknown.map(([place, number]) => this.known[place].get(number))
      .filter(visit => visit !== undefined);
    for (const visit of this.unknown) visit.isUnknown = true;
    this.end = Math.max(this.clock[this.count - 1] ?? 0, raw.end);
    return true;
  }

  // How many events of an object are known. It does not fit if events are missing between, or if others
  // have come among those that are known: then it is -1.
  overlap(raw) {
    if (raw.from > this.upTo) return -1;
    const skips = new Map(raw.gaps);
    let seq = raw.seq - 1, count = 0, known = 0;
    for (; count < raw.time.length; count++) {
      seq += 1 + (skips.get(count) || 0);
      if (seq > this.upTo) break;
      if (seq >= this.seq[0]) known++;
    }
    return known === this.count - 1 - lastAtMost(this.seq, raw.from) ? count : -1;
  }

  // The tracks that should show the same, in pairs.
  pairs() {
    const sides = new Map();
    this.controllers.forEach(({mirrors}, place) => {
      for (const pair of mirrors) sides.set(pair, [...sides.get(pair) ?? [], place]);
    });
    return [...sides.values()].filter(pair => pair.length === 2);
  }

  // Makes room for more events.
  grow(count) {
    this.count = count;
    for (const [name, Column] of Object.entries(COLUMNS)) {
      const old = this[name], size = Column.BYTES_PER_ELEMENT;
      if (count * size <= old.buffer.byteLength) {
        this[name] = new Column(old.buffer, 0, count);
      } else {
        this[name] = new Column(Math.max(count, 2 * old.length)).subarray(0, count);
        this[name].set(old);
      }
    }
  }

  // The places here of the texts of an object.
  placesOf(texts, own, places) {
    return texts.map(text => {
      if (!places.has(text)) {
        places.set(text, own.length);
        own.push(text);
      }
      return places.get(text);
    });
  }

  decode(raw, skipped, states) {
    const first = this.count, count = raw.time.length;
    const skips = new Map(raw.gaps), {whats} = raw;
    const sites = this.placesOf(raw.sites, this.sites, this.siteAt);
    // Two names that look alike are two, too.
    const names = this.placesOf(states, this.sought.states, this.nameAt);
    names.forEach((place, i) => { this.names[place] = raw.names[i]; });
    this.grow(first + count - skipped);
    let time = 0, clock = first > 0 ? this.clock[first - 1] : 0, seq = raw.seq - 1, visit = 0;
    for (let j = 0, i = first - skipped; j < count; j++, i++) {
      time += raw.time[j];
      seq += 1 + (skips.get(j) || 0);
      visit += raw.visit[j];
      if (j < skipped) continue;
      clock = Math.max(clock, time);
      // The times of two threads may go back slightly. The drawn times do not.
      [this.time[i], this.clock[i], this.seq[i], this.visit[i]] = [time, clock, seq, visit];
      const what = whats[raw.kind[j]];
      [this.code[i], this.kind[i], this.reason[i]] = [what & 7, what >> 3 & 31, what >> 8];
      this.controller[i] = raw.controller[j];
      this.state[i] = names[raw.state[j]];
      this.back[i] = raw.back[j];
      this.site[i] = sites[raw.site[j]];
      this.visitOf[i] = -1;
    }
    if (first === 0 && this.count > 0) this.start = Math.min(this.clock[0], raw.start);
  }

  addController(controller, isLater) {
    const place = this.controllers.length;
    this.controllers.push(controller);
    this.known.push(new Map());
    this.waiting.push(new Set());
    this.queues.push({at: [0], length: [0], most: 0});
    this.stageOf.push({at: [-1], flags: [controller.flags]});
    this.stages.push([]);
    this.dropped.push([]);
    this.moves.push([]);
    // What was open at the beginning of later events is known from the events before.
    for (const [number, state, code, priority, isLost] of isLater ? [] : controller.before) {
      const visit = this.addVisit(place, number, state, 0);
      Object.assign(visit, {priority, isBefore: true, isLost: isLost === 1, unknown: MOMENTS[code - 1]});
      this.move(visit, code, -1);
      this.update(visit, 0);
    }
  }

  // Follows the visits from an event on. A visit's moments are places of events, or -1. A visit is
  // visible until it ends, or until recording of its controller ends. After every STRIDE events the
  // open visits are stored, so that no moment is far from a known one.
  follow(first, raw, skipped) {
    const moved = first - skipped, isNew = ([place]) => place >= skipped;
    const detached = new Map();
    for (const [at, controller, flags] of raw.stages.filter(isNew)) {
      this.stageOf[controller].at.push(at + moved);
      this.stageOf[controller].flags.push(flags);
      if (flags & NOT_RECORDED) detached.set(at + moved, controller);
    }
    for (const [at, note] of Object.entries(raw.notes)) {
      if (at >= skipped) this.notes.set(Number(at) + moved, note);
    }
    const left = new Map(raw.left.filter(isNew).map(([at, visit]) => [at + moved, visit]));
    for (let i = first; i < this.count; i++) {
      const number = this.visit[i], place = this.controller[i], code = this.code[i];
      let visit = number === 0 || place < 0 ? undefined : this.known[place].get(number);
      if (visit === undefined && code > 0) visit = this.addVisit(place, number, this.state[i], i);
      const before = left.has(i) ? this.known[place].get(left.get(i)) : undefined;
      if (before !== undefined) {
        this.left.set(i, before.id);
        this.move(before, GONE + 1, i);
        this.update(before, i);
      }
      if (visit !== undefined) {
        this.visitOf[i] = visit.id;
        visit.priority = raw.priorities[i - moved] ?? visit.priority;
        if (code > 0) this.move(visit, code, i);
        this.update(visit, i);
      }
      if (detached.has(i)) {
        const there = [...this.known[detached.get(i)].values()].filter(({id}) => this.open.has(id));
        this.cut.set(i, there.map(({id}) => id));
        for (const visit of there) {
          visit.cut = i;
          this.update(visit, i);
        }
      }
      if (code > 0 && this.controllers[place].mirrors.length > 0) this.moves[place].push(i);
      if (i % STRIDE === 0) this.standings.push(Int32Array.from(this.open));
    }
  }

  update(visit, i) {
    const phase = visit.cut >= 0 ? GONE : visit.phases.at(-1), waiting = this.waiting[visit.controller];
    if (phase === GONE) this.open.delete(visit.id); else this.open.add(visit.id);
    if (phase === WAITING) waiting.add(visit.id); else waiting.delete(visit.id);
    this.noteQueue(visit.controller, waiting.size, i);
  }

  addVisit(controller, number, state, first) {
    const visit = {
      id: this.visits.length, controller, number, state, first, isBefore: false, isLost: false, unknown: "",
      isUnknown: false, asked: -1, entering: -1, entered: -1, exiting: -1, gone: -1, cut: -1, staged: -1, row: 0,
      priority: 0, end: 0, places: [], phases: []
    };
    this.visits.push(visit);
    this.known[controller].set(number, visit);
    return visit;
  }

  // Sets the phase of a visit from an event on; -1 is the place before the first event.
  move(visit, code, i) {
    const phase = Math.min(code - 1, GONE), place = Math.max(i, 0);
    if (phase === visit.phases.at(-1)) return;
    visit.places.push(i);
    visit.phases.push(phase);
    const moment = MOMENTS[phase];
    // The time of the request is not known for a visit that was open before.
    if (visit[moment] < 0 && (phase > WAITING || i >= 0)) visit[moment] = place;
    if (phase === GONE) {
      visit.end = code;
      if (visit.staged < 0 && visit.gone === place) this.dropped[visit.controller].push(place);
    } else if (phase > WAITING && visit.staged < 0) {
      visit.staged = place;
      this.layOut(visit);
    }
  }

  noteQueue(controller, length, i) {
    const queue = this.queues[controller];
    if (length === queue.length.at(-1)) return;
    if (queue.at.at(-1) === i) queue.length[queue.length.length - 1] = length;
    else {
      queue.at.push(i);
      queue.length.push(length);
    }
    queue.most = Math.max(queue.most, length);
  }

  // What a controller waits for, according to its events.
  awaited(controller, {stage, queue}, i) {
    const {at, flags} = this.stageOf[controller], now = flags[lastAtMost(at, i)];
    if (now & NOT_RECORDED) return ["nothing: its recording has ended"];
    if (now & TORN_DOWN) return ["nothing: it is torn down"];
    const moving = stage.filter(({phase}) => phase !== ENTERED).map(({visit, phase}) =>
      `${this.visitName(visit)} has to report that it has ${phase === ENTERING ? "entered" : "exited"}`);
    if (moving.length > 0) return moving;
    if (queue.length === 0) return ["nothing"];
    if (now & WITHHOLDING) return ["a target"];
    return [stage.length === 0 ? `${this.visitName(queue[0].visit)} has to be told to enter`
      : `${this.visitName(stage.at(-1).visit)} has to be told to exit`];
  }

  // The visits that an event changes. All belong to one controller.
  changed(i) {
    if (this.left.has(i)) return [this.left.get(i), this.visitOf[i]];
    return this.visitOf[i] >= 0 ? [this.visitOf[i]] : this.cut.get(i) || [];
  }

  // The place of the last event at which a visit is visible; -1 if it is visible to the end.
  until(visit) {
    return visit.gone >= 0 && visit.cut >= 0 ? Math.min(visit.gone, visit.cut)
      : Math.max(visit.gone, visit.cut);
  }

  // A shown visit gets the first free row, so a second row means an overlap.
  layOut(visit) {
    const rows = this.stages[visit.controller];
    const isFree = row => (row.open = row.open.filter(one => this.until(one) < 0)).length === 0;
    visit.row = rows.findIndex(isFree);
    if (visit.row < 0) {
      if (rows.length < MOST_ROWS) rows.push({visits: [], open: []});
      visit.row = rows.length - 1;
    }
    rows[visit.row].visits.push(visit);
    rows[visit.row].open.push(visit);
    // It may have been discarded before.
    const dropped = this.dropped[visit.controller], at = dropped.indexOf(visit.gone);
    if (visit.gone >= 0 && at >= 0) dropped.splice(at, 1);
  }

  phase(visit, i) {
    if (visit.cut >= 0 && visit.cut <= i) return GONE;
    return visit.phases[lastAtMost(visit.places, i)] ?? GONE;
  }

  // The open visits after the event at this place: for each controller the shown and the pending
  // ones.
  standing(i) {
    const result = this.controllers.map(() => ({stage: [], queue: []}));
    if (this.count === 0) return result;
    const place = Math.floor(i / STRIDE), seen = new Set(this.standings[place]);
    for (let j = place * STRIDE + 1; j <= i; j++) {
      for (const id of this.changed(j)) seen.add(id);
    }
    const there = [...seen].sort((one, other) => one - other);
    for (const id of there) {
      const visit = this.visits[id], phase = this.phase(visit, i);
      if (phase === GONE) continue;
      const where = result[visit.controller];
      (phase === WAITING ? where.queue : where.stage).push({visit, phase});
    }
    result.forEach(({stage, queue}, place) => {
      // Shown visits in the order of their enter. Pending visits in the order of their requests;
      // with urgency, the most urgent first.
      const isByUrgency = this.controllers[place].discipline === "by-urgency";
      stage.sort((one, other) => one.visit.staged - other.visit.staged);
      queue.sort(({visit: one}, {visit: other}) =>
        isByUrgency && other.priority - one.priority || one.number - other.number);
    });
    return result;
  }

  // Whether something that stands after the event at this place has not been heard of since events are
  // missing, so that it may be gone.
  isDoubtful(i, standing) {
    const loss = this.raw.losses.findLast(([first]) => first < this.seq[i]);
    if (loss === undefined) return false;
    const from = lastAtMost(this.seq, loss[0]) + 1, there = standing.flatMap(({stage, queue}) => [...stage, ...queue]);
    const silent = new Set(there.map(({visit}) => visit.id));
    for (let j = i; j >= from && silent.size > 0; j--) silent.delete(this.visitOf[j]);
    // Of what stood at the page's first event the page knows whether it was heard of before.
    const isBefore = from === 0 && loss[0] < this.from;
    return [...silent].some(id => !isBefore || this.visits[id].isLost);
  }

  // The place of the event with this number, or of the last event before it.
  placeOf(seq) { return Math.max(0, lastAtMost(this.seq, seq)); }

  // Whether the event with this number is on the page.
  has(seq) { return this.count > 0 && this.seq[this.placeOf(seq)] === seq; }

  // The place of the last event at or before this time.
  placeAt(time) { return Math.max(0, lastAtMost(this.clock, time)); }

  // The visit of an event or, without one, its name, such as that of a message.
  about(i) {
    const visit = this.visits[this.visitOf[i]];
    return visit === undefined ? this.names[this.state[i]] : this.visitName(visit);
  }

  visitName(visit) { return `#${visit.number} ${this.names[visit.state]}`; }

  what(i) { return happening(this.kind[i], this.reason[i]); }

  // The event with this number in words, with the number of its cause, or 0. Of an event that is not
  // on the page only what led to a finding is known.
  event(seq) {
    if (this.has(seq)) {
      const place = this.placeOf(seq), back = this.back[place];
      return {
        seq, place, time: this.time[place], controller: this.controllers[this.controller[place]]?.name ?? "",
        what: this.what(place), about: this.about(place), site: this.sites[this.site[place]],
        cause: back === 0 ? 0 : seq - back
      };
    }
    const known = this.further.get(seq);
    if (known === undefined) return {seq, cause: 0};
    const [, time, kind, reason, controller, about, site, cause] = known;
    return {seq, time, controller, what: happening(kind, reason), about, site, cause};
  }

  outcome(visit) {
    if (visit.gone < 0) {
      // A missing event may have been its end.
      if (visit.isUnknown) return "unknown";
      return ["suspended", "killed"].includes(this.raw.ended) ? this.raw.ended : "open";
    }
    if (visit.end === DROPPED) {
      return facts.reasons[this.kind[visit.gone]][this.reason[visit.gone]] || "discarded";
    }
    return visit.end === SELF_EXIT ? "self-exit" : "exited";
  }
}

// What happened: `discarded (replaced)`.
function happening(kind, reason) {
  const name = facts.kinds[kind] || `kind ${kind}?`;
  if (reason === 0) return name;
  const reasons = facts.reasons[kind] || [];
  return `${name} (${reasons[reason] || `reason ${reason}?`})`;
}

// The first place, from one on, to which a condition does not apply. It applies to all places before
// that one, and to none behind it.
function firstNot(from, count, applies) {
  let low = from, high = count;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (applies(middle)) low = middle + 1; else high = middle;
  }
  return low;
}

// The place of the last number in an ascending list that is not larger; -1 if all are larger.
function lastAtMost(numbers, wanted) {
  return firstNot(0, numbers.length, place => numbers[place] <= wanted) - 1;
}
