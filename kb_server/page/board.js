/**
 * What the page knows of the board: its models, facts, poses, looks and story, at one moment.
 *
 * All who draw read it and hear of changes by `on`, at most once in a frame of the screen. At a past
 * moment everything is as it was then, and nothing live shows through; the live is kept up meanwhile.
 */

import { Refusal } from "./api.js";
import { Chronicle } from "./chronicle.js";
import { LiveFacts } from "./facts.js";
import { Moments } from "./moments.js";
import { Past, atOf } from "./past.js";
import { LivePoses, NOWHERE } from "./poses.js";
import { Stage } from "./stage.js";
import { ownerOf } from "./terms.js";

/**
 * @typedef {"models"|"facts"|"poses"|"looks"|"story"|"moment"|"mind"|"state"|"chosen"|"refusal"} Topic
 * @typedef {{came: Set<string>, went: Set<string>, whole: boolean}} Change `whole`: read it all again
 * @typedef {{model: string, fact: string}} Chosen
 */

export const MYSELF = "myself";
/** So many minds are kept up; a page is for eyes. */
export const MOST_MINDS = 64;
const HUES = 8;
/** @type {Set<string>} */
const NOTHING = new Set();

export class Board {
  /** @param {(hear: object) => import("./line.js").Line} connect */
  constructor(connect) {
    /** @type {string[]} */
    this.models = [];
    /** How many there are, shown or not. */
    this.modelCount = 0;
    /** @type {import("./past.js").Moment|null} null: now */
    this.moment = null;
    /** The moment that is wanted, and shown as soon as it is read. @type {import("./past.js").Moment|null} */
    this.goal = null;
    /** The model that the view shows. */
    this.mind = MYSELF;
    /** @type {Map<string, any>} */
    this.looks = new Map();
    /** @type {import("./story-form.js").Story|null} */
    this.story = null;
    /** @type {Chosen|null} */
    this.chosen = null;
    this.state = /** @type {import("./line.js").LineState} */ ("connecting");
    /** Why the line is refused; null when it isn't. */
    this.reason = /** @type {Refusal|null} */ (null);
    /** Why a moment can't be shown; null when it can. */
    this.refusal = /** @type {Refusal|null} */ (null);
    this.moments = new Moments();
    this.chronicle = new Chronicle(this.moments);

    /** @type {Map<string, Set<(what: any) => void>>} */
    this._hearers = new Map();
    /** @type {Set<Topic>} */
    this._news = new Set();
    /** @type {Map<string, Change>} */
    this._changes = new Map();
    /** @type {Set<string>} */
    this._moved = new Set();
    this._isAwaited = false;
    /** @type {Map<string, LiveFacts>} */
    this._live = new Map();
    this._stage = new Stage();
    /** @type {import("./past.js").Picture|null} */
    this._picture = null;
    /** @type {Map<string, number>} */
    this._hues = new Map([[MYSELF, 0]]);
    /** @type {Map<string, number>} since when each mind is known to have been there */
    this._since = new Map();

    this.line = connect({ onState: (state, reason) => this._stateIs(state, reason) });
    this._poses = new LivePoses(this.line, (model) => this.moment || this._move(model));
    this._past = new Past(
      (moment) => ({ models: this.models, posed: this._posed(), delta: this.moments.standingAt(moment) }),
      (model, moment) => this._wasThere(model, moment),
      (picture) => this._show(picture),
      (reason, moment) => this._cantShow(reason, moment),
    );
    this.line.on("open", (event) => this._opened(event));
    this.line.on("models", ({ models }) => this._modelsAre(models));
    this.line.on("stage", (event) => {
      this._stage.take(event);
      this._look();
    });
  }

  /**
   * Hears of changes: of facts a Map from model to `Change`, of poses the Set of models.
   * @param {Topic} topic
   * @param {(what: any) => void} hear
   * @returns {() => void} ends it
   */
  on(topic, hear) {
    const hearers = this._hearers.get(topic) ?? new Set();
    this._hearers.set(topic, hearers.add(hear));
    return () => hearers.delete(hear);
  }

  /** What a mind holds at the moment. @param {string} model @returns {Set<string>} */
  facts(model) {
    const facts = this._picture ? this._picture.facts.get(model) : this._live.get(model)?.facts;
    return facts ?? NOTHING;
  }

