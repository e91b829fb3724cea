/**
 * The head of the page: which board, how the line to it is, and what there is to say about the moment.
 */

import { askForToken } from "./token.js";

/** @param {HTMLElement} page @param {import("./board.js").Board} board */
export function createHead(page, board) {
  const line = /** @type {HTMLElement} */ (page.querySelector("[data-testid=line-state]"));
  board.on("state", async () => {
    line.dataset.state = board.state;
    line.textContent = board.state;
    if (board.state !== "refused") return;
    await askForToken(board.reason?.message ?? "the board refuses");
    board.line.retry();
  });
}
