/**
 * The facts of one model as they are now: read once, then kept up by events.
 */

import { get, modelPath } from "./api.js";
import { factOf } from "./terms.js";

const PAGE = 10_000;
/** More of a model is not shown: a page is for eyes. */
export const MOST_FACTS = 20_000;
const AGAIN = 1_000;

export class LiveFacts {
  /**
   * @param {import("./line.js").Line} line
   * @param {string} model
   * @param {{came: (fact: string) => void, went: (fact: string) => void, whole: () => void,
   *          happened: (event: {seq: number, t: number, fact: string, came: boolean}) => void}} tell
   */
  constructor(line, model, tell) {
    this.model = model;
    /** @type {Set<string>} */
    this.facts = new Set();
    this.isKnown = false;
    this.isPartial = false;
    this._tell = tell;
    this._missed = /** @type {{fact: string, came: boolean}[]|null} */ (null);
    this._reading = /** @type {AbortController|null} */ (null);
    const fields = { model, patterns: ["?s ?p ?o"], on: "both" };
    this._handle = line.subscribe(fields, (event) => this._hear(event));
  }

  end() {
    this._reading?.abort();
    this._handle.end();
  }

  /** @param {any} event */
  _hear(event) {
    if (event.event === "begun") {
      if (!event.resumed || !this.isKnown) this._read();
    } else if (event.event === "appear" || event.event === "disappear") {
      const happened = readEvent(event);
      this._tell.happened(happened);
      if (this._missed) this._missed.push(happened);
      else this._take(happened);
    }
  }

  /** @param {{fact: string, came: boolean}} event */
  _take({ fact, came }) {
    if (came === this.facts.has(fact)) return;
    if (!came) {
      this.facts.delete(fact);
      this._tell.went(fact);
    } else if (this.facts.size < MOST_FACTS) {
      this.facts.add(fact);
      this._tell.came(fact);
    } else if (!this.isPartial) {
      this.isPartial = true;
      this._tell.whole();
    }
  }

  /** Reads all; what happens meanwhile is taken up after it, in order. */
  async _read() {
    this._reading?.abort();
    const reading = (this._reading = new AbortController());
    this._missed = [];
    try {
      const { facts, isPartial } = await factsOf(this.model, null, reading.signal);
      if (reading.signal.aborted) return;
      this.facts = facts;
      this.isPartial = isPartial;
      this.isKnown = true;
      for (const event of this._missed.splice(0)) this._take(event);
      this._missed = null;
      this._tell.whole();
    } catch (reason) {
      const isWorthAnother = /** @type {any} */ (reason).status !== 404 && !reading.signal.aborted;
      if (isWorthAnother) setTimeout(() => reading.signal.aborted || this._read(), AGAIN);
    }
  }
}

/** @param {any} event */
function readEvent({ event, seq, t, bindings: { s, p, o } }) {
  return { seq, t: Date.parse(t), fact: factOf(s, p, o), came: event === "appear" };
}

/**
 * The facts of a model, now or as they were at a moment.
 * @param {string} model
 * @param {string|number|null} at
 * @param {AbortSignal} signal
 */
export async function factsOf(model, at, signal) {
  /** @type {Set<string>} */
  const facts = new Set();
  let cursor = null;
  do {
    const page = await get(modelPath(model, "facts"), { limit: PAGE, cursor, at }, { signal });
    for (const { fact } of page.facts) facts.add(fact);
    cursor = page.next;
  } while (cursor && facts.size < MOST_FACTS);
  return { facts, isPartial: Boolean(cursor) };
}
