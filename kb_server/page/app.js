/**
 * The page: one board, and all who draw it.
 */

import { createAsk } from "./ask.js";
import { Board } from "./board.js";
import { createDisputes } from "./disputes.js";
import { createHead } from "./head.js";
import { connect } from "./line.js";
import { createMinds } from "./minds.js";
import { Quarrels } from "./quarrels.js";
import { createStory } from "./story.js";
import { createTabs } from "./tabs.js";
import { createTimeline } from "./timeline.js";
import { createView } from "./view.js";
import { createWatch } from "./watch.js";
import { createWhy } from "./why.js";

const board = new Board(connect);
const quarrels = new Quarrels(board);
const at = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const tabs = createTabs(at("panels"));
createHead(document.body, board);
createDisputes(at("disputes"), board, quarrels);
createTimeline(at("time"), board);
createMinds(at("minds"), board, quarrels);
createStory(at("story"), board, tabs);
createView(at("view"), board);
createAsk(at("ask"), board);
createWhy(at("why"), board);
createWatch(at("watch"), board);
board.on("chosen", (chosen) => chosen && tabs.show("why"));
