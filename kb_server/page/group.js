/**
 * The facts of one kind in a card: sorted, folded or open, capped, and touched only where they change.
 *
 * What comes is highlighted and what went lingers, struck through, unless it flickers.
 */

import { elementsOf, rankOf, sentence } from "./words.js";

/**
 * @typedef {{model: string, people: () => Set<string>, truth: (fact: string) => string,
 *            choose: (fact: string) => void}} Manner how a card shows its facts
 */

const LINGER = 2_000;
const CAP = 12;

export class Group {
  /** @param {string} title @param {boolean} isOpen @param {Manner} manner */
  constructor(title, isOpen, manner) {
    this._manner = manner;
    /** @type {Set<string>} */
    this.facts = new Set();
    /** @type {string[]} sorted, while it is open */
    this._order = [];
    /** @type {Map<string, HTMLElement>} */
    this._rows = new Map();
    /** @type {Map<string, HTMLElement>} */
    this._going = new Map();
    this._cap = CAP;

    this.element = document.createElement("details");
    this.element.className = "group";
    this.element.open = isOpen;
    const summary = document.createElement("summary");
    const name = document.createElement("span");
    name.textContent = title;
    this._count = document.createElement("span");
    this._count.className = "count";
    summary.append(name, " ", this._count);
    this._list = document.createElement("ul");
    this._more = document.createElement("button");
    this._more.className = "more";
    this._more.onclick = () => this._showAll();
    this.element.append(summary, this._list, this._more);
    this.element.ontoggle = () => this._drawAll();
    this.refresh();
  }

  /** Takes the facts that it has from now on. @param {string[]} facts */
  set(facts) {
    const wanted = new Set(facts);
    for (const row of this._going.values()) row.remove();
    this._going.clear();
    for (const fact of [...this.facts]) if (!wanted.has(fact)) this.remove(fact, false);
    for (const fact of facts) if (!this.facts.has(fact)) this.add(fact, false);
    this.refresh();
  }

  /** @param {string} fact @param {boolean} isShown whether it is to be seen that it came */
  add(fact, isShown) {
    if (this.facts.has(fact)) return;
    this.facts.add(fact);
    this._drop(fact);
    if (!this.element.open) return;
    const place = placeIn(this._order, fact, this._compare);
    this._order.splice(place, 0, fact);
    if (place >= this._cap) return;
    this._insert(fact, place, isShown);
    const beyond = this._order[this._cap];
    if (beyond !== undefined) this._take(beyond)?.remove();
  }

  /** @param {string} fact @param {boolean} isShown whether it is to be seen that it went */
  remove(fact, isShown) {
    if (!this.facts.delete(fact)) return;
    if (!this.element.open) return;
    this._order.splice(this._order.indexOf(fact), 1);
    const row = this._take(fact);
    if (!row) return;
    if (isShown) this._linger(fact, row);
    else row.remove();
    const next = this._order[this._cap - 1];
    if (next !== undefined && !this._rows.has(next)) this._insert(next, this._cap - 1, false);
  }

  /** Counts anew. */
  refresh() {
    this._count.textContent = String(this.facts.size);
    this.element.hidden = this.facts.size === 0 && this._going.size === 0;
    this._more.hidden = !this.element.open || this.facts.size <= this._cap;
    if (!this._more.hidden) this._more.textContent = `Show all ${this.facts.size}`;
  }

  /** Says of each fact what is right instead, where it is wrong; those come first. */
  judge() {
    if (!this.element.open) return;
    this._order.sort(this._compare);
    const shown = new Map(this._rows);
    this._rows.clear();
    this._order.slice(0, this._cap).forEach((fact) => {
      const row = shown.get(fact) ?? this._row(fact);
      this._rows.set(fact, row);
      this._mark(row, fact);
      this._list.append(row);
      shown.delete(fact);
    });
    for (const row of shown.values()) row.remove();
    this._list.append(...this._going.values());
  }

  /** @param {string} a @param {string} b */
  _compare = (a, b) => {
    const [wrongA, wrongB] = [this._manner.truth(a) !== "", this._manner.truth(b) !== ""];
    return Number(wrongB) - Number(wrongA) || rankOf(a) - rankOf(b) || (a < b ? -1 : a > b ? 1 : 0);
  };

  _showAll() {
    this._cap = Infinity;
    this._drawAll();
  }

  _drawAll() {
    this._list.replaceChildren();
    this._rows.clear();
    this._going.clear();
    this._order = [];
    if (this.element.open) {
      this._order = [...this.facts].sort(this._compare);
      this._order.slice(0, this._cap).forEach((fact) => this._list.append(this._row(fact)));
    }
    this.refresh();
  }

  /** @param {string} fact @param {number} place @param {boolean} isNew */
  _insert(fact, place, isNew) {
    const next = this._rows.get(this._order[place + 1]);
    const row = this._row(fact);
    if (isNew) {
      row.classList.add("new");
      setTimeout(() => row.classList.remove("new"), LINGER);
    }
    if (next) this._list.insertBefore(row, next);
    else this._list.append(row);
  }

  /** @param {string} fact */
  _row(fact) {
    const row = document.createElement("li");
    const button = document.createElement("button");
    button.className = "fact";
    button.dataset.fact = fact;
    button.title = fact;
    button.append(...elementsOf(sentence(fact, this._manner.people())));
    button.onclick = () => this._manner.choose(fact);
    row.append(button);
    this._rows.set(fact, row);
    this._mark(row, fact);
    return row;
  }

  /** @param {HTMLElement} row @param {string} fact */
  _mark(row, fact) {
    const truth = this._manner.truth(fact);
    const button = /** @type {HTMLElement} */ (row.firstElementChild);
    if (truth === (button.dataset.truth ?? "")) return;
    button.querySelector(".truth")?.remove();
    row.classList.toggle("wrong", truth !== "");
    if (!truth) {
      delete button.dataset.truth;
      return;
    }
    button.dataset.truth = truth;
    const said = document.createElement("span");
    said.className = "truth";
    said.textContent = `✗ ${truth}`;
    button.append(said);
  }

  /** @param {string} fact */
  _take(fact) {
    const row = this._rows.get(fact);
    this._rows.delete(fact);
    return row;
  }

  /** @param {string} fact @param {HTMLElement} row */
  _linger(fact, row) {
    row.className = "gone";
    /** @type {HTMLElement} */ (row.firstElementChild).inert = true;
    this._going.set(fact, row);
    setTimeout(() => {
      if (this._going.get(fact) === row) this._drop(fact);
      this.refresh();
    }, LINGER);
  }

  /** @param {string} fact */
  _drop(fact) {
    this._going.get(fact)?.remove();
    this._going.delete(fact);
  }
}

/**
 * Where a fact would stand among those that are sorted.
 * @param {string[]} order @param {string} fact @param {(a: string, b: string) => number} compare
 */
function placeIn(order, fact, compare) {
  let low = 0;
  let high = order.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (compare(order[middle], fact) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
