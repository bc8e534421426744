// How numbers are said, and how elements are made: always of text, so that no name becomes markup.

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

// An element with children, which are elements or texts.
function make(tag, options = {}, ...children) {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(options)) {
    if (key === "class") element.className = value;
    else if (key === "click") element.addEventListener("click", value);
    else element.setAttribute(key, value);
  }
  for (const child of children) {
    if (child !== null && child !== undefined) element.append(named(child));
  }
  return element;
}

// Names that are written from right to left do not take along what stands beside them.
function named(child) {
  if (typeof child !== "string" || !/[\u0590-\u08ff\ufb1d-\ufefc]/.test(child)) return child;
  const isolated = document.createElement("bdi");
  isolated.textContent = child;
  return isolated;
}

function button(text, click) { return make("button", {type: "button", class: "link", click}, text); }
