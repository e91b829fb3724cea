/**
 * The head of the page: which board it is, how the line to it is, and what can't be shown, and why.
 */

import { stepAt } from "./story.js";
import { askForToken } from "./token.js";

/** @type {Record<import("./line.js").LineState, string>} */
const STATES = { connecting: "connecting …", open: "live", lost: "connection lost, trying again …", refused: "refused" };

const OTHER = "This is another board than before: it begins anew.";
const OTHER_FOR = 20_000;

/** @param {HTMLElement} page @param {import("./board.js").Board} board */
export function createHead(page, board) {
  const find = (id) => /** @type {HTMLElement} */ (page.querySelector(`[data-testid=${id}]`));
  const [line, name, title, notice] = ["line-state", "board-name", "story-title", "notice"].map(find);
  let since = "";
  let isOther = false;
  let timer = 0;

  function drawLine() {
    if (board.state === "open") since = "";
    else if (board.state === "lost" && !since) since = new Date().toLocaleTimeString();
    page.dataset.line = line.dataset.state = board.state;
    line.textContent = STATES[board.state];
    name.textContent = `${location.host}${board.line.board ? ` · board ${board.line.board.slice(0, 8)}` : ""}`;
    name.title = board.line.board ?? "";
    drawNotice();
  }

  function drawNotice() {
    const said = [lineNotice(board, since), isOther ? OTHER : "", momentNotice(board)].filter(Boolean).join(" ");
    notice.textContent = said;
    notice.hidden = !said;
  }

  /** Says for a while whether another board answers than before. @param {boolean} is */
  function tellOther(is) {
    clearTimeout(timer);
    isOther = is;
    if (is) timer = setTimeout(() => tellOther(false), OTHER_FOR);
    drawNotice();
  }

  async function ask() {
    if (board.reason?.status !== 401) return;
    await askForToken(board.reason.message);
    board.line.retry();
  }

  function drawStory() {
    const { story } = board;
    const step = stepAt(board);
    title.textContent = [story?.title, step && `step ${step.n}: ${step.title}`].filter(Boolean).join(" · ");
    title.title = title.textContent;
    document.title = story?.title ? `${story.title} · Mindboard` : "Mindboard";
  }

  board.on("state", () => {
    drawLine();
    if (board.state === "refused") ask();
  });
  board.on("refusal", drawNotice);
  board.on("story", drawStory);
  board.line.on("open", ({ afresh }) => afresh && tellOther(true));
  board.on("facts", (changes) => isOther && [...changes.values()].some(({ came }) => came.size) && tellOther(false));
  board.on("moment", drawStory);
  board.on("moment", () => page.classList.toggle("is-past", board.moment !== null));
  drawLine();
}

/** @param {import("./board.js").Board} board @param {string} since */
function lineNotice(board, since) {
  if (board.state === "refused" && board.reason?.status !== 401) return `The board refuses: ${board.reason?.message}.`;
  return since ? `The connection is lost: what you see is as it was at ${since}.` : "";
}

/** @param {import("./board.js").Board} board */
function momentNotice(board) {
  if (!board.refusal) return "";
  const { status, message } = board.refusal;
  if (status === 410) return "That moment is too old: the board has dropped what was then.";
  return `That moment can't be shown: ${message}.`;
}
