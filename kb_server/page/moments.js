/**
 * Which delta was when: what was heard of it, in order, for a line of time.
 */

const MOST = 20_000;

export class Moments {
  constructor() {
    /** @type {{seq: number, t: number}[]} */
    this._known = [];
  }

  get first() {
    return this._known[0] ?? null;
  }

  get last() {
    return this._known.at(-1) ?? null;
  }

  clear() {
    this._known = [];
  }

  /** @param {number} seq @param {number} t in ms since 1970 */
  note(seq, t) {
    const last = this.last;
    if (!last || seq > last.seq) this._known.push({ seq, t });
    else {
      const place = this._placeOf(seq);
      if (this._known[place]?.seq === seq) return;
      this._known.splice(place, 0, { seq, t });
    }
    if (this._known.length > MOST) this._thin();
  }

  /** Forgets every other one, but neither the first nor the last. */
  _thin() {
    const end = this._known.length - 1;
    this._known = this._known.filter((_, i) => i === 0 || i === end || i % 2);
  }

  /** Whether it is known when a delta was. @param {number} seq */
  has(seq) {
    return this._known[this._placeOf(seq)]?.seq === seq;
  }

  /**
   * The delta after which all was as at a moment; null where one that is not known may be nearer.
   * @param {import("./past.js").Moment} moment
   */
  standingAt({ seq, t }) {
    if (seq !== null) return seq;
    const place = this._known.findLastIndex((each) => each.t <= t);
    const [before, after] = [this._known[place], this._known[place + 1]];
    const isSure = before && after?.seq === before.seq + 1 && t >= before.t + 1; // known to the millisecond
    return isSure ? before.seq : null;
  }

  /** When a delta was, as near as is known; null when nothing is. @param {number} seq */
  timeOf(seq) {
    const place = this._placeOf(seq);
    const after = this._known[place];
    const before = this._known[place - 1];
    if (!before || after?.seq === seq) return after?.t ?? null;
    if (!after) return before.t;
    return before.t + ((after.t - before.t) * (seq - before.seq)) / (after.seq - before.seq);
  }

  /** The first that is known not to come before it. @param {number} seq */
  _placeOf(seq) {
    let low = 0;
    let high = this._known.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this._known[middle].seq < seq) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
