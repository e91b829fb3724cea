/**
 * What happened to one fact in one mind: when it became true and when it ceased, each moment to be
 * gone to. Where that is more than one answer may hold, the newest part comes first and says so,
 * and what came before is asked for with a click.
 */

import { get, modelPath } from "./api.js";
import { button, make } from "./make.js";
import { termsOf } from "./terms.js";

const WORDS = { became_true: "became true", ceased: "ceased" };
const MOST_ROWS = 500;
const TRIES = 40;

/**
 * What happened to a fact: `{lines, complete, since}`; `since` is the seq from which on it is told
 * when there was too much for one answer, or null.
 * @param {{until?: number}} [part] only what happened up to then
 * @param {AbortSignal} [signal]
 */
export async function historyOf(model, fact, part = {}, signal = undefined) {
  const { subject: s, predicate: p, object: o } = termsOf(fact);
  const ask = (since) => get(modelPath(model, "history"), { s, p, o, since, ...part }, { signal });
  let from = null;
  let to = part.until ?? null;
  for (let tries = 0; tries < TRIES; tries += 1) {
    try {
      const { history, complete } = await ask(from);
      return { lines: history, complete, since: from };
    } catch (refusal) {
      const isTooFarBack = refusal.code === "too_old" && from !== null;
      if (refusal.code !== "too_large" && !isTooFarBack) throw refusal;
      to ??= (await get("/health")).seq;
      from = Math.floor(((from ?? 0) + to + 1) / 2);
    }
  }
  throw new Error("the history of this fact is too long, however little is asked for");
}

/**
 * The history as a table; `goTo({seq, t})` is called with the moment that is clicked, and
 * `earlier(until)` for what came before a part of it, and `newest()`, if there is, to come back.
 */
export function historyTable({ lines, complete, since }, { goTo, earlier, newest }) {
  const shown = lines.slice(-MOST_ROWS);
  const rows = shown.map((line) => make("tr", { data: { op: line.op, seq: line.seq } },
    make("td", {}, button(WORDS[line.op], () => goTo({ seq: line.seq, t: Date.parse(line.t) }), {
      class: "moment", title: "show the board as it was then",
    })),
    make("td", {}, make("time", { datetime: line.t, title: line.t }, clockTime(line.t))),
    make("td", { class: "number" }, line.seq),
    make("td", {}, line.source ?? "")));
  const head = ["what", "when", "seq", "source"].map((name) => make("th", { scope: "col" }, name));
  const table = make("table", { class: "history" }, make("thead", {}, make("tr", {}, ...head)),
    make("tbody", { "data-testid": "history-rows" }, ...rows));
  return make("div", { class: "answer" }, before(lines, shown, since, complete, earlier), table,
    newest ? button("Newest", newest, { class: "earlier" }) : null);
}

function before(lines, shown, since, complete, earlier) {
  if (lines.length > shown.length) {
    const first = shown[0].seq;
    return make("p", { class: "none" }, `${lines.length - shown.length} changes before seq ${first} are not drawn. `,
      button("Earlier", () => earlier(first - 1), { class: "earlier" }));
  }
  if (since !== null) {
    return make("p", { class: "none" }, `There is too much for one answer: this is since seq ${since}. `,
      button("Earlier", () => earlier(since - 1), { class: "earlier" }));
  }
  return complete ? null : make("p", { class: "none" }, "What came before is no longer kept.");
}

/** A moment in few words: its delta, or its time. */
export function momentWords({ seq, t }) {
  return seq === null || seq === undefined ? clockTime(t) : `seq ${seq}`;
}

/** A time of the board as a clock here shows it, with the date where it is another day's. */
export function clockTime(text) {
  const t = new Date(text);
  if (Number.isNaN(t.getTime())) return String(text);
  const two = (number) => String(number).padStart(2, "0");
  const clock = [t.getHours(), t.getMinutes(), t.getSeconds()].map(two).join(":");
  const exact = `${clock}.${String(t.getMilliseconds()).padStart(3, "0")}`;
  const isToday = t.toDateString() === new Date().toDateString();
  return isToday ? exact : `${t.getFullYear()}-${two(t.getMonth() + 1)}-${two(t.getDate())} ${exact}`;
}
