/**
 * The board as it was at one moment, read while somebody drags: the newest wish wins, one at a time, and
 * a few in a second; facts are not read again between two deltas, only the poses.
 */

import { factsOf } from "./facts.js";
import { NOWHERE, posesOf } from "./poses.js";

/**
 * @typedef {{seq: number|null, t: number|null, step?: number}} Moment a delta, or a time in ms since 1970;
 *   and the step of the story that is meant, where more than one may be
 * @typedef {{moment: Moment, facts: Map<string, Set<string>>, poses: Map<string, Map<string, any>>}} Picture
 */

const EVERY = 125;

/** What is sent as `at=` for a moment. @param {Moment} moment @returns {string|number} */
export function atOf({ seq, t }) {
  return seq ?? new Date(/** @type {number} */ (t)).toISOString();
}

export class Past {
  /**
   * @param {(moment: Moment) => {models: string[], posed: string[], delta: number|null}} wanted what to
   *   read, and after which delta that is, if it is known
   * @param {(model: string, moment: Moment) => Promise<boolean>} isThere whether a mind was there
   * @param {(picture: Picture) => void} show
   * @param {(reason: import("./api.js").Refusal, moment: Moment) => void} refuse
   */
  constructor(wanted, isThere, show, refuse) {
    this._wanted = wanted;
    this._isThere = isThere;
    this._show = show;
    this._refuse = refuse;
    this._next = /** @type {Moment|null} */ (null);
    this._reading = /** @type {AbortController|null} */ (null);
    /** @type {{key: string|null, facts: Map<string, Set<string>>}} */
    this._kept = { key: null, facts: new Map() };
    /** Poses reach less far back than facts; what is too old need not be asked for again. */
    this._posesSince = -Infinity;
  }

  /** @param {Moment} moment */
  read(moment) {
    this._next = moment;
    if (!this._reading) this._readOn();
  }

  /** Nothing of the past is wanted any more. */
  leave() {
    this._next = null;
    this._reading?.abort();
    this._reading = null;
    this._kept.key = null;
  }

  async _readOn() {
    const reading = (this._reading = new AbortController());
    while (this._next && !reading.signal.aborted) {
      const moment = this._next;
      const rest = new Promise((done) => setTimeout(done, EVERY));
      this._next = null;
      try {
        const picture = await this._picture(moment, reading.signal);
        if (!reading.signal.aborted) this._show(picture);
      } catch (reason) {
        if (!reading.signal.aborted) this._refuse(/** @type {any} */ (reason), moment);
      }
      await rest;
    }
    if (this._reading === reading) this._reading = null;
  }

  /** @param {Moment} moment @param {AbortSignal} signal @returns {Promise<Picture>} */
  async _picture(moment, signal) {
    const { models, posed, delta } = this._wanted(moment);
    const key = delta === null ? null : [delta, ...models].join(" ");
    const kept = key !== null && key === this._kept.key ? this._kept.facts : null;
    const present = kept ? [...kept.keys()] : await this._presentAt(models, moment);
    const [facts, poses] = await Promise.all([
      kept ?? this._factsAt(present, moment, signal),
      Promise.all(posed.map((model) => (present.includes(model) ? this._posesAt(model, moment, signal) : NOWHERE))),
    ]);
    if (!signal.aborted) this._kept = { key, facts };
    return { moment, facts, poses: new Map(posed.map((model, i) => [model, poses[i]])) };
  }

  /** @param {string[]} models @param {Moment} moment */
  async _presentAt(models, moment) {
    const there = await Promise.all(models.map((model) => this._isThere(model, moment)));
    return models.filter((_, i) => there[i]);
  }

  /** @param {string[]} models @param {Moment} moment @param {AbortSignal} signal */
  async _factsAt(models, moment, signal) {
    const found = await Promise.all(models.map((model) => factsOf(model, atOf(moment), signal)));
    return new Map(models.map((model, i) => [model, found[i].facts]));
  }

  /** @param {string} model @param {Moment} moment @param {AbortSignal} signal */
  async _posesAt(model, moment, signal) {
    const when = moment.t ?? Infinity;
    if (when <= this._posesSince) return NOWHERE;
    try {
      return await posesOf(model, atOf(moment), signal);
    } catch (reason) {
      if (/** @type {any} */ (reason).code !== "too_old") throw reason;
      if (moment.t !== null) this._posesSince = Math.max(when, this._posesSince);
      return NOWHERE;
    }
  }
}
