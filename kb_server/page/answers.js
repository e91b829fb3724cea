/**
 * What was answered to a question, shown: a table, a yes or no, or a text. At most so many rows are
 * drawn as a person would look through; what is left out is said.
 */

import { button, make, shortened } from "./make.js";
import { isThing } from "./terms.js";

export const MOST_ROWS = 500;

/**
 * An answer:
 * `{kind: "rows", columns: [string], rows: [{cells: [string|undefined], facts: [string]}], all: number|null}`
 * (`all` is how many there are, null when that is not known but there are more),
 * `{kind: "truth", holds: boolean}` or `{kind: "text", text: string}`.
 */
const DRAWN = { rows: drawnRows, truth: drawnTruth, text: drawnText };

/** The element of an answer; `choose` is told of the fact or thing that is clicked. */
export function drawnAnswer(answer, choose) {
  return DRAWN[answer.kind](answer, choose);
}

/** How much an answer holds, in words. */
export function sizeOf(answer) {
  if (answer.kind !== "rows") return "";
  if (answer.all === null) return `the first ${answer.rows.length} rows`;
  return answer.all === 1 ? "1 row" : `${answer.all.toLocaleString("en")} rows`;
}

function drawnRows({ columns, rows, all }, choose) {
  if (rows.length === 0) return make("p", { class: "none" }, "No rows: nothing fits.");
  const shown = rows.slice(0, MOST_ROWS);
  const explains = shown.some((row) => row.facts.length > 0);
  const head = columns.map((name) => make("th", { scope: "col" }, name));
  if (explains) head.push(make("th", { scope: "col", class: "narrow" }, "why"));
  const body = shown.map((row) => drawnRow(row, explains, choose));
  const table = make("table", {},
    make("thead", {}, make("tr", {}, ...head)), make("tbody", {}, ...body));
  return make("div", { class: "answer" }, table, leftOut(shown.length, all));
}

function leftOut(shown, all, what = "rows") {
  if (all === null) return make("p", { class: "none" }, "… and more; ask for less to see them.");
  if (all <= shown) return null;
  const rest = (all - shown).toLocaleString("en");
  return make("p", { class: "none" }, `… and ${rest} more ${what}; ask for less to see them.`);
}

function drawnRow({ cells, facts }, explains, choose) {
  const drawn = cells.map((cell) => make("td", {}, drawnTerm(cell, choose)));
  if (explains) {
    drawn.push(make("td", { class: "narrow" }, ...whyButtons(facts, choose)));
  }
  return make("tr", {}, ...drawn);
}

/** A button for each of the facts that one answer stands for, to ask why. */
export function whyButtons(facts, choose) {
  return facts.map((fact, i) => button(facts.length > 1 ? `why ${i + 1}` : "why", () => choose({ fact }), {
    class: "why-of", title: `why ${fact}`, "aria-label": `why ${fact}`,
  }));
}

function drawnTerm(term, choose) {
  if (term === undefined) return make("span", { class: "none" }, "—");
  if (!isThing(term)) return shortened(term);
  return button(term, () => choose({ thing: term }), { class: "term", title: `all about ${term}` });
}

function drawnTruth({ holds }) {
  return make("p", { class: "truth", data: { holds: String(holds) } }, holds ? "yes" : "no");
}

function drawnText({ text }) {
  if (text.trim() === "") return make("p", { class: "none" }, "No triples: nothing fits.");
  const lines = text.trimEnd().split("\n");
  const shown = lines.slice(0, MOST_ROWS).join("\n");
  return make("div", { class: "answer" }, make("pre", { class: "turtle", tabindex: "0" }, shown),
    leftOut(MOST_ROWS, lines.length, "lines"));
}
