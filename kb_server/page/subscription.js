/**
 * What is heard of some patterns until it is ended, over however many lines.
 */

import { Refusal } from "./api.js";
import { Progress } from "./progress.js";

const AGAIN = 1_000;
const MOST_EARLY = 10_000;
/** Refusals of the moment: the same may be said again. */
const PASSING = new Set(["busy", "read_only", "stopping"]);

export class Subscription {
  /** @param {import("./line.js").Line} line @param {Record<string, unknown>} fields @param {(event: any) => void} onEvent */
  constructor(line, fields, onEvent) {
    this._line = line;
    this._fields = fields;
    this._onEvent = onEvent;
    this._progress = this._anew();
    this._board = /** @type {string|null} */ (null);
    this._stands = false;
    this._isOver = false;
    /** @type {any[]} frames that came before its answer was taken up */
    this._early = [];
    this._name = line.enlist(this);
  }

  /** Ends it. */
  end() {
    if (this._isOver) return;
    this._isOver = true;
    this._line.forget(this._name);
    if (this._stands) this._leave();
  }

  /** The board need not tell any more under the name it has. */
  _leave() {
    this._line.command("unsubscribe", { sub: this._name }).catch(() => {});
  }

  _anew() {
    const { snapshot, after } = /** @type {{snapshot?: boolean, after?: number|null}} */ (this._fields);
    return new Progress(snapshot ?? false, after ?? null);
  }

  /** Says it to the board, on a new line or again; under a new name, for what comes late bears the old one. */
  async begin() {
    this._stands = false;
    this._early.length = 0;
    this._line.forget(this._name);
    const name = (this._name = this._line.enlist(this));
    if (this._board && this._board !== this._line.board) {
      this._progress = new Progress(Boolean(this._fields.snapshot), null);
    }
    const asked = this._progress.asked();
    const resumed = asked.after !== undefined;
    const op = this._fields.op ?? "subscribe";
    const { snapshot, after, ...rest } = this._fields;
    const board = resumed ? { board: this._board ?? this._line.board } : {};
    try {
      const answer = await this._line.say(name, { ...rest, op, ...asked, ...board });
      if (name !== this._name) return;
      if (this._isOver) {
        this._leave();
        return;
      }
      this._stands = true;
      this._board = answer.board;
      this._progress.begun(answer.seq);
      this._onEvent({ event: "begun", seq: answer.seq, board: answer.board, resumed });
      for (const frame of this._early.splice(0)) this.hear(frame);
    } catch (reason) {
      if (name === this._name) this._refused(/** @type {Refusal} */ (reason), resumed);
    }
  }

  /** @param {Refusal} reason @param {boolean} resumed */
  _refused(reason, resumed) {
    if (reason.code === "timeout") this._leave();
    if (this._isOver) return;
    if (reason.code === "timeout") {
      this.begin();
    } else if (reason.status === 0) {
      this._early.length = 0; // the next line will see to it
    } else if (PASSING.has(reason.code)) {
      setTimeout(() => this._isOver || this._line.state !== "open" || this.begin(), AGAIN);
    } else if (resumed && ["too_old", "too_costly"].includes(reason.code)) {
      this._progress = new Progress(Boolean(this._fields.snapshot), null);
      this.begin();
    } else {
      this._over({ event: "error", error: reason });
    }
  }

  /** @param {number} seq */
  passed(seq) {
    if (this._stands) this._progress.passed(seq);
  }

  /** @param {any} frame */
  hear(frame) {
    if (this._isOver) return;
    if (!this._stands) {
      if (this._early.push(frame) <= MOST_EARLY) return;
      this._leave();
      this.begin();
    } else if (frame.event === "overflow") {
      this._progress.skipped(frame.resume_after);
      this.begin();
    } else if (frame.event === "error") {
      const { code, message, detail } = frame.error;
      this._over({ event: "error", error: new Refusal(400, code, message, detail) });
    } else {
      for (const each of this._progress.told(frame)) this._onEvent(each);
      if (this._fields.once && !frame.snapshot && frame.event !== "snapshot_end") this._over(null);
    }
  }

  /** @param {any} said */
  _over(said) {
    this._isOver = true;
    this._line.forget(this._name);
    if (said) this._onEvent(said);
  }
}
