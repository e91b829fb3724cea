/**
 * The marks above the line of time; where they are dense, the numbers of steps come before the rest.
 */

/** @typedef {import("./timeline.js").Tick} Tick */

const APART = 2;
const NUMBERS_APART = 16;

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
    const kept = new Map();
    const last = { step: -Infinity, mark: -Infinity };
    for (const tick of ticks) {
      const part = length ? Math.min(Math.max((tick.t - start) / length, 0), 1) : 0;
      const row = tick.kind === "step" ? "step" : "mark";
      const gap = part * width - last[row];
      if (row === "mark" && gap < APART) continue;
      const isNumbered = row === "step" && gap >= NUMBERS_APART;
      if (row === "mark" || isNumbered) last[row] = part * width;
      kept.set(tick.key, { tick, part, isNumbered });
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
