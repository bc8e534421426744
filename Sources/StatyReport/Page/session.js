// What a session's columns say, and what follows from them. Nothing here touches the page.

const ATTACHED = 1, DETACHED = 2, ENQUEUED = 3, ENTERING = 4, ENTERED = 5, EXITING = 6, EXITED = 7, DISCARDED = 8,
  CANCELLED = 10, DEADLINE = 11, RESUMED = 12;
const WAITING = 0, COMING = 1, IN = 2, LEAVING = 3, GONE = 4;
const STRIDE = 1024;

class Session {
  constructor(raw) {
    // As they are, to be looked for.
    this.sought = {states: raw.names, controllers: raw.controllers.map(({name}) => name)};
    for (const part of ["names", "sites", "controllers", "notes", "findings", "losses", "silent",
      "tables", "replay"]) {
      raw[part] = allTold(raw[part]);
    }
    this.raw = raw;
    this.names = raw.names;
    this.controllers = raw.controllers;
    this.count = raw.time.length;
    this.decode();
    this.followVisits();
    this.followControllers();
    this.keepStandings();
    this.layOut();
  }

  decode() {
    const {raw, count} = this;
    this.time = new Float64Array(count);
    // Times of two threads may step back a little; what is drawn never does.
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
    this.kind = Uint8Array.from(raw.kind, what => what & 31);
    this.reason = Uint8Array.from(raw.kind, what => what >> 5);
    this.controller = Int32Array.from(raw.controller);
    this.state = Int32Array.from(raw.state);
    this.back = Float64Array.from(raw.back);
    this.end = Math.max(clock, raw.end);
    this.start = count > 0 ? Math.min(this.clock[0], raw.start) : 0;
  }

  // A visit's moments are places of events, or -1. It goes when it has left, or when its controller is
  // not recorded any more.
  followVisits() {
    this.visits = [];
    this.visitOf = new Int32Array(this.count).fill(-1);
    // Who comes and goes without an event of its own, by the places of those who bring that about.
    this.begun = new Map();
    this.cut = new Map();
    const known = this.controllers.map(() => new Map());
    const attached = new Map();
    for (let i = this.count - 1; i >= 0; i--) {
      if (this.kind[i] === ATTACHED) attached.set(this.controller[i], i);
    }
    this.controllers.forEach(({before}, place) =>
      this.addBefore(known, place, before, attached.get(place) ?? -1));
    for (let i = 0; i < this.count; i++) {
      const number = this.visit[i], place = this.controller[i], kind = this.kind[i];
      if (kind === DETACHED && place >= 0) this.detach(known[place], i);
      if (number === 0 || place < 0) continue;
      let visit = known[place].get(number);
      if (visit === undefined) {
        if (kind < ENQUEUED || kind > DISCARDED) continue;
        visit = this.addVisit(known, place, number, this.state[i], i);
      }
      this.visitOf[i] = visit.id;
      const isForced = kind === DEADLINE && this.reasonIs(i, "entering-force");
      if (kind >= ENQUEUED && kind <= DISCARDED || isForced) visit.heard = this.seq[i];
      // Who is gone does not come back.
      if (visit.gone >= 0) continue;
      if (kind === ENQUEUED) {
        if (visit.enqueued < 0) visit.enqueued = i;
        visit.priority = this.raw.priorities[i] ?? visit.priority;
      }
      if (kind === ENTERING && visit.entering < 0) visit.entering = i;
      // From such a deadline on the controller takes it for being in.
      const isTaken = isForced && visit.entering >= 0 && visit.exiting < 0;
      if ((kind === ENTERED || isTaken) && visit.entered < 0) visit.entered = i;
      // Who is told to leave while it waits was never on the stage.
      const isStaged = visit.enqueued < 0 && !visit.isWaiting || visit.entering >= 0 || visit.entered >= 0;
      if (kind === EXITING && visit.exiting < 0 && isStaged) visit.exiting = i;
      if (kind === EXITED || kind === DISCARDED) visit.gone = i;
    }
    for (const visit of this.visits) {
      const moments = [visit.entering, visit.entered, visit.exiting].filter(i => i >= 0);
      visit.staged = moments.length > 0 ? Math.min(...moments) : -1;
    }
  }

