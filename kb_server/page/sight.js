/**
 * When the agent of a mind last saw a thing, as that mind has it: what a belief about where things
 * are rests on, long after the thing has gone elsewhere.
 */

import { clockTime, historyOf } from "./history.js";
import { button, make } from "./make.js";
import { ownerOf } from "./terms.js";
import { callOf, capital } from "./words.js";

/**
 * A sentence on it for a fact's subject, or null where nothing is known of its being seen.
 * @param {string} model
 * @param {string} thing
 * @param {import("./board.js").Board} board
 * @param {AbortSignal} signal
 */
export async function lastSight(model, thing, board, signal) {
  const owner = ownerOf(model);
  const until = board.at === null ? {} : { until: board.at };
  const { lines } = await historyOf(model, `${owner} sees ${thing}`, until, signal);
  const last = lines.at(-1);
  if (!last) return null;
  const [who, what] = [owner, thing].map((term) => callOf(term, board.people));
  const isSeen = last.op === "became_true";
  const moment = button(clockTime(last.t), () => board.goTo({ seq: last.seq, t: Date.parse(last.t) }),
    { class: "moment", title: "show the board as it was then" });
  const words = isSeen ? `${capital(who)} sees ${what}, since ` : `${capital(who)} last saw ${what} at `;
  return make("p", { class: "sight", "data-testid": "why-sight" }, words, moment, ` (seq ${last.seq}).`);
}
