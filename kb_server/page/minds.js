/**
 * All minds, a card for each; those within another lie in its card.
 */

import { MOST_MINDS } from "./board.js";
import { Card } from "./card.js";
import { createColumns } from "./columns.js";

/**
 * @param {HTMLElement} element
 * @param {import("./board.js").Board} board
 * @param {import("./quarrels.js").Quarrels} quarrels
 */
export function createMinds(element, board, quarrels) {
  /** @type {Map<string, Card>} */
  const cards = new Map();
  const note = document.createElement("p");
  note.className = "none";
  const columns = createColumns(element);
  element.append(note);

  function count() {
    for (const [model, card] of cards) {
      if (board.models.includes(model)) continue;
      columns.remove(card.element);
      cards.delete(model);
    }
    for (const model of board.models) if (!cards.has(model)) put(new Card(board, model));
    note.hidden = board.models.length > 0 && board.modelCount <= MOST_MINDS;
    note.textContent = board.models.length ? `${board.modelCount - MOST_MINDS} more minds are not shown.` : "No mind yet.";
    judge();
  }

  /** @param {Card} card */
  function put(card) {
    cards.set(card.model, card);
    const parent = cards.get(card.model.slice(0, Math.max(card.model.lastIndexOf("."), 0)));
    if (parent) parent.nested.append(card.element);
    else columns.put(card.element);
    card.takeAll();
    card.look();
  }

  function judge() {
    for (const [model, card] of cards) {
      const own = quarrels.disputes.filter((each) => each.model === model);
      const within = quarrels.disputes.filter((each) => each.model.startsWith(`${model}.`)).length;
      card.judge(own, within);
    }
  }

  board.on("models", count);
  board.on("facts", (changes) => {
    for (const [model, change] of changes) cards.get(model)?.take(change);
  });
  board.on("mind", () => cards.forEach((card) => card.look()));
  quarrels.on(judge);
  count();
}