  /** Whether they have been read; in the past, whether that mind was there. @param {string} model */
  isKnown(model) {
    return this._picture ? this._picture.facts.has(model) : (this._live.get(model)?.isKnown ?? false);
  }

  /** Whether there are more of them than a page can hold. @param {string} model */
  isPartial(model) {
    return !this._picture && (this._live.get(model)?.isPartial ?? false);
  }

  /** Where things are in `myself` and in the mind that is looked at. @param {string} model */
  poses(model) {
    return this._picture ? (this._picture.poses.get(model) ?? NOWHERE) : this._poses.of(model);
  }

  /** What to send as `at=` so that an answer is of the moment shown; null: now. */
  get at() {
    return this.moment && atOf(this.moment);
  }

  /** All whose minds there were. @returns {Set<string>} */
  get people() {
    return new Set(this._hues.keys());
  }

  /** The number of an agent's colour, `--mind-0` to `--mind-7`. @param {string} agent */
  hue(agent) {
    if (!this._hues.has(agent)) this._hues.set(agent, 1 + ((this._hues.size - 1) % (HUES - 1)));
    return /** @type {number} */ (this._hues.get(agent));
  }

  /** Has a fact shown with its reasons. @param {string|Chosen|null} what a fact is of the mind looked at */
  choose(what) {
    this.chosen = typeof what === "string" ? { model: this.mind, fact: what } : what;
    this._tell("chosen");
  }

  /** Looks at the world as another mind has it. @param {string} model */
  lookAs(model) {
    if (model === this.mind || !this.models.includes(model)) return;
    this.mind = model;
    this._poses.watch(this._posed());
    if (this.goal) this._past.read(this.goal);
    this._tell("mind");
  }

  /**
   * Shows everything as it was at a delta or a time; null: as it is. `step` says which step of the story
   * is meant, where one ends as another begins.
   * @param {{seq: number, step?: number}|{t: number}|null} moment
   */
  goTo(moment) {
    this.refusal = null;
    this._tell("refusal");
    this.goal = moment && { seq: null, t: null, ...moment };
    if (this.goal) this._past.read(this.goal);
    else this._backToNow();
  }

  _posed() {
    return [...new Set([MYSELF, this.mind])].filter((model) => this.models.includes(model));
  }

  // --- the line ---

  /** @param {import("./line.js").LineState} state @param {Refusal|null} reason */
  _stateIs(state, reason) {
    this.state = state;
    this.reason = reason;
    this._tell("state");
  }

  /** @param {{afresh: boolean}} event */
  async _opened({ afresh }) {
    if (afresh) this._forget();
    this._stage.clear();
    this._poses.again();
    await this.line.command("attend").catch(() => {}); // only with the line itself, which comes again
    this._look();
  }

  /** Another board answers: nothing of the one before stays. */
  _forget() {
    for (const each of this._live.values()) each.end();
    this._live.clear();
    this.models = [];
    this.moments.clear();
    this.chronicle.clear();
    this._since.clear();
    this._stage.clear();
    this.chosen = null;
    this._backToNow();
    for (const topic of /** @type {Topic[]} */ (["models", "looks", "story", "chosen"])) this._tell(topic);
    this._look();
  }

  /** @param {string[]} models */
  _modelsAre(models) {
    const sorted = [...models].sort(byDepth);
    this.modelCount = sorted.length;
    this.models = sorted.slice(0, MOST_MINDS);
    this.chronicle.know(this.models, this.line.seq);
    this._locate();
    for (const model of this.models) this.hue(ownerOf(model));
    for (const [model, facts] of this._live) {
      if (this.models.includes(model)) continue;
      facts.end();
      this._live.delete(model);
    }
    for (const model of this.models) if (!this._live.has(model)) this._live.set(model, this._keepUp(model));
    if (!this.models.includes(this.mind)) {
      this.mind = MYSELF;
      this._tell("mind");
    }
    this._poses.watch(this._posed());
    this._tell("models");
  }

  /** @param {string} model */
  _keepUp(model) {
    return new LiveFacts(this.line, model, {
      came: (fact) => this._change(model, fact, "came", "went"),
      went: (fact) => this._change(model, fact, "went", "came"),
      whole: () => this.moment || this._changeWhole(model),
      happened: (event) => this._happened(model, event),
    });
  }

  /** @param {string} model @param {{seq: number, t: number, fact: string, came: boolean}} event */
  _happened(model, event) {
    this.moments.note(event.seq, event.t);
    this.chronicle.add({ model, ...event });
  }

