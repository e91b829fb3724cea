/**
 * The marks above the line of time. Where steps lie on each other they make room for their numbers, as
 * far as there is any.
 */

/** @typedef {import("./timeline.js").Tick} Tick */

const APART = 2;
const STEPS_APART = 19;

/**
 * @param {HTMLElement} element
 * @param {(tick: Tick) => void} choose
 */
export function createTicks(element, choose) {
  /** @type {Map<string, HTMLElement>} */
  const shown = new Map();

  /** @param {Tick[]} ticks @param {number} start @param {number} length */
  function draw(ticks, start, length) {
    const width = element.clientWidth;
    const partOf = ({ t }) => (length ? Math.min(Math.max((t - start) / length, 0), 1) : 0);
    const kept = new Map();
    const steps = ticks.filter(({ kind }) => kind === "step");
    const isNumbered = steps.length * STEPS_APART <= width + STEPS_APART;
    const places = steps.map((tick) => partOf(tick) * width);
    if (isNumbered) spread(places, STEPS_APART, width);
    steps.forEach((tick, i) => kept.set(tick.key, { tick, part: width ? places[i] / width : 0, isNumbered }));
    let last = -Infinity;
    for (const tick of ticks) {
      const part = partOf(tick);
      if (tick.kind === "step" || part * width - last < APART) continue;
      last = part * width;
      kept.set(tick.key, { tick, part, isNumbered: false });
    }
    for (const [key, button] of shown) {
      if (kept.has(key)) continue;
      button.remove();
      shown.delete(key);
    }
    for (const [key, { tick, part, isNumbered }] of kept) {
      const button = shown.get(key) ?? make(key, tick);
      button.style.left = `${(100 * part).toFixed(3)}%`;
      button.textContent = isNumbered ? tick.label : "";
    }
  }

  /** @param {string} key @param {Tick} tick */
  function make(key, tick) {
    const button = document.createElement("button");
    button.className = `tick ${tick.kind}`;
    button.tabIndex = -1; // by keys one steps from mark to mark
    button.dataset.seq = String(tick.seq);
    button.title = tick.says();
    button.setAttribute("aria-label", button.title);
    button.onclick = () => choose(tick);
    shown.set(key, button);
    element.append(button);
    return button;
  }

  return { draw };
}

/**
 * Moves places, which are in order, apart within a width that has room for all.
 * @param {number[]} places @param {number} apart @param {number} width
 */
export function spread(places, apart, width) {
  for (let i = 1; i < places.length; i++) places[i] = Math.max(places[i], places[i - 1] + apart);
  let end = width;
  for (let i = places.length - 1; i >= 0; i--, end -= apart) places[i] = Math.min(places[i], end);
}
