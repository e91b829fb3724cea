/**
 * How far one subscription has come: what to ask for after a broken line, what to leave out.
 *
 * A line may break in the midst of one `seq`. So what came last is asked for once more, and what of it
 * has been told already is left out; that is exact, for within one `seq` no event is told twice. Nothing
 * of a snapshot is told before it is whole: if it breaks, another one takes its place.
 */
export class Progress {
  /** @param {boolean} snapshot @param {number|null} after */
  constructor(snapshot, after) {
    this._wantsSnapshot = snapshot;
    this._base = after;
    this._last = -1;
    /** @type {Set<string>} */
    this._seen = new Set();
    /** @type {any[]} */
    this._rows = [];
  }

  /** What to subscribe with, the first time and every other. @returns {{snapshot?: true, after?: number}} */
  asked() {
    this._rows = [];
    const after = this._last > (this._base ?? -1) ? this._last - 1 : this._base;
    return { ...(this._wantsSnapshot ? { snapshot: true } : {}), ...(after === null ? {} : { after }) };
  }

  /** The subscription stands; `seq` is the board's, from which on it is told. @param {number} seq */
  begun(seq) {
    if (this._base === null && !this._wantsSnapshot) this._base = seq;
  }

  /** All up to a delta has been sent; of that one maybe not all was told. @param {number} seq */
  skipped(seq) {
    if (seq > this._last) this.passed(seq);
  }

  /** All up to a delta has been told. @param {number} seq */
  passed(seq) {
    this._base = Math.max(this._base ?? 0, seq);
  }

  /** What a frame has that is new. @param {any} frame @returns {any[]} */
  told(frame) {
    if (frame.snapshot) {
      this._rows.push(frame);
      return [];
    }
    if (frame.event === "snapshot_end") {
      const whole = [...this._rows, frame];
      this._rows = [];
      this._wantsSnapshot = false;
      this.passed(frame.seq);
      return whole;
    }
    return this._isNew(frame) ? [frame] : [];
  }

  /** @param {any} frame */
  _isNew({ event, seq, bindings, only_here, only_there }) {
    const key = JSON.stringify([event, bindings, only_here, only_there]);
    if (seq < this._last || (seq === this._last && this._seen.has(key))) return false;
    if (seq > this._last) this._seen.clear();
    this._last = Math.max(seq, this._last);
    this._seen.add(key);
    return true;
  }
}
