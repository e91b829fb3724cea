/**
 * The strip that names what minds are wrong about, each a button to what is wrong.
 */

import { keyOf, sayDispute } from "./divergence.js";
import { ownerOf } from "./terms.js";

const MOST = 12;

/**
 * @param {HTMLElement} element
 * @param {import("./board.js").Board} board
 * @param {import("./quarrels.js").Quarrels} quarrels
 */
export function createDisputes(element, board, quarrels) {
  const list = document.createElement("ul");
  const more = document.createElement("p");
  more.className = "more";
  element.append(list, more);
  /** @type {Map<string, HTMLElement>} */
  const shown = new Map();

  function draw() {
    const all = quarrels.disputes;
    const kept = new Map(all.slice(0, MOST).map((each) => [keyOf(each), each]));
    for (const [key, item] of shown) {
      if (kept.has(key)) continue;
      item.remove();
      shown.delete(key);
    }
    for (const [key, dispute] of kept) {
      if (!shown.has(key)) shown.set(key, itemOf(dispute));
      const item = /** @type {HTMLElement} */ (shown.get(key));
      if (list.lastElementChild !== item) list.append(item);
    }
    more.textContent = all.length ? `… and ${all.length - MOST} more` : "No mind is known to be wrong.";
    more.hidden = all.length > 0 && all.length <= MOST;
  }

  /** @param {import("./divergence.js").Dispute} dispute */
  function itemOf(dispute) {
    const item = document.createElement("li");
    const button = document.createElement("button");
    item.style.setProperty("--mind", `var(--mind-${board.hue(ownerOf(dispute.model))})`);
    button.dataset.testid = "dispute";
    button.dataset.of = dispute.model;
    button.textContent = sayDispute(dispute, board.people);
    button.title = "Why?";
    button.onclick = () => board.choose({ model: dispute.model, fact: dispute.here[0] });
    item.append(button);
    return item;
  }

  quarrels.on(draw);
  draw();
}
