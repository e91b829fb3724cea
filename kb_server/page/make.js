/**
 * Elements made from values. Text is only ever text: nothing here reads markup.
 */

import { cut } from "./words.js";

/**
 * An element with its properties and children.
 *
 * `on` is a table of listeners, `data` of data attributes; what is undefined, null or false is left
 * out, and true stands as an attribute without a value.
 * @param {string} tag
 * @param {Record<string, any>} [properties]
 * @param {...(Node|string|number|null|undefined|false)} children
 * @returns {HTMLElement}
 */
export function make(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  const { on = {}, data = {}, ...attributes } = properties;
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== undefined && value !== null && value !== false) {
      made.setAttribute(name, value === true ? "" : String(value));
    }
  }
  for (const [name, value] of Object.entries(data)) {
    if (value !== undefined) made.dataset[name] = value;
  }
  for (const [name, listener] of Object.entries(on)) made.addEventListener(name, listener);
  const there = children.filter((each) => each !== null && each !== undefined && each !== false);
  made.append(...there.map((each) => (each instanceof Node ? each : String(each))));
  return made;
}

/** A button that does something. */
export function button(label, onClick, properties = {}) {
  return make("button", { type: "button", ...properties, on: onClick ? { click: onClick } : {} }, label);
}

/** A choice among values, each with its words: `[["both", "appears or ceases"], …]`. */
export function choice(options, properties = {}) {
  const select = make("select", properties);
  rechoose(select, options);
  return select;
}

/** Puts other options into a choice; what was chosen stays chosen while it is there. */
export function rechoose(select, options, chosen = select.value) {
  select.replaceChildren(...options.map(([value, words]) => make("option", { value }, words)));
  select.value = chosen;
  if (select.selectedIndex < 0 && select.options.length) select.selectedIndex = 0;
}

let made = 0;

/** An id that no other element has, for labels and descriptions. */
export function freshId(stem) {
  made += 1;
  return `${stem}-${made}`;
}

/** Text that is cut where it is long; the whole of it comes with a click. */
export function shortened(text, longest = 80) {
  if (text.length <= longest) return make("span", {}, text);
  const short = cut(text, longest);
  const words = make("span", { class: "long" }, short);
  const more = button("all", () => {
    const isCut = more.getAttribute("aria-expanded") === "false";
    more.setAttribute("aria-expanded", String(isCut));
    more.textContent = isCut ? "less" : "all";
    words.textContent = isCut ? text : short;
  }, { class: "all", "aria-expanded": "false", title: `${text.length} characters` });
  return make("span", {}, words, " ", more);
}
