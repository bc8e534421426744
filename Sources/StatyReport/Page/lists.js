// All texts: the head, the current moment, and the lists and tables below.

function showHead(session, record) {
  byId("file").textContent = `${facts.file}, session ${record.id}`;
  byId("app").textContent = `${record.app} ${record.version}`.trim() || facts.file;
  document.title = `${byId("app").textContent}, session ${record.id}`;
  const ends = {clean: "ended clean", suspended: "killed in the background", killed: "ended by a crash or a kill", continued: "continued in the next session", open: "not ended"};
  byId("about").textContent = [
    record.started.replace("T", " ").replace(/\.\d+Z$/, " UTC"), duration(record.duration),
    record.os, ends[record.ended] || "ended in an unknown way"
  ].filter(text => text !== "").join(" · ");
  const {findings} = session.raw;
  const count = severity => findings.filter(finding => finding.severity === severity).length;
  const figures = [
    ["events", record.events], ["controllers", session.controllers.length],
    ["visits", session.raw.visits], ["errors", count("error"), "bad"],
    ["warnings", count("warning"), "doubtful"], ["notes", count("note")], ["lost events", record.lost, "doubtful"],
    ["stuck", session.raw.tables.find(table => table.name === "stuck")?.count ?? 0, "bad"]
  ];
  byId("figures").replaceChildren(...figures.map(([name, number, mark]) =>
    make("div", {}, make("dt", {}, name),
      make("dd", {class: number > 0 && mark ? mark : ""}, grouped(number)))));
  const {leftOut} = session, {isFiltered, silent} = session.raw;
  const notes = [
    leftOut > 0
      ? `The oldest ${counted(leftOut, "event")} are not in this page; '--limit' asks for more.` : "",
    isFiltered ? "Other controllers of this session are left out." : "", silence(silent)
  ].filter(text => text !== "");
  for (const [first, last, count, reason] of session.raw.losses.slice(0, 5)) {
    notes.push(`${counted(count, "event")} missing from ${first} to ${last}: ${reason}.`);
  }
  byId("note").hidden = notes.length === 0;
  byId("note").textContent = notes.join(" ");
}

// The controllers that some rules cannot judge.
function silence(names) {
  if (names.length === 0) return "";
  const shown = names.slice(0, 6).join(", ");
  const rest = names.length > 6 ? ` and ${counted(names.length - 6, "other")}` : "";
  return `Not everything is recorded of ${shown}${rest}, so that some rules are silent.`;
}

class Moment {
  constructor(session, goTo) {
    this.session = session;
    this.goTo = goTo;
    this.cards = byId("standing");
    this.body = byId("events").tBodies[0];
    this.speaking = 0;
  }

  show(place) {
    const {session} = this;
    showWhy(session, place, this.goTo);
    showMirrors(session, place, this.goTo);
    if (session.count === 0) {
      byId("now").textContent = "No event was recorded.";
      this.cards.replaceChildren();
      this.body.replaceChildren();
      return "";
    }
    const standing = session.standing(place);
    const sentence = this.sentence(place);
    byId("now").replaceChildren(
      make("strong", {}, `Event ${session.seq[place]}`), ` at ${moment(session.time[place])}: `,
      this.happened(place));
    byId("doubt").hidden = !session.isDoubtful(place, standing);
    this.showCards(place, standing);
    this.showEvents(place);
    this.say(place, standing);
    return sentence;
  }

  happened(place) {
    const {session} = this;
    const controller = session.controllers[session.controller[place]];
    const note = session.notes.get(place);
    return [
      controller ? controller.name + "," : "", session.what(place),
      session.about(place), note ? `“${note}”` : ""
    ].filter(text => text !== "").join(" ");
  }

  sentence(place) {
    const {session} = this;
    return `Event ${session.seq[place]}, ${place + 1} of ${session.count}, at `
      + `${moment(session.time[place])}: ${this.happened(place)}`;
  }

