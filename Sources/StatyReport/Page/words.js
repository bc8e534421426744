// Writes numbers, and makes elements. Content is always inserted as text, so that a name cannot
// become markup.

function moment(microseconds) { return `+${(microseconds / 1e6).toFixed(3)} s`; }

function duration(microseconds) {
  if (microseconds < 10000) return `${(microseconds / 1e3).toFixed(3)} ms`;
  if (microseconds < 120e6) return `${(microseconds / 1e6).toFixed(3)} s`;
  const seconds = Math.floor(microseconds / 1e6);
  if (seconds < 7200) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor(seconds % 3600 / 60)} min`;
}

function grouped(number) { return number.toLocaleString("en-US"); }

function counted(number, noun) { return `${grouped(number)} ${noun}${number === 1 ? "" : "s"}`; }

function byId(id) { return document.getElementById(id); }

// Makes an element with children, which are elements or texts.
function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (key === "class") element.className = value;
    else if (key === "click") element.addEventListener("click", value);
    else element.setAttribute(key, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(child);
  }
  return element;
}

// A text from the file for a paragraph or the canvas. Characters that are invisible, end the line
// or change its direction are escaped, as in a terminal. Text from right to left is isolated from
// the text around it.
function told(text) {
  // Variation selectors are kept, because many emoji contain them.
  const hidden =
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u2800]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
  const seen = text.replace(hidden, sign => `\\u{${sign.codePointAt(0).toString(16)}}`);
  const isTurned =
    /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u.test(seen);
  return isTurned ? `\u2068${seen}\u2069` : seen;
}

// The same data with every text escaped in this way.
function allTold(value) {
  if (typeof value === "string") return told(value);
  if (Array.isArray(value)) return value.map(allTold);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, allTold(part)]));
}

function button(text, click) { return make("button", {type: "button", class: "link", click}, text); }

// Replaces the content of an element. The focus is then at what says the same there, or at what is in
// the same place, or else at the element.
function keepingFocus(element, replace) {
  const held = document.activeElement, parts = () => [...element.querySelectorAll("button, [tabindex]")];
  const place = parts().indexOf(held);
  replace();
  if (place < 0) return;
  const now = parts(), same = one => one.textContent === held.textContent;
  const next = now[place] && same(now[place]) ? now[place]
    : now.find(same) ?? now[Math.min(place, now.length - 1)] ?? element;
  next.focus({preventScroll: true});
}

// Gives an element these children in this order. Those that it has stay where they are.
function arrange(element, children) {
  const wanted = new Set(children);
  for (const child of [...element.children]) if (!wanted.has(child)) child.remove();
  let next = element.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling; else element.insertBefore(child, next);
  }
}

// The attributes of an element that may be wider than its place, and is then scrolled with the keyboard, too.
function scrolled(name) {
  return {class: "scroll", role: "group", tabindex: "0", "aria-label": `${name}, which can be scrolled`};
}
