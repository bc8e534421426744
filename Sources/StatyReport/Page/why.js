// What led to an event, and what two tracks that mirror each other showed.

const MOST_CAUSES = 64, MOST_MOVES = 6;

// The events that led to one, the farthest first, and the event itself last.
function chainTo(session, seq) {
  const chain = [];
  let next = seq;
  while (next !== 0 && chain.length <= MOST_CAUSES) {
    const event = session.event(next);
    chain.push(event);
    // A cause is earlier than its effect, or a hostile file could cause an endless loop.
    next = event.cause < event.seq ? event.cause : 0;
  }
  return chain.reverse();
}

function chainList(session, seq, goTo) {
  const step = ({seq, place, time, controller, what, about, site}) => {
    if (what === undefined) return make("li", {class: "soft"}, `Event ${seq} (not in this page)`);
    const name = `Event ${seq}`;
    return make("li", {},
      place === undefined ? `${name} (not in this page)` : button(name, () => goTo(place)),
      ...[moment(time), controller, `${what} ${about}`.trim()].filter(text => text !== "")
        .map(text => make("span", {}, text)),
      site === "" ? null : make("span", {class: "soft"}, `at ${site}`));
  };
  return make("ol", {class: "chain"}, ...chainTo(session, seq).map(step));
}

// What led to the event at a place.
function showWhy(session, place, goTo) {
  const box = byId("why");
  if (session.count === 0) return box.replaceChildren();
  const site = session.sites[session.site[place]];
  keepingFocus(box, () => box.replaceChildren(make("h3", {}, "What led to it"), session.back[place] !== 0
    ? chainList(session, session.seq[place], goTo)
    : make("p", {class: "soft"}, "Nothing that is recorded: it came from outside.",
      site === "" ? "" : ` It was requested at ${site}.`)));
}

// Two tracks side by side: what each shows after the event at a place, and its last moves.
function mirrorSides(session, pair, place, goTo) {
  const standing = session.standing(place);
  const side = controller => {
    const {name} = session.controllers[controller], moves = session.moves[controller];
    const last = lastAtMost(moves, place);
    const shown = standing[controller].stage.map(({visit}) => session.visitName(visit));
    const isFound = last >= 0 && session.raw.findings.some(({seq, code}) =>
      code === "mirror" && seq === session.seq[moves[last]]);
    const rows = moves.slice(Math.max(0, last + 1 - MOST_MOVES), last + 1).map(i => make("li", {},
      button(`Event ${session.seq[i]}`, () => goTo(i)),
      ` ${moment(session.time[i])} ${session.what(i)} ${session.about(i)}`));
    return make("div", isFound ? {class: "other"} : {},
      make("h4", {}, name), make("p", {}, `On screen: ${shown.join(", ") || "none"}`),
      make("ul", {class: "soft"}, ...rows));
  };
  return make("div", {class: "sides"}, ...pair.map(side));
}

function showMirrors(session, place, goTo) {
  const pairs = session.count === 0 ? [] : session.mirrors;
  const box = byId("mirrors");
  keepingFocus(box, () => box.replaceChildren(...pairs.slice(0, 20).flatMap(pair => [
    make("h3", {}, "Two tracks that should show the same"), mirrorSides(session, pair, place, goTo)])));
}

// Why a finding: what led to it, or both tracks, if it is about what they show.
function reasons(session, finding, goTo) {
  const pairs = finding.code !== "mirror" || !session.has(finding.seq) ? []
    : session.mirrors.filter(pair => pair.includes(finding.controller));
  return make("div", {class: "reason"},
    ...pairs.map(pair => mirrorSides(session, pair, session.placeOf(finding.seq), goTo)),
    chainList(session, finding.seq, goTo));
}
