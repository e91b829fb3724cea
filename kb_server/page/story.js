/**
 * The story so far: its steps, each a way back to that moment, and its questions with their answers.
 */

import { make } from "./make.js";
import { createStoryTable } from "./story-table.js";

const SOON = "The story is about to begin.";
const OVER = "The story is over. Drag the line of time to see it again.";

/**
 * @param {HTMLElement} element
 * @param {import("./board.js").Board} board
 * @param {{show: (panel: string) => void}} tabs
 */
export function createStory(element, board, tabs) {
  let wasThere = false;
  let drawn = /** @type {any} */ (undefined);
  let shown = /** @type {number|undefined} */ (undefined);

  function draw() {
    const { story } = board;
    if (story === drawn) {
      mark();
      return;
    }
    drawn = story;
    element.replaceChildren(...(story ? told(story) : [text("p", "No story is told on this board.", "none")]));
    mark();
    if (story && !wasThere) tabs.show("story");
    wasThere = story !== null;
  }

  /** @param {import("./story-form.js").Story} story */
  function told(story) {
    const list = document.createElement("ol");
    list.className = "steps";
    list.append(...story.steps.map((step) => stepOf(step, story)));
    const end = story.over ? OVER : story.steps.length ? "" : SOON;
    return [text("p", story.about, "about"), list, ...(end ? [text("p", end, "none")] : [])];
  }

  /** @param {import("./story-form.js").Step} step @param {import("./story-form.js").Story} story */
  function stepOf(step, story) {
    const item = document.createElement("li");
    item.dataset.step = String(step.n);
    item.dataset.testid = "story-step";
    const button = text("button", `${step.n}. ${step.title}`, "step");
    const goesOn = isUnderWay(step, story);
    button.title = goesOn ? "Show how it is now" : "Show how it was at its end";
    button.onclick = () => board.goTo(goesOn ? null : { seq: step.seq, step: step.n });
    const questions = story.questions.filter((each) => each.n === step.n);
    const table = step.table ? [createStoryTable(step.table, (chosen) => board.choose(chosen))] : [];
    item.append(button, text("p", step.says), ...table, ...questions.map(questionOf));
    return item;
  }

  /** @param {import("./story-form.js").Question} question */
  function questionOf({ ask, model, answer, expected, fact, because }) {
    const box = document.createElement("div");
    box.className = "question";
    box.dataset.testid = "story-question";
    const is = saidOf(answer);
    const isRight = is === saidOf(expected);
    const line = document.createElement("p");
    const reply = fact ? text("button", is, "answer") : text("span", is, "answer");
    if (fact) reply.onclick = () => board.choose({ model, fact });
    const verdict = text("span", isRight ? "✓" : `✗ expected ${saidOf(expected)}`, isRight ? "right" : "not-right");
    line.append(text("span", ask), " ", reply, " ", verdict);
    const reasons = document.createElement("ul");
    reasons.append(...because.map(reasonOf));
    box.append(line, reasons);
    return box;
  }

  /** Which step the moment shown belongs to. */
  function mark() {
    const current = stepAt(board);
    for (const item of element.querySelectorAll("[data-step]")) {
      if (Number(/** @type {HTMLElement} */ (item).dataset.step) === current?.n) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
    if (current?.n !== shown) scrollTo(current);
    shown = current?.n;
  }

  /** Brings a step to the top of the panel, without moving the page. @param {any} step */
  function scrollTo(step) {
    const item = /** @type {HTMLElement|null} */ (step && element.querySelector(`[data-step="${Number(step.n)}"]`));
    if (item) element.scrollTop += item.getBoundingClientRect().top - element.getBoundingClientRect().top - 8;
  }

  board.on("story", draw);
  board.on("moment", mark);
  draw();
}

/**
 * The step that went on at the moment shown; live, the last; null before the first.
 * @param {import("./board.js").Board} board
 */
export function stepAt({ story, moment, moments }) {
  const steps = story?.steps ?? [];
  const last = steps.at(-1) ?? null;
  if (!moment || !last) return last;
  const meant = steps.find(({ n }) => n === moment.step);
  if (meant) return meant;
  const isBy = (seq) => (moment.seq !== null ? seq >= moment.seq : (moments.timeOf(seq) ?? 0) >= moment.t);
  const began = (steps[0].from < steps[0].seq ? 1 : 0) + steps[0].from;
  if (moment.seq !== null ? moment.seq < began : moment.t < (moments.timeOf(began) ?? 0)) return null;
  return steps.find(({ seq }) => isBy(seq)) ?? last;
}

/** Whether a step is not over yet. @param {import("./story-form.js").Step} step @param {import("./story-form.js").Story} story */
export function isUnderWay(step, { steps, over }) {
  return !over && step === steps.at(-1) && step.t === null;
}

/** A reason; what stands between backticks in it is set apart. @param {string} said */
function reasonOf(said) {
  const item = document.createElement("li");
  item.append(...said.split("`").map((part, i) => (i % 2 ? text("code", part) : part)));
  return item;
}

/** @param {string[]} answer */
function saidOf(answer) {
  return answer.map((each) => each.replaceAll("_", " ")).join(", ") || "nothing";
}

/** @param {string} tag @param {string} said @param {string} [kind] */
function text(tag, said, kind) {
  return make(tag, { class: kind }, said);
}
