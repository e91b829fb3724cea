/**
 * One mind as a card: whose it is, what it believes, what of that is wrong, and the minds within it.
 */

import { sayTruth } from "./divergence.js";
import { Group } from "./group.js";
import { ownerOf } from "./terms.js";
import { GROUPS, callOf, groupOf, mindOf } from "./words.js";

const FLICKER = 1_500;
const MOST_CHANGES = 500;

export class Card {
  /** @param {import("./board.js").Board} board @param {string} model */
  constructor(board, model) {
    this.model = model;
    this._board = board;
    this._isNested = model.includes(".");
    /** @type {Map<string, string>} what is right instead of each fact that is wrong */
    this._wrong = new Map();
    /** @type {Map<string, number>} when facts changed, for those that flicker */
    this._changed = new Map();
    this._build();
  }

  // --- how it is built ---

  _build() {
    const { _board: board, model } = this;
    const owner = ownerOf(model);
    this.element = document.createElement(this._isNested ? "details" : "article");
    this.element.className = this._isNested ? "card nested-card" : "card";
    this.element.dataset.model = model;
    this.element.style.setProperty("--mind", `var(--mind-${board.hue(owner)})`);
    const head = document.createElement(this._isNested ? "summary" : "header");
    head.className = "card-head";
    head.append(this._name(owner), ...this._badges(), this._eyes());
    this._none = document.createElement("p");
    this._none.className = "none";
    this._groups = GROUPS.map(({ title }, i) => new Group(title, i === 0, this._manner()));
    this.nested = document.createElement("div");
    this.nested.className = "nested";
    const others = document.createElement("p");
    others.className = "others";
    others.textContent = `Minds as ${this._board.people.has(owner) ? callOf(owner, this._board.people) : owner} has them`;
    this.nested.append(others);
    this.element.append(head, this._none, ...this._groups.map((group) => group.element), this.nested);
    this.element.setAttribute("aria-label", `What ${this._whose()} believes`);
  }

  /** @returns {import("./group.js").Manner} */
  _manner() {
    return {
      model: this.model,
      people: () => this._board.people,
      truth: (fact) => this._wrong.get(fact) ?? "",
      choose: (fact) => this._board.choose({ model: this.model, fact }),
    };
  }

  _whose() {
    const people = this._board.people;
    const [who, ...others] = this.model.split(".");
    return [callOf(who, people), ...others.flatMap((each) => ["thinks that", callOf(each, people)])].join(" ");
  }

  /** @param {string} owner */
  _name(owner) {
    const name = document.createElement(this._isNested ? "h3" : "h2");
    name.append(document.createElement("bdi"));
    name.firstElementChild.textContent = mindOf(owner);
    name.title = this.model;
    return name;
  }

  _badges() {
    this._badge = document.createElement("span");
    this._badge.className = "badge wrong-badge";
    this._badge.dataset.testid = "wrong-badge";
    this._count = document.createElement("span");
    this._count.className = "count";
    this._count.dataset.testid = "fact-count";
    return [this._badge, this._count];
  }

  _eyes() {
    this._look = document.createElement("button");
    this._look.className = "look-as";
    this._look.dataset.testid = "look-as";
    this._look.textContent = "Show";
    this._look.title = `Show the scene as ${this._whose()} believes it`;
    this._look.onclick = (event) => {
      event.preventDefault(); // it stands in a summary, which would fold
      this._board.lookAs(this.model);
    };
    return this._look;
  }

  // --- what it shows ---

  /** @param {import("./board.js").Change} change */
  take({ came, went, whole }) {
    if (whole) {
      this.takeAll();
      return;
    }
    const now = performance.now();
    for (const fact of went) this._groups[groupOf(fact)].remove(fact, this._isSteady(fact, now));
    for (const fact of came) this._groups[groupOf(fact)].add(fact, this._isSteady(fact, now));
    const touched = new Set([...came, ...went].map(groupOf));
    for (const each of touched) this._groups[each].refresh();
    this._say();
  }

  /** All that the mind holds at the moment, without ado. */
  takeAll() {
    /** @type {string[][]} */
    const facts = GROUPS.map(() => []);
    for (const fact of this._board.facts(this.model)) facts[groupOf(fact)].push(fact);
    this._groups.forEach((group, i) => group.set(facts[i]));
    this._say();
  }

  /** @param {import("./divergence.js").Dispute[]} disputes those of this mind @param {number} within those of the minds in it */
  judge(disputes, within) {
    const before = this._wrong;
    const say = (dispute) => sayTruth(dispute, this._board.people);
    this._wrong = new Map(disputes.flatMap((each) => each.here.map((fact) => [fact, say(each)])));
    const touched = new Set([...before.keys(), ...this._wrong.keys()].map(groupOf));
    for (const each of touched) this._groups[each].judge();
    const own = disputes.length ? `${disputes.length} wrong` : "";
    const inner = within ? `${within}${own ? "" : " wrong"} inside` : "";
    this._badge.textContent = [own, inner].filter(Boolean).join(", ");
    this._badge.hidden = !own && !inner;
    this.element.classList.toggle("is-wrong", disputes.length > 0);
  }

  /** Says whose mind the view shows. */
  look() {
    const isSeen = this._board.mind === this.model;
    this._look.setAttribute("aria-pressed", String(isSeen));
    this._look.textContent = isSeen ? "Shown" : "Show";
  }

  _say() {
    const size = this._board.facts(this.model).size;
    this._count.textContent = `${size}${this._board.isPartial(this.model) ? "+" : ""}`;
    this._count.title = `${this._count.textContent} facts`;
    const isKnown = this._board.isKnown(this.model);
    this._none.textContent = isKnown ? "Believes nothing yet." : this._board.moment ? "Was not there yet." : "Reading …";
    this._none.hidden = isKnown && size > 0;
  }

  /** Whether a fact changes seldom enough for its change to be shown. @param {string} fact @param {number} now */
  _isSteady(fact, now) {
    const before = this._changed.get(fact);
    if (this._changed.size > MOST_CHANGES) this._changed.clear();
    this._changed.set(fact, now);
    return before === undefined || now - before > FLICKER;
  }
}