  // If there are many controllers, the active ones come first.
  showCards(place, standing) {
    const {session} = this, here = session.controller[place];
    const order = session.controllers.map((_, i) => i);
    if (order.length > 60) {
      const isBusy = i => i === here || standing[i].stage.length + standing[i].queue.length > 0;
      order.sort((one, other) => isBusy(other) - isBusy(one) || one - other);
    }
    const cards = order.slice(0, 60).map(i => this.card(i, standing[i], place, i === here));
    if (order.length > 60) {
      cards.push(make("p", {class: "soft"}, `And ${counted(order.length - 60, "more controller")}.`));
    }
    this.cards.replaceChildren(...cards);
  }

  card(i, {stage, queue}, place, isHere) {
    const {session} = this, controller = session.controllers[i];
    const shown = stage.length === 0 ? ["none"] : stage.map(({visit, phase}) =>
      session.visitName(visit) + ["", " (entering)", "", " (exiting)"][phase]);
    const waiting = queue.slice(0, 8).map(({visit}) => session.visitName(visit));
    if (queue.length > 8) waiting.push(`and ${grouped(queue.length - 8)} more`);
    return make("article", {class: isHere ? "card here" : "card"},
      make("h3", {}, controller.name, " ", make("span", {}, controller.policy)),
      make("dl", {},
        make("dt", {}, "On screen"), listed(shown),
        make("dt", {}, "Awaited"), listed(session.awaited(i, {stage, queue}, place)),
        make("dt", {}, "Pending"), listed(waiting.length === 0 ? ["none"] : waiting)));
  }

  showEvents(place) {
    const {session} = this, rows = [];
    const first = Math.max(0, Math.min(place - 6, session.count - 13));
    for (let i = first; i < Math.min(session.count, first + 13); i++) rows.push(this.row(i, place));
    const hasFocus = this.body.contains(document.activeElement);
    this.body.replaceChildren(...rows);
    if (hasFocus) this.body.querySelector(".current button").focus();
  }

  row(i, place) {
    const {session} = this;
    const controller = session.controllers[session.controller[i]];
    const cause = session.seq[i] - session.back[i];
    const site = session.sites[session.site[i]];
    const row = make("tr", i === place ? {class: "current", "aria-current": "true"} : {},
      make("td", {}, button(`${session.seq[i]}`, () => this.goTo(i))),
      make("td", {class: "time"}, moment(session.time[i])), make("td", {}, controller ? controller.name : ""),
      make("td", {}, session.what(i)), make("td", {}, session.about(i)),
      make("td", {}, session.back[i] === 0 ? "" : !session.has(cause) ? `${cause}`
        : button(`${cause}`, () => this.goTo(session.placeOf(cause)))),
      make("td", {class: "soft"}, site));
    return row;
  }

  // Announced when the slider stops, so that a screen reader does not get too many messages.
  say(place, standing) {
    clearTimeout(this.speaking);
    this.speaking = setTimeout(() => {
      const {stage, queue} = standing[this.session.controller[place]] || {stage: [], queue: []};
      const onScreen = stage.map(({visit}) => this.session.visitName(visit)).join(", ") || "none";
      byId("spoken").textContent = `${this.sentence(place)}. On screen: ${onScreen}. `
        + `${counted(queue.length, "pending request")}.`;
    }, 400);
  }
}

function listed(texts) {
  return make("dd", {}, ...texts.flatMap((text, i) => i === 0 ? [text] : [make("br"), text]));
}

const severities = {error: "bad", warning: "doubtful", note: "soft"};

class FindingList {
  constructor(session, goTo) {
    [this.session, this.goTo] = [session, goTo];
    this.list = byId("findings");
    this.list.replaceChildren();
    this.most = 200;
    // The items by their findings, so that one that is open or has the focus stays when others come.
    this.items = new Map();
    this.none = make("li", {}, make("span", {class: "what none"}, "No rule is broken."));
    this.button = button("", () => {
      const {childElementCount} = this.list;
      this.most += 200;
      this.show();
      this.list.children[childElementCount - 1].querySelector("button").focus();
    });
    this.rest = make("li", {}, this.button);
    this.show();
  }

