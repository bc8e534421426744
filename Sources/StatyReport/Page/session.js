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

class Session {
  constructor(raw) {
    // Unescaped, for searching.
    this.sought = {states: raw.names, controllers: raw.controllers.map(({name}) => name)};
    for (const part of ["names", "sites", "controllers", "notes", "findings", "losses", "silent",
      "tables", "replay", "outcomes", "further"]) {
      raw[part] = allTold(raw[part]);
    }
    this.raw = raw;
    this.names = raw.names;
    this.controllers = raw.controllers;
    this.mirrors = this.pairs();
    this.count = raw.time.length;
    this.decode();
    this.collectVisits();
    this.layOut();
    this.moves = this.controllers.map(() => []);
    const mirrored = new Set(this.mirrors.flat());
    this.controller.forEach((place, i) => {
      if (mirrored.has(place) && this.code[i] > 0) this.moves[place].push(i);
    });
    this.further = new Map(raw.further.map(event => [event[0], event]));
  }

  // The tracks that should show the same, in pairs.
  pairs() {
    const sides = new Map();
    this.controllers.forEach(({mirrors}, place) => {
      for (const pair of mirrors) sides.set(pair, [...sides.get(pair) ?? [], place]);
    });
    return [...sides.values()].filter(pair => pair.length === 2);
  }

  decode() {
    const {raw, count} = this;
    this.time = new Float64Array(count);
    // The times of two threads may go back slightly. The drawn times do not.
    this.clock = new Float64Array(count);
    this.seq = new Float64Array(count);
    this.visit = new Uint32Array(count);
    const skips = new Map(raw.gaps);
    let time = 0, clock = 0, seq = raw.seq - 1, visit = 0;
    for (let i = 0; i < count; i++) {
      time += raw.time[i];
      clock = Math.max(clock, time);
      seq += 1 + (skips.get(i) || 0);
      visit += raw.visit[i];
      this.time[i] = time;
      this.clock[i] = clock;
      this.seq[i] = seq;
      this.visit[i] = visit;
    }
    const {whats} = raw;
    this.code = Uint8Array.from(raw.kind, what => whats[what] & 7);
    this.kind = Uint8Array.from(raw.kind, what => whats[what] >> 3 & 31);
    this.reason = Uint8Array.from(raw.kind, what => whats[what] >> 8);
    this.controller = Int32Array.from(raw.controller);
    this.state = Int32Array.from(raw.state);
    this.back = Float64Array.from(raw.back);
    this.end = Math.max(clock, raw.end);
    this.start = count > 0 ? Math.min(this.clock[0], raw.start) : 0;
  }

  // A visit's moments are places of events, or -1. A visit is visible until it ends, or until
  // recording of its controller ends. After every STRIDE events the open visits are stored, so that
  // no moment is far from a known one.
  collectVisits() {
    this.visits = [];
    this.visitOf = new Int32Array(this.count).fill(-1);
    // The visits that stop being visible at an event.
    this.cut = new Map();
    this.standings = [];
    const known = this.controllers.map(() => new Map()), open = new Set();
    const waiting = this.controllers.map(() => new Set());
    const update = (visit, i) => {
      const phase = visit.cut >= 0 ? GONE : visit.phases.at(-1);
      if (phase === GONE) open.delete(visit.id); else open.add(visit.id);
      if (phase === WAITING) waiting[visit.controller].add(visit.id);
      else waiting[visit.controller].delete(visit.id);
      this.noteQueue(visit.controller, waiting[visit.controller].size, i);
    };
    this.queues = this.controllers.map(() => ({at: [0], length: [0], most: 0}));
    this.controllers.forEach(({before}, place) => {
      for (const [number, state, code, priority] of before) {
        const visit = this.addVisit(known, place, number, state, 0);
        Object.assign(visit, {priority, isBefore: true});
        this.move(visit, code, -1);
        update(visit, 0);
      }
    });
    const stages = new Map();
    this.stageOf = this.controllers.map(({flags}) => ({at: [-1], flags: [flags]}));
    for (const [place, controller, flags] of this.raw.stages) {
      this.stageOf[controller].at.push(place);
      this.stageOf[controller].flags.push(flags);
      if (flags & NOT_RECORDED) stages.set(place, controller);
    }
    // The visit that ends because a track changes, by the place of the event.
    this.left = new Map();
    const left = new Map(this.raw.left);
    for (let i = 0; i < this.count; i++) {
      const number = this.visit[i], place = this.controller[i], code = this.code[i];
      let visit = number === 0 || place < 0 ? undefined : known[place].get(number);
      if (visit === undefined && code > 0) visit = this.addVisit(known, place, number, this.state[i], i);
      const before = left.has(i) ? known[place].get(left.get(i)) : undefined;
      if (before !== undefined) {
        this.left.set(i, before.id);
        this.move(before, GONE + 1, i);
        update(before, i);
      }
      if (visit !== undefined) {
        this.visitOf[i] = visit.id;
        visit.priority = this.raw.priorities[i] ?? visit.priority;
        if (code > 0) this.move(visit, code, i);
        update(visit, i);
      }
      if (stages.has(i)) {
        const there = [...known[stages.get(i)].values()].filter(visit => open.has(visit.id));
        this.cut.set(i, there.map(({id}) => id));
        for (const visit of there) {
          visit.cut = i;
          update(visit, i);
        }
      }
      if (i % STRIDE === 0) this.standings.push(Int32Array.from(open));
    }
    for (const [controller, number] of this.raw.unknown) {
      const visit = known[controller].get(number);
      if (visit !== undefined) visit.isUnknown = true;
    }
  }

