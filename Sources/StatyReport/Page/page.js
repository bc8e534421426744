// Shows a session on the page, and handles keys and buttons.

const facts = allTold(JSON.parse(byId("facts").textContent));

class Page {
  constructor() {
    this.slider = byId("moment");
    this.showMenu();
    this.slider.addEventListener("input", () => this.goTo(Number(this.slider.value)));
    byId("zoom-in").addEventListener("click", () => this.control.zoom(0.5));
    byId("zoom-out").addEventListener("click", () => this.control.zoom(2));
    byId("zoom-all").addEventListener("click", () => this.control.all());
    byId("next-finding").addEventListener("click", () => this.findingAfter(1));
    byId("previous-finding").addEventListener("click", () => this.findingAfter(-1));
    byId("ask").addEventListener("click", () => this.help());
    document.addEventListener("keydown", event => this.key(event));
    addEventListener("hashchange", () => this.goToAddress(location.hash));
    matchMedia("(prefers-color-scheme: dark)").addEventListener(
      "change", () => this.lanes.readColors());
    addEventListener("beforeprint", () => this.print(true));
    addEventListener("afterprint", () => this.print(false));
    if (!this.goToAddress(location.hash)) this.open(facts.shown);
  }

  // Shows the event that an address names, as in '#12'. Says whether it is on the page.
  goToAddress(hash) {
    const seq = /^#\d{1,15}$/.test(hash) ? Number(hash.slice(1)) : 0;
    if (seq === 0) return false;
    const record = facts.sessions.find(({first}) => first <= seq);
    const session = !record?.isHere ? null : record === this.record ? this.session : this.read(record.id);
    const isThere = session !== null && session.has(seq);
    byId("missing").hidden = isThere;
    if (!isThere) {
      byId("missing").textContent = `Event ${seq} is not in this page.`;
      clearTimeout(this.naming);
      return false;
    }
    if (session !== this.session) this.open(record.id, session);
    this.goTo(session.placeOf(seq), true);
    return true;
  }

  // Names the event that is shown in the address, when the slider stops: a browser allows few changes
  // in a short time.
  address() {
    clearTimeout(this.naming);
    this.naming = setTimeout(() => {
      byId("missing").hidden = true;
      // A page that follows has no address of the newest event, so that it shows the newest again.
      const hash = facts.live && this.isLatest() ? "" : `#${this.session.seq[this.place]}`;
      if (location.hash === hash) return;
      // A page inside another one may not be allowed to.
      try { history.replaceState(null, "", hash || location.pathname); } catch { /* It stays. */ }
    }, 300);
  }

  help() { byId("help").showModal(); }

  showMenu() {
    const menu = byId("sessions");
    for (const record of facts.sessions) {
      const option = make("option", {value: `${record.id}`}, this.label(record));
      option.disabled = !record.isHere;
      menu.append(option);
    }
    byId("menu").hidden = facts.sessions.length < 2;
    menu.addEventListener("change", () => this.open(Number(menu.value)));
    byId("made").textContent = facts.made;
  }

  label({id, started, events, isHere}) {
    const rest = isHere ? "" : " (not in this page)";
    return `${id}: ${started.slice(0, 16).replace("T", " ")}, ${counted(events, "event")}${rest}`;
  }

  // Read only when it is shown, because a page may have many sessions.
  read(id) { return new Session(JSON.parse(byId(`session-${id}`).textContent)); }

  open(id, session = null) {
    const record = facts.sessions.find(record => record.id === id);
    if (!record) {
      byId("note").hidden = false;
      byId("note").textContent = "There is no session in this history.";
      byId("app").textContent = facts.file;
      for (const section of document.querySelectorAll("main > section")) section.hidden = true;
      return;
    }
    const isFirst = !this.control;
    if (!isFirst) this.control.end();
    // It would name an event of the session before.
    clearTimeout(this.naming);
    this.record = record;
    byId("sessions").value = `${id}`;
    this.session = session ??= this.read(id);
    const goTo = (place, isClose) => this.goTo(place, isClose);
    showHead(session, record);
    this.slider.max = Math.max(0, session.count - 1);
    this.slider.disabled = session.count === 0;
    this.lanes = new Lanes(session, place => this.goTo(place));
    this.control = new LaneControl(this.lanes);
    this.moment = new Moment(session, goTo);
    this.findingList = new FindingList(session, goTo);
    showOutcomes(session);
    showReplay(session, goTo);
    this.tables = new TableList(session);
    this.visits = new VisitTable(session, goTo);
    this.findFindings();
    const divergence =
      session.raw.replay && session.raw.replay.divergences.find(one => session.has(one.seq));
    const first = facts.live ? undefined : divergence ? session.placeOf(divergence.seq) : this.findings[0];
    this.goTo(first ?? Math.max(0, session.count - 1));
    // An address without an event stays as it is until an event is chosen.
    if (isFirst) clearTimeout(this.naming);
  }