  /** @param {string} model @param {string} fact @param {"came"|"went"} way @param {"came"|"went"} back */
  _change(model, fact, way, back) {
    if (this.moment) return;
    const change = this._changeOf(model);
    if (!change[back].delete(fact)) change[way].add(fact);
    this._tell("facts");
  }

  /** @param {string} model */
  _changeWhole(model) {
    this._changeOf(model).whole = true;
    this._tell("facts");
  }

  /** @param {string} model @returns {Change} */
  _changeOf(model) {
    const change = this._changes.get(model) ?? { came: new Set(), went: new Set(), whole: false };
    this._changes.set(model, change);
    return change;
  }

  /** @param {string} model */
  _move(model) {
    this._moved.add(model);
    this._tell("poses");
  }

  _look() {
    this.looks = this._stage.looks();
    this.story = this._stage.story();
    this._tell("looks");
    this._tell("story");
    this._locate();
  }

  /** Learns when what the line of time shows was, where it was before the page came. */
  async _locate() {
    if (!this.models.length) return;
    const steps = this.story?.steps.flatMap(({ from, seq }) => [from, from + 1, seq]) ?? [];
    await this.chronicle.locate([this.line.seq, ...steps], this.models);
    this._tell("story");
  }

  // --- the moment ---

  /** @param {import("./past.js").Picture} picture */
  _show(picture) {
    const isOther = picture.facts !== this._picture?.facts;
    this._picture = picture;
    this.moment = picture.moment;
    this._drawAll(isOther);
  }

  /**
   * Whether a mind was there at a moment; asked on the line, where a no is no failure. Once it is known
   * since when, later moments need not ask.
   * @param {string} model @param {import("./past.js").Moment} moment
   */
  async _wasThere(model, moment) {
    const t = moment.t ?? this.moments.timeOf(/** @type {number} */ (moment.seq)) ?? -Infinity;
    if (model === MYSELF || t >= (this._since.get(model) ?? Infinity)) return true;
    try {
      await this.line.command("check", { model, patterns: ["myself a Thing"], at: atOf(moment) });
    } catch (reason) {
      if (/** @type {Refusal} */ (reason).code === "unknown_model") return false;
      throw reason;
    }
    this._since.set(model, t);
    return true;
  }

  _backToNow() {
    this.goal = null;
    this._past.leave();
    if (!this.moment) return;
    this._picture = null;
    this.moment = null;
    this._drawAll();
  }

  /** @param {Refusal} reason @param {import("./past.js").Moment} moment */
  _cantShow(reason, moment) {
    if (moment === this.goal) this.goal = this.moment;
    this.refusal = Object.assign(reason, { moment });
    this._tell("refusal");
  }

  /** @param {boolean} [hasOtherFacts] */
  _drawAll(hasOtherFacts = true) {
    if (hasOtherFacts) for (const model of this.models) this._changeWhole(model);
    for (const model of this._posed()) this._move(model);
    this._tell("moment");
  }

  // --- who is told ---

  /** @param {Topic} topic */
  _tell(topic) {
    this._news.add(topic);
    if (this._isAwaited) return;
    this._isAwaited = true;
    requestAnimationFrame(() => this._tellAll());
  }

  _tellAll() {
    this._isAwaited = false;
    const said = { facts: this._changes, poses: this._moved };
    const news = [...this._news];
    this._news.clear();
    this._changes = new Map();
    this._moved = new Set();
    for (const topic of ORDER.filter((each) => news.includes(each))) {
      for (const hear of [...(this._hearers.get(topic) ?? [])]) tellOne(hear, said[topic] ?? this[topic]);
    }
  }
}

/** @type {Topic[]} what stands comes before what lies in it */
const ORDER = ["state", "models", "mind", "moment", "looks", "story", "facts", "poses", "chosen", "refusal"];

/** One who fails keeps nobody else from hearing. @param {(what: any) => void} hear @param {any} what */
function tellOne(hear, what) {
  try {
    hear(what);
  } catch (reason) {
    reportError(reason);
  }
}

/** `myself` first, then those on top, then those in them. @param {string} a @param {string} b */
function byDepth(a, b) {
  const depth = (id) => (id === MYSELF ? -1 : id.split(".").length);
  return depth(a) - depth(b) || (a < b ? -1 : 1);
}
