/**
 * Where things are in the minds that are looked at, as published: only those, for geometry is much.
 */

import { get, modelPath } from "./api.js";

/** @typedef {{pose: number[]|null, perceived_pose: number[]|null, seen: boolean|number|string|null}} Pose */

export class LivePoses {
  /** @param {import("./line.js").Line} line @param {(model: string) => void} changed */
  constructor(line, changed) {
    this._line = line;
    this._changed = changed;
    /** @type {Map<string, Map<string, Pose>>} */
    this._poses = new Map();
    line.on("poses", (event) => this._take(event));
  }

  /** @param {string} model */
  of(model) {
    return this._poses.get(model) ?? NOWHERE;
  }

  /** Keeps up with these models and no others. @param {string[]} models */
  watch(models) {
    for (const model of [...this._poses.keys()]) {
      if (models.includes(model)) continue;
      this._poses.delete(model);
      this._line.command("unlisten", { topic: "poses", model }).catch(() => {});
      this._changed(model);
    }
    for (const model of models) if (!this._poses.has(model)) this._begin(model);
  }

  /** All anew, on a new line. */
  again() {
    for (const model of [...this._poses.keys()]) this._begin(model);
  }

  /** @param {string} model */
  async _begin(model) {
    const known = new Map();
    this._poses.set(model, known);
    this._changed(model);
    try {
      await this._line.command("listen", { topic: "poses", model });
      const poses = await posesOf(model, null, undefined);
      if (this._poses.get(model) !== known) return;
      for (const [name, pose] of poses) if (!known.has(name)) known.set(name, pose);
      this._changed(model);
    } catch {
      // a model that is gone, or a line that is lost: both are told elsewhere, and begin again
    }
  }

  /** @param {any} event */
  _take({ model, poses }) {
    const known = this._poses.get(model);
    if (!known) return;
    for (const [name, pose] of Object.entries(poses)) {
      if (pose === null) known.delete(name);
      else known.set(name, /** @type {Pose} */ (pose));
    }
    this._changed(model);
  }
}

/**
 * The poses of a model, now or as they were.
 * @param {string} model
 * @param {string|number|null} at
 * @param {AbortSignal|undefined} signal
 * @returns {Promise<Map<string, Pose>>}
 */
export async function posesOf(model, at, signal) {
  const { poses } = await get(modelPath(model, "poses"), { at }, { signal });
  return new Map(Object.entries(poses));
}

/** @type {Map<string, Pose>} */
export const NOWHERE = new Map();
