/**
 * A story as the stage shows it, read once where it comes in: what makes sense is kept, and the rest
 * is dropped, so that who draws it need not doubt it.
 */

const MOST_STEPS = 500;

/**
 * @typedef {{title: string, headings: Record<string, string>, columns: Record<string, string[]>}} Table
 * @typedef {{n: number, title: string, says: string, from: number, seq: number, t: number|null,
 *            table: Table|null}} Step `from`: the board's delta when it begins; `seq`: when it ends
 * @typedef {{n: number, ask: string, model: string, answer: string[], expected: string[],
 *            fact: string|null, because: string[]}} Question
 * @typedef {{title: string, about: string, over: boolean, steps: Step[], questions: Question[]}} Story
 */

/** What tells a story, as one; null where it is none. @param {any} value @returns {Story|null} */
export function storyOf(value) {
  if (!Array.isArray(value?.steps)) return null;
  return {
    title: textOf(value.title),
    about: textOf(value.about),
    over: value.over === true,
    steps: stepsOf(value.steps),
    questions: listOf(value.questions).filter((each) => isNumber(each?.n)).map(questionOf),
  };
}

/** Those with a number of their own and a moment, in the order in which they are told. @param {any[]} all */
function stepsOf(all) {
  /** @type {Map<number, Step>} */
  const steps = new Map();
  let end = /** @type {number|null} */ (null);
  for (const each of all.slice(-MOST_STEPS)) {
    if (!isNumber(each?.n) || !isNumber(each.seq) || steps.has(each.n)) continue;
    steps.set(each.n, stepOf(each, end ?? each.seq));
    end = each.seq;
  }
  return [...steps.values()];
}

/** @param {any} step @param {number} before when the one before ended @returns {Step} */
function stepOf({ n, title, says, from, seq, t, table }, before) {
  return {
    ...{ n, title: textOf(title), says: textOf(says), seq },
    ...{ from: isNumber(from) ? from : before, t: isNumber(t) ? t : null, table: tableOf(table) },
  };
}

/** @param {any} question @returns {Question} */
function questionOf({ n, ask, model, answer, expected, fact, because }) {
  return {
    ...{ n, ask: textOf(ask), model: textOf(model) },
    ...{ answer: textsOf(answer), expected: textsOf(expected), because: textsOf(because) },
    fact: textOf(model) && textOf(fact) ? textOf(fact) : null,
  };
}

/** @param {any} table @returns {Table|null} */
function tableOf(table) {
  const columns = Object.entries(table?.columns ?? {}).filter(([, cells]) => Array.isArray(cells));
  if (!columns.length) return null;
  const rows = columns.map(([model, cells]) => [model, cells.map(textOf)]);
  const headings = columns.map(([model]) => [model, textOf(table.headings?.[model]) || model]);
  return { title: textOf(table.title), columns: Object.fromEntries(rows), headings: Object.fromEntries(headings) };
}

/** One text or several; what is none falls out. @param {any} value */
function textsOf(value) {
  return (Array.isArray(value) ? value : [value]).map(textOf).filter(Boolean);
}

/** @param {any} value @returns {any[]} */
function listOf(value) {
  return Array.isArray(value) ? value : [];
}

/** @param {any} value */
function textOf(value) {
  return ["string", "number", "boolean"].includes(typeof value) ? String(value) : "";
}

/** @param {any} value @returns {value is number} */
function isNumber(value) {
  return Number.isFinite(value);
}