  show() {
    const {findings} = this.session.raw, rest = findings.length - this.most;
    const shown = new Map();
    for (const finding of findings.slice(0, this.most)) {
      let key = [finding.seq, finding.code, finding.controller].join(" ");
      while (shown.has(key)) key += "+";
      const item = this.items.get(key) ?? this.item(finding);
      // It may tell of a time that goes on.
      item.querySelector(".detail").textContent = finding.detail;
      shown.set(key, item);
    }
    this.items = shown;
    const items = findings.length === 0 ? [this.none] : [...shown.values()];
    this.button.textContent = `${grouped(rest)} more`;
    if (rest > 0) items.push(this.rest);
    arrange(this.list, items);
  }

  item(finding) {
    const {session, goTo} = this;
    const controller = session.controllers[finding.controller];
    const place = session.placeOf(finding.seq);
    const isShown = session.has(finding.seq);
    const text = `Event ${finding.seq}`
      + (isShown ? ` at ${moment(session.time[place])}` : "");
    const row = make("li", {},
      make("span", {class: severities[finding.severity]}, finding.severity),
      make("span", {class: "what"}, finding.code),
      make("span", {class: "place detail"}));
    let reason = null;
    const why = button("Why?", () => {
      if (reason === null) {
        row.append(reason = reasons(session, finding, place => goTo(place, true)));
      } else reason.hidden = !reason.hidden;
      why.setAttribute("aria-expanded", `${!reason.hidden}`);
    });
    why.setAttribute("aria-expanded", "false");
    row.append(make("span", {class: "place soft"},
      isShown ? button(text, () => goTo(place, true)) : text,
      controller ? `, ${controller.name}` : "", " · ", why));
    return row;
  }
}

function showReplay(session, goTo) {
  const {replay} = session.raw;
  byId("replay").hidden = !replay;
  if (!replay) return;
  const marks = {reproduced: "", diverged: "bad", inconclusive: "doubtful"};
  byId("verdict").replaceChildren(
    make("strong", {class: marks[replay.verdict]}, replay.verdict), `: ${replay.sentence}${replay.sentence.endsWith(".") ? "" : "."}`);
  // There is no link to an event that is not on the page.
  const link = (text, seq) => session.has(seq)
    ? button(text, () => goTo(session.placeOf(seq), true)) : `${text} (not in this page)`;
  const words = side => side ? side.words : "nothing";
  const parts = replay.divergences.slice(0, 20).map(one => {
    return make("article", {class: "divergence"},
      make("h3", {}, link(`Event ${one.seq} at ${moment(one.t_ms * 1000)}`, one.seq),
        `, ${one.controller}: ${one.sentence}.`),
      make("div", {class: "sides"},
        make("div", {}, make("h4", {}, "Recorded"), make("p", {}, words(one.recorded))),
        make("div", {class: "other"}, make("h4", {}, "Replayed"), make("p", {}, words(one.replayed)),
          make("p", {class: "soft"}, `On screen: ${one.on_stage}`),
          make("p", {class: "soft"}, `Pending: ${one.pending}`))),
      make("p", {class: "soft"}, "What led to it, as recorded: ",
        ...one.causes.flatMap((seq, i) => [i === 0 ? "" : ", ",
          link(`event ${seq}`, seq)])));
  });
  const rest = replay.divergence_count - parts.length;
  if (rest > 0) parts.push(make("p", {class: "soft"}, `And ${counted(rest, "more divergence")}.`));
  parts.push(...replay.doubts.map(one => make("p", {class: "soft"}, one.detail)));
  byId("divergences").replaceChildren(...parts);
}

class TableList {
  constructor(session) {
    this.session = session;
    // The boxes of the tables by their names, each with the number of rows that are shown.
    this.boxes = new Map();
    this.none = make("p", {class: "soft"}, "No state entered.");
    byId("tables").replaceChildren(this.none);
    this.show();
  }

  show() {
    const {tables} = this.session.raw;
    for (const table of tables) {
      if (!this.boxes.has(table.name)) {
        const box = make("div", scrolled(table.caption));
        this.boxes.set(table.name, {box, shown: 25});
        byId("tables").append(box);
      }
      this.fill(this.boxes.get(table.name), table);
    }
    this.none.hidden = tables.some(({rows}) => rows.length > 0);
  }

