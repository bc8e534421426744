// How else the same input can end, as the tool has searched it.

// The meanings of the characters of a lane.
const STRIPS = {"?": "pending", ".": "pending", ">": "moving", "-": "moving", "[": "shown", "=": "shown",
  "<": "moving", "~": "moving", "x": "pending end", "]": "end"};

function showOutcomes(session) {
  const {outcomes} = session.raw;
  byId("outcomes").hidden = !outcomes;
  if (!outcomes) return;
  const marks = {same: "", differs: "doubtful", broken: "bad", inconclusive: "doubtful"};
  byId("ends").replaceChildren(
    make("strong", {class: marks[outcomes.verdict]}, outcomes.verdict), `: ${outcomes.sentence}`);
  byId("ways").replaceChildren(...outcomes.ways.map(({shows, when, isAllowed}) => make("li", {},
    `${shows}: ${when}.`, isAllowed ? "" : make("span", {class: "bad"}, " This is not allowed."))));
  byId("orders").replaceChildren(...outcomes.pairs.flatMap(orderPair));
}

// Two orders below each other, so that the first difference is in one place.
function orderPair(orders) {
  const mark = Math.max(...orders.map(({mark}) => mark));
  const columns = Math.max(...orders.map(order => mark - order.mark + order.columns));
  return orders.map(order => make("article", {class: "order"},
    make("h3", {}, order.title),
    make("div", {class: "strips"}, ...order.lanes.flatMap(([label, cells]) => [
      make("span", {class: "label", title: label}, label), strip(cells, mark - order.mark, columns, mark)])),
    order.differs === null ? null
      : make("p", {class: "soft"}, `The first difference: ${order.differs}.`),
    make("details", {}, make("summary", {}, counted(order.steps.length, "step")),
      make("ol", {}, ...order.steps.map(step => make("li", {}, step))))));
}

// A lane: a stretch for each phase, as wide as it has events.
function strip(cells, skipped, columns, mark) {
  const stretches = [["", skipped]];
  for (const cell of cells) {
    const [before] = stretches.at(-1);
    // Any other sign is drawn where the visit stays as it is.
    const name = STRIPS[cell] ?? (" |:#".includes(cell) || before.endsWith("end") ? "" : before);
    if (before === name) stretches.at(-1)[1] += 1; else stretches.push([name, 1]);
  }
  const percent = count => `${100 * count / columns}%`;
  const element = make("div", {class: "strip", role: "img", "aria-label": cells.trim()});
  for (const [name, count] of stretches) {
    const part = make("i", {class: name});
    part.style.width = percent(count);
    element.append(part);
  }
  const split = make("b", {class: "split", title: "The first difference"});
  split.style.insetInlineStart = percent(mark);
  element.append(split);
  return element;
}