  // Those who are there when the page begins, or when recording of their controller does.
  addBefore(known, place, before, from) {
    const first = Math.max(from, 0);
    for (const [number, state, phase, heard, priority] of before) {
      const visit = this.addVisit(known, place, number, state, first);
      visit.heard = from < 0 ? heard : this.seq[from];
      visit.priority = priority;
      visit.isBefore = from < 0;
      // When it was asked for is not in the page.
      visit.isWaiting = phase === WAITING;
      if (from >= 0) this.begun.set(from, [...this.begun.get(from) || [], visit.id]);
      if (phase >= COMING) visit.entering = first;
      if (phase >= IN) visit.entered = first;
      if (phase >= LEAVING) visit.exiting = first;
    }
  }

  detach(known, i) {
    const open = [...known.values()].filter(visit => visit.gone < 0 && visit.cut < 0);
    for (const visit of open) visit.cut = i;
    this.cut.set(i, open.map(visit => visit.id));
  }

  addVisit(known, controller, number, state, first) {
    const visit = {
      id: this.visits.length, controller, number, state, first, isBefore: false, isWaiting: false, enqueued: -1,
      entering: -1, entered: -1, exiting: -1, gone: -1, cut: -1, staged: -1, row: 0, heard: 0, priority: 0
    };
    this.visits.push(visit);
    known[controller].set(number, visit);
    return visit;
  }

  // Where enters are not held back any more, where nothing enters any more, and where recording ends.
  followControllers() {
    this.ends = this.controllers.map(({isWithholding, isTornDown}) => ({
      withholding: isWithholding ? Infinity : -1, entering: isTornDown ? -1 : Infinity,
      recording: Infinity
    }));
    for (let i = 0; i < this.count; i++) {
      const ends = this.ends[this.controller[i]], kind = this.kind[i];
      if (ends === undefined) continue;
      if (kind === RESUMED || kind === ENTERING || kind === ENTERED) {
        ends.withholding = Math.min(ends.withholding, i);
      }
      if (kind === CANCELLED && this.reasonIs(i, "tear-down")) {
        ends.entering = Math.min(ends.entering, i);
      }
      if (kind === DETACHED) ends.recording = i;
    }
  }

  // What has to happen next, as far as it can be seen from outside.
  awaited(controller, {stage, queue}, i) {
    const {withholding, entering, recording} = this.ends[controller];
    if (recording <= i) return ["nothing: its recording has ended"];
    if (entering <= i) return ["nothing: it is torn down"];
    const moving = stage.filter(({phase}) => phase !== IN).map(({visit, phase}) =>
      `${this.visitName(visit)} is to say that it is ${phase === COMING ? "in" : "out"}`);
    if (moving.length > 0) return moving;
    if (queue.length === 0) return ["nothing"];
    if (withholding > i) return ["what it shows on is to be there"];
    return [stage.length === 0 ? `${this.visitName(queue[0].visit)} is to be told to come in`
      : `${this.visitName(stage.at(-1).visit)} is to be told to leave`];
  }