  fill(known, table) {
    const {caption, columns, rows, count} = table, {box, shown} = known, rest = rows.length - shown;
    const head = columns.map(({name, isNumber}) =>
      make("th", {scope: "col", class: isNumber ? "number" : ""}, name));
    const cell = ({meaning, isNumber}, value) => make("td", {class: isNumber ? "number" : ""},
      value === null ? "" : meaning === "duration" ? duration(value * 1000)
        : meaning === "percent" ? `${value.toFixed(1)} %`
        : meaning === "answer" ? (value === 0 ? "no" : "yes") : `${value}`);
    const wide = content => make("tr", {}, make("td", {colspan: `${columns.length}`}, content));
    const body = rows.slice(0, shown).map(row =>
      make("tr", {}, ...row.map((value, i) => cell(columns[i], value))));
    if (rest > 0) {
      body.push(wide(button(`${grouped(rest)} more`, () => {
        known.shown += 25;
        this.fill(known, table);
        const first = box.querySelector("tbody").rows[shown];
        first.tabIndex = -1;
        first.focus();
      })));
    } else if (count > rows.length) {
      body.push(wide(
        `${grouped(count - rows.length)} more are not in this page; 'stats' and 'stuck' list them.`));
    }
    box.hidden = rows.length === 0;
    keepingFocus(box, () => box.replaceChildren(make("table", {}, make("caption", {}, caption),
      make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body))));
  }
}

class VisitTable {
  constructor(session, goTo) {
    this.session = session;
    this.goTo = goTo;
    this.from = 0;
    this.size = 25;
    byId("visits-back").onclick = () => this.turn(-this.size);
    byId("visits-on").onclick = () => this.turn(this.size);
    byId("visit-filter").oninput = () => { this.from = 0; this.filter(); };
    this.filter();
  }

  filter() {
    const {session} = this, wanted = byId("visit-filter").value.trim().toLowerCase();
    const says = text => text.toLowerCase().includes(wanted);
    const names = session.sought.states.map(says);
    const controllers = session.sought.controllers.map(says);
    this.found = session.visits.filter(
      visit => wanted === "" || names[visit.state] || controllers[visit.controller]);
    this.show();
  }

  turn(count) {
    this.from = Math.max(0, Math.min(this.from + count, this.found.length - 1));
    this.show();
  }

  show() {
    const {session} = this;
    const rows = this.found.slice(this.from, this.from + this.size).map(visit => this.row(visit));
    // Rows that say the same stay: one of them may have the focus.
    const text = rows.map(row => row.textContent).join("\n");
    const [body] = byId("visits").tBodies;
    if (text !== this.text) keepingFocus(body, () => body.replaceChildren(...rows));
    this.text = text;
    const last = Math.min(this.from + this.size, this.found.length);
    const missing = session.raw.visits - session.visits.length;
    const rest = missing > 0 ? `; ${counted(missing, "older visit")} not in this page` : "";
    byId("visits-place").textContent = this.found.length === 0 ? `No visit${rest}.`
      : `${grouped(this.from + 1)} to ${grouped(last)} of ${grouped(this.found.length)}${rest}`;
    byId("visits-back").disabled = this.from === 0;
    byId("visits-on").disabled = last >= this.found.length;
  }

  row(visit) {
    const {session} = this, time = i => i < 0 ? null : session.time[i];
    const between = (from, to) => from === null || to === null ? "" : duration(Math.max(0, to - from));
    const said = value => value === null ? "" : moment(value);
    // A visit that was open when recording began was requested before.
    const isRequest = visit.asked >= 0 && facts.kinds[session.kind[visit.asked]] === "enqueued";
    // Nor is it known since when it was in the phase in which it was then.
    const at = name => visit.unknown === name ? -1 : visit[name];
    const [asked, told, entered, gone] =
      [isRequest ? visit.asked : -1, at("entering"), at("entered"), visit.gone].map(time);
    return make("tr", {},
      make("td", {}, session.controllers[visit.controller].name),
      make("td", {}, button(session.visitName(visit), () => this.goTo(visit.first, true))),
      make("td", {class: "number"}, said(asked)),
      make("td", {class: "number"}, between(asked, told ?? entered)),
      make("td", {class: "number"}, between(told, entered)),
      make("td", {class: "number"}, between(entered, gone)),
      make("td", {class: "number"}, said(gone)), make("td", {}, session.outcome(visit)));
  }
}
