// What a session's columns say, and what follows from them. Nothing here touches the page.

const ENQUEUED = 3, ENTERING = 4, ENTERED = 5, EXITING = 6, EXITED = 7, DISCARDED = 8;
const WAITING = 0, COMING = 1, IN = 2, LEAVING = 3, GONE = 4;
const STRIDE = 1024;

class Session {
  constructor(raw) {
    this.raw = raw;
    this.names = raw.names;
    this.controllers = raw.controllers;
    this.count = raw.time.length;
    this.decode();
    this.followVisits();
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
    this.kind = Uint8Array.from(raw.kind, what => what & 15);
    this.reason = Uint8Array.from(raw.kind, what => what >> 4);
    this.controller = Int32Array.from(raw.controller);
    this.state = Int32Array.from(raw.state);
    this.back = Float64Array.from(raw.back);
    this.end = Math.max(clock, raw.end);
    this.start = count > 0 ? Math.min(this.clock[0], raw.start) : 0;
  }

  // A visit's moments are places of events, or -1.
  followVisits() {
    this.visits = [];
    this.visitOf = new Int32Array(this.count).fill(-1);
    const known = this.controllers.map(() => new Map());
    this.controllers.forEach((controller, place) => {
      for (const [number, state, phase] of controller.before) {
        const visit = this.addVisit(known, place, number, state, 0);
        visit.isBefore = true;
        if (phase >= COMING) visit.entering = 0;
        if (phase >= IN) visit.entered = 0;
        if (phase >= LEAVING) visit.exiting = 0;
      }
    });
    for (let i = 0; i < this.count; i++) {
      const number = this.visit[i], place = this.controller[i], kind = this.kind[i];
      if (number === 0 || place < 0) continue;
      let visit = known[place].get(number);
      if (visit === undefined) {
        if (kind < ENQUEUED || kind > DISCARDED) continue;
        visit = this.addVisit(known, place, number, this.state[i], i);
      }
      this.visitOf[i] = visit.id;
      if (kind === ENQUEUED && visit.enqueued < 0) visit.enqueued = i;
      if (kind === ENTERING && visit.entering < 0) visit.entering = i;
      if (kind === ENTERED && visit.entered < 0) visit.entered = i;
      if (kind === EXITING && visit.exiting < 0) visit.exiting = i;
      if ((kind === EXITED || kind === DISCARDED) && visit.gone < 0) visit.gone = i;
    }
    for (const visit of this.visits) {
      const moments = [visit.entering, visit.entered, visit.exiting].filter(i => i >= 0);
      visit.staged = moments.length > 0 ? Math.min(...moments) : -1;
    }
  }

  addVisit(known, controller, number, state, first) {
    const visit = {
      id: this.visits.length, controller, number, state, first, isBefore: false, enqueued: -1,
      entering: -1, entered: -1, exiting: -1, gone: -1, staged: -1, row: 0
    };
    this.visits.push(visit);
    known[controller].set(number, visit);
    return visit;
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
      const id = this.visitOf[i];
      if (id >= 0) {
        const visit = this.visits[id];
        if (visit.first === i && !visit.isBefore) open.add(id);
        if (visit.gone === i) open.delete(id);
        const set = waiting[visit.controller], before = set.size;
        if (open.has(id) && (visit.staged < 0 || visit.staged > i)) set.add(id);
        else set.delete(id);
        if (set.size !== before) {
          const queue = this.queues[visit.controller];
          queue.at.push(i);
          queue.length.push(set.size);
          queue.most = Math.max(queue.most, set.size);
        }
      }
      if (i % STRIDE === 0) this.standings.push(Int32Array.from(open));
    }
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
      rows[row].free = Math.max(rows[row].free, visit.gone < 0 ? Infinity : visit.gone);
    }
    this.dropped = this.controllers.map(() => []);
    for (const visit of this.visits) {
      if (visit.staged < 0 && visit.gone >= 0) this.dropped[visit.controller].push(visit.gone);
    }
    for (const dropped of this.dropped) dropped.sort((one, other) => one - other);
  }

  phase(visit, i) {
    if (visit.first > i && !visit.isBefore) return GONE;
    if (visit.gone >= 0 && visit.gone <= i) return GONE;
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
      if (this.visitOf[j] >= 0) seen.add(this.visitOf[j]);
    }
    const there = [...seen].sort((one, other) => one - other);
    for (const id of there) {
      const visit = this.visits[id], phase = this.phase(visit, i);
      if (phase === GONE) continue;
      const where = result[visit.controller];
      (phase === WAITING ? where.queue : where.stage).push({visit, phase});
    }
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

  outcome(visit) {
    if (visit.gone < 0) return this.raw.ended === "crash" ? "crash" : "open";
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