  addVisit(known, controller, number, state, first) {
    const visit = {
      id: this.visits.length, controller, number, state, first, isBefore: false, isUnknown: false, asked: -1,
      entering: -1, entered: -1, exiting: -1, gone: -1, cut: -1, staged: -1, row: 0, priority: 0, end: 0,
      places: [], phases: []
    };
    this.visits.push(visit);
    known[controller].set(number, visit);
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
    if (phase === GONE) visit.end = code;
    else if (phase > WAITING && visit.staged < 0) visit.staged = place;
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

  // Each shown visit gets the first free row, so a second row means an overlap.
  layOut() {
    this.stages = this.controllers.map(() => []);
    const staged = this.visits.filter(visit => visit.staged >= 0);
    staged.sort((one, other) => one.staged - other.staged || one.id - other.id);
    const most = 8;
    for (const visit of staged) {
      const rows = this.stages[visit.controller];
      let row = rows.findIndex(row => row.free <= visit.staged);
      if (row < 0) {
        if (rows.length < most) rows.push({visits: [], free: 0});
        row = rows.length - 1;
      }
      visit.row = row;
      rows[row].visits.push(visit);
      const until = this.until(visit);
      rows[row].free = Math.max(rows[row].free, until < 0 ? Infinity : until);
    }
    this.dropped = this.controllers.map(() => []);
    for (const visit of this.visits) {
      if (visit.staged < 0 && visit.gone >= 0) this.dropped[visit.controller].push(visit.gone);
    }
    for (const dropped of this.dropped) dropped.sort((one, other) => one - other);
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

  // The place of the event with this number, or of the last event before it.
  placeOf(seq) { return Math.max(0, lastAtMost(this.seq, seq)); }

  // Whether the event with this number is on the page.
  has(seq) { return this.count > 0 && this.seq[this.placeOf(seq)] === seq; }

  // The place of the last event at or before this time.
  placeAt(time) { return Math.max(0, lastAtMost(this.clock, time)); }

  stateName(visit) { return this.names[visit.state]; }

  // The visit of an event or, without one, its name, such as that of a message.
  about(i) {
    const visit = this.visits[this.visitOf[i]];
    return visit === undefined ? this.names[this.state[i]] : this.visitName(visit);
  }

  visitName(visit) { return `#${visit.number} ${this.stateName(visit)}`; }

  what(i) { return happening(this.kind[i], this.reason[i]); }

  // The event with this number in words, with the number of its cause, or 0. Of an event that is not
  // on the page only what led to a finding is known.
  event(seq) {
    if (this.has(seq)) {
      const place = this.placeOf(seq), back = this.back[place];
      return {
        seq, place, time: this.time[place], controller: this.controllers[this.controller[place]]?.name ?? "",
        what: this.what(place), about: this.about(place), site: this.raw.sites[this.raw.site[place]],
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
