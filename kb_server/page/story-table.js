/**
 * A table of what several minds hold of the same, a column for each; rows in which they differ stand out.
 */

import { button, make } from "./make.js";

/**
 * @param {{title: string, headings: Record<string, string>, columns: Record<string, string[]>}} told
 * @param {(chosen: {model: string, fact: string}) => void} choose
 */
export function createStoryTable({ title, headings, columns }, choose) {
  const table = document.createElement("table");
  table.dataset.testid = "story-table";
  table.createCaption().textContent = title;
  const models = Object.keys(columns);
  const head = table.createTHead().insertRow();
  for (const model of models) head.append(make("th", {}, String(headings[model] ?? model)));
  const body = table.createTBody();
  for (let n = 0; n < Math.max(0, ...models.map((model) => columns[model].length)); n++) {
    const row = body.insertRow();
    const held = models.map((model) => String(columns[model][n] ?? ""));
    if (new Set(held).size > 1) row.className = "differs";
    held.forEach((fact, k) => row.append(reasoned(models[k], fact, choose)));
  }
  return table;
}

/** A cell: a fact that can be asked about, or what stands for none or for several. */
function reasoned(model, fact, choose) {
  if (fact.split(" ").length !== 3) return make("td", {}, fact);
  return make("td", {}, button(fact, () => choose({ model, fact }), { title: "Why?" }));
}
