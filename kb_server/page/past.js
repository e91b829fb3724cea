/**
 * The board as it was at one moment, read while somebody drags: the newest wish wins, one at a time.
 */

import { factsOf } from "./facts.js";
import { NOWHERE, posesOf } from "./poses.js";

/**
 * @typedef {{seq: number|null, t: number|null}} Moment a delta, or a time in ms since 1970
 * @typedef {{moment: Moment, facts: Map<string, Set<string>>, poses: Map<string, Map<string, any>>}} Picture
 */

/** What is sent as `at=` for a moment. @param {Moment} moment @returns {string|number} */
export function atOf({ seq, t }) {
  return seq ?? new Date(/** @type {number} */ (t)).toISOString();
}

export class Past {
  /**
   * @param {() => {models: string[], posed: string[]}} wanted what to read
   * @param {(picture: Picture) => void} show
   * @param {(reason: import("./api.js").Refusal, moment: Moment) => void} refuse
   */
  constructor(wanted, show, refuse) {
    this._wanted = wanted;
    this._show = show;
    this._refuse = refuse;
    this._next = /** @type {Moment|null} */ (null);
    this._reading = /** @type {AbortController|null} */ (null);
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
  }

  async _readOn() {
    const reading = (this._reading = new AbortController());
    while (this._next && !reading.signal.aborted) {
      const moment = this._next;
      this._next = null;
      try {
        const picture = await this._picture(moment, reading.signal);
        if (!reading.signal.aborted) this._show(picture);
      } catch (reason) {
        if (!reading.signal.aborted) this._refuse(/** @type {any} */ (reason), moment);
      }
    }
    if (this._reading === reading) this._reading = null;
  }

  /** @param {Moment} moment @param {AbortSignal} signal @returns {Promise<Picture>} */
  async _picture(moment, signal) {
    const { models, posed } = this._wanted();
    const at = atOf(moment);
    const [facts, poses] = await Promise.all([
      Promise.all(models.map((model) => factsAt(model, at, signal))),
      Promise.all(posed.map((model) => posesAt(model, at, signal))),
    ]);
    return {
      moment,
      facts: new Map(models.flatMap((model, i) => (facts[i] ? [[model, facts[i]]] : []))),
      poses: new Map(posed.map((model, i) => [model, poses[i]])),
    };
  }
}

/** Null for a mind that was not there yet. @param {string} model @param {string|number} at @param {AbortSignal} signal */
async function factsAt(model, at, signal) {
  try {
    return (await factsOf(model, at, signal)).facts;
  } catch (reason) {
    if (/** @type {any} */ (reason).status === 404) return null;
    throw reason;
  }
}

/** Poses reach less far back than facts: then there are none. @param {string} model @param {string|number} at @param {AbortSignal} signal */
async function posesAt(model, at, signal) {
  try {
    return await posesOf(model, at, signal);
  } catch (reason) {
    if ([404, 410].includes(/** @type {any} */ (reason).status)) return NOWHERE;
    throw reason;
  }
}
