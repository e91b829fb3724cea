/**
 * The page: one board, and all who draw it.
 */

import { Board } from "./board.js";
import { createHead } from "./head.js";
import { connect } from "./line.js";
import { createMinds } from "./minds.js";
import { createDisputes } from "./disputes.js";
import { createStory } from "./story.js";
import { createTabs } from "./tabs.js";
import { createTimeline } from "./timeline.js";

const board = new Board(connect);
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const tabs = createTabs(at("panels"));
createHead(document.body, board);
createDisputes(at("disputes"), board);
createTimeline(at("time"), board);
createMinds(at("minds"), board);
createStory(at("story"), board, tabs);
board.on("chosen", (chosen) => chosen && tabs.show("why"));

/** @type {[string, string, string][]} */
const LATER = [
  ["./view.js", "createView", "view"],
  ["./ask.js", "createAsk", "ask"],
  ["./why.js", "createWhy", "why"],
  ["./watch.js", "createWatch", "watch"],
];
for (const [module, create, id] of LATER) {
  import(module).then((found) => found[create](at(id), board), (reason) => console.warn(String(reason)));
}