  // Who is there every so many events, so that no moment is far from a known one.
  keepStandings() {
    this.standings = [];
    const open = new Set();
    for (const visit of this.visits) if (visit.isBefore) open.add(visit.id);
    const waiting = this.controllers.map(() => new Set());
    for (const id of open) {
      if (this.visits[id].staged < 0) waiting[this.visits[id].controller].add(id);
    }
    this.queues = waiting.map(set => ({at: [0], length: [set.size], most: set.size}));
    for (let i = 0; i < this.count; i++) {
      const changed = this.changed(i);
      for (const id of changed) {
        const visit = this.visits[id], set = waiting[visit.controller];
        if (visit.first === i && !visit.isBefore) open.add(id);
        if (this.until(visit) === i) open.delete(id);
        if (open.has(id) && (visit.staged < 0 || visit.staged > i)) set.add(id);
        else set.delete(id);
      }
      if (changed.length > 0) {
        const place = this.visits[changed[0]].controller, queue = this.queues[place];
        const {size} = waiting[place];
        if (size !== queue.length.at(-1)) {
          queue.at.push(i);
          queue.length.push(size);
          queue.most = Math.max(queue.most, size);
        }
      }
      if (i % STRIDE === 0) this.standings.push(Int32Array.from(open));
    }
  }

  // Which visits an event moves; all of them are of one controller.
  changed(i) {
    if (this.visitOf[i] >= 0) return [this.visitOf[i]];
    return this.begun.get(i) || this.cut.get(i) || [];
  }

  // The place of the event after which nothing is seen of a visit; -1 if it is there to the end.
  until(visit) {
    return visit.gone >= 0 && visit.cut >= 0 ? Math.min(visit.gone, visit.cut)
      : Math.max(visit.gone, visit.cut);
  }

  // On the stage each visit gets the first row that is free, so that a second row is an overlap.
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
    if (visit.first > i && !visit.isBefore) return GONE;
    const until = this.until(visit);
    if (until >= 0 && until <= i) return GONE;
    if (visit.exiting >= 0 && visit.exiting <= i) return LEAVING;
    if (visit.entered >= 0 && visit.entered <= i) return IN;
    if (visit.entering >= 0 && visit.entering <= i) return COMING;
    return WAITING;
  }

  // Who is there after the event at this place: for each controller the stage and the queue.
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
      // In the order in which they came, and in which they were asked for; the most urgent first.
      const isByUrgency = this.controllers[place].policy === "priority";
      stage.sort((one, other) => one.visit.staged - other.visit.staged);
      queue.sort(({visit: one}, {visit: other}) =>
        isByUrgency && other.priority - one.priority || one.number - other.number);
    });
    return result;
  }

  // The place of the event with this number, or of the last before it.
  placeOf(seq) { return Math.max(0, lastAtMost(this.seq, seq)); }

  // Whether the event with this number is in the page.
  has(seq) { return this.count > 0 && this.seq[this.placeOf(seq)] === seq; }

  // The place of the last event at this time or before it.
  placeAt(time) { return Math.max(0, lastAtMost(this.clock, time)); }

  stateName(visit) { return this.names[visit.state]; }

  visitName(visit) { return `#${visit.number} ${this.stateName(visit)}`; }

  what(i) {
    const kind = facts.kinds[this.kind[i]] || `kind ${this.kind[i]}?`;
    if (this.reason[i] === 0) return kind;
    const reasons = facts.reasons[this.kind[i]] || [];
    return `${kind} (${reasons[this.reason[i]] || `reason ${this.reason[i]}?`})`;
  }

  reasonIs(i, text) { return (facts.reasons[this.kind[i]] || [])[this.reason[i]] === text; }

  outcome(visit) {
    if (visit.gone < 0) {
      // What was missing may have been its end.
      if (this.raw.losses.some(([first]) => first > visit.heard)) return "unknown";
      return this.raw.ended === "crash" ? "crash" : "open";
    }
    if (this.kind[visit.gone] === DISCARDED) {
      return (facts.reasons[DISCARDED] || [])[this.reason[visit.gone]] || "discarded";
    }
    return visit.exiting < 0 && !visit.isBefore ? "left by itself" : "exited";
  }
}

// The place of the last number in an ascending list that is not larger; -1 if all are.
function lastAtMost(numbers, wanted) {
  let low = 0, high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle] <= wanted) low = middle + 1; else high = middle;
  }
  return low - 1;
}
