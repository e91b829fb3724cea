/**
 * What is shown beside the facts: how things look, and what is being told.
 */

import { storyOf } from "./story-form.js";

const STORY = "story";

export class Stage {
  constructor() {
    /** @type {Map<string, Map<string, any>>} by source */
    this._sources = new Map();
  }

  clear() {
    this._sources.clear();
  }

  /** @param {{source: string, shows: Record<string, any>}} event what changed; null for what is taken away */
  take({ source, shows }) {
    const known = this._sources.get(source) ?? new Map();
    this._sources.set(source, known);
    for (const [name, value] of Object.entries(shows)) {
      if (value === null) known.delete(name);
      else known.set(name, name === STORY ? storyOf(value) ?? {} : value);
    }
  }

  /** How things and agents look, by name. @returns {Map<string, any>} */
  looks() {
    return new Map(this._all().filter(([, { kind }]) => kind === "thing" || kind === "agent"));
  }

  /** The story that is told; null when there is none. @returns {import("./story-form.js").Story|null} */
  story() {
    return this._all().find(([name, { steps }]) => name === STORY && steps)?.[1] ?? null;
  }

  /** @returns {[string, any][]} */
  _all() {
    return [...this._sources.values()].flatMap((shows) => [...shows]);
  }
}