  // Shows the state after the event at this place.
  goTo(place, isClose = false) {
    this.place = Math.max(0, Math.min(place, this.session.count - 1));
    this.slider.value = `${this.place}`;
    this.slider.setAttribute("aria-valuetext", this.moment.show(this.place));
    this.control.reveal(this.place, isClose);
    if (isClose) byId("timeline").scrollIntoView();
    if (this.session.count > 0) this.address();
  }

  isLatest() { return this.place === this.session.count - 1; }

  latest() { this.goTo(this.session.count - 1); }

  // Takes what was recorded since. Says whether it fits to what is shown.
  grow(record, growth) {
    const {session} = this, count = session.count, isLatest = count === 0 || this.isLatest();
    const {findings} = session.raw, tables = JSON.stringify(session.raw.tables);
    if (!session.add(growth)) return false;
    // The session of the menu stays the same object.
    Object.assign(this.record, allTold(record));
    showHead(session, this.record);
    byId("sessions").selectedOptions[0].textContent = this.label(this.record);
    this.slider.max = Math.max(0, session.count - 1);
    this.slider.disabled = session.count === 0;
    this.lanes.grow();
    const isSame = ({seq, code, detail}, i) =>
      seq === findings[i].seq && code === findings[i].code && detail === findings[i].detail;
    if (findings.length !== session.raw.findings.length || !session.raw.findings.every(isSame)) {
      this.findingList.show();
      this.findFindings();
    }
    // The rest stays as it is: a part of it may be open or have the focus.
    if (JSON.stringify(session.raw.tables) !== tables) this.tables.show();
    this.visits.filter();
    if (isLatest && session.count > count) {
      this.latest();
      clearTimeout(this.naming);
    } else this.lanes.draw();
    // The event that the address names may have come.
    const {hash} = location;
    if (!byId("missing").hidden && session.has(Number(hash.slice(1)))) this.goToAddress(hash);
    return true;
  }

  findFindings() {
    const {session} = this;
    const places = session.raw.findings.filter(finding => session.has(finding.seq))
      .map(finding => session.placeOf(finding.seq));
    this.findings = [...new Set(places)].sort((one, other) => one - other);
    for (const name of ["next-finding", "previous-finding"]) {
      byId(name).disabled = this.findings.length === 0;
    }
  }

  findingAfter(step) {
    const next = step > 0 ? this.findings.find(place => place > this.place)
      : this.findings.findLast(place => place < this.place);
    if (next !== undefined) this.goTo(next, true);
  }

  // Goes to the cause of the event, if that is on the page.
  cause() {
    const {session, place} = this, cause = session.seq[place] - session.back[place];
    if (session.back[place] !== 0 && session.has(cause)) this.goTo(session.placeOf(cause), true);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const {target} = event;
    if (byId("help").open) return;
    if (target.matches("select, input[type=search]")) return;
    // In a table that is wider than its place they scroll it.
    const box = target.closest(".scroll");
    if (event.key.startsWith("Arrow") && box?.scrollWidth > box?.clientWidth) return;
    const isSlider = target === this.slider;
    const actions = {
      "n": () => this.findingAfter(1), "p": () => this.findingAfter(-1),
      "+": () => this.control.zoom(0.5), "=": () => this.control.zoom(0.5),
      "-": () => this.control.zoom(2), "0": () => this.control.all(),
      "c": () => this.cause(), "?": () => this.help()
    };
    if (!isSlider) {
      actions.ArrowRight = () => this.goTo(this.place + 1);
      actions.ArrowLeft = () => this.goTo(this.place - 1);
    } else {
      const many = Math.max(10, Math.round(this.session.count / 100));
      actions.PageUp = () => this.goTo(this.place - many);
      actions.PageDown = () => this.goTo(this.place + many);
    }
    const action = actions[event.key];
    if (!action || !this.session?.count) return;
    event.preventDefault();
    action();
  }

  print(isPrinting) {
    document.documentElement.classList.toggle("printing", isPrinting);
    if (!this.lanes) return;
    this.lanes.readColors();
    // At once, because the page is printed as it is when this returns.
    this.lanes.paint();
  }
}

const page = new Page();
if (facts.live) new Follower(page, document.currentScript.nonce);
