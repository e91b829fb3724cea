/**
 * Questions of both languages, and their answers in one shape (see answers.js): patterns go to
 * `find`, SPARQL to `/sparql`. The page only reads, so an update is refused before it is sent.
 */

import { MOST_ROWS } from "./answers.js";
import { modelPath, post, sparql } from "./api.js";
import { factsFrom, patternsIn, readableTurtle, variablesOf, writtenTerm } from "./terms.js";

const PROLOGUE = /^(?:\s+|#[^\n]*(?:\n|$)|(?:PREFIX\s+[^\s:]*:\s*<[^>]*>|BASE\s*<[^>]*>|VERSION\s+"[^"]*"))/iu;
const ALL = /\bSELECT\s+(?:DISTINCT\s+|REDUCED\s+)?\*/iu;
const CHANGES = /^(?:INSERT|DELETE|WITH|LOAD|CLEAR|DROP|CREATE|ADD|MOVE|COPY)\b/iu;

/** What is wrong with a question before it is asked, or null. */
export const OBJECTION = {
  patterns: (text) => (patternsIn(text).length ? null : "Write a pattern, for instance ?o isIn ?where."),
  sparql(text) {
    const query = withoutPrologue(text);
    if (query === "") return "Write a query, or click an example.";
    if (!CHANGES.test(query)) return null;
    return "That is an update, and this page only reads. Changes go to POST /update, "
      + "or to kb.revise(…) in Python.";
  },
};

/**
 * How each language is asked: `(text, {model, at, signal})` gives an answer.
 * @type {Record<string, (text: string, where: {model: string, at: (number|string|null), signal: AbortSignal}) => Promise<object>>}
 */
export const ASKED = { patterns: askedPatterns, sparql: askedSparql };

async function askedPatterns(text, { model, at, signal }) {
  const patterns = patternsIn(text);
  const body = { patterns, limit: MOST_ROWS + 1 };
  const { bindings } = await post(modelPath(model, "find"), body, { at }, { signal });
  const columns = variablesOf(patterns);
  if (columns.length === 0) return { kind: "truth", holds: bindings.length > 0 };
  const rows = bindings.slice(0, MOST_ROWS).map((each) => ({
    cells: columns.map((name) => each[name]), facts: factsFrom(patterns, each),
  }));
  return { kind: "rows", columns, rows, all: bindings.length > MOST_ROWS ? null : rows.length };
}

async function askedSparql(text, { model, at, signal }) {
  const said = await sparql(text, { model, at, signal });
  if (typeof said === "string") return { kind: "text", text: readableTurtle(said) };
  if (typeof said.boolean === "boolean") return { kind: "truth", holds: said.boolean };
  const columns = ALL.test(text) ? asWritten(said.head.vars, text) : said.head.vars;
  const found = said.results.bindings;
  const rows = found.slice(0, MOST_ROWS).map((each) => ({
    cells: columns.map((name) => (each[name] ? writtenTerm(each[name]) : undefined)), facts: [],
  }));
  return { kind: "rows", columns, rows, all: found.length };
}

/** Variables in the order in which a query mentions them: for `*` stands for all, in no order. */
function asWritten(names, text) {
  const place = new Map([...text.matchAll(/[?$]([\p{L}\p{N}_]+)/gu)].reverse().map((found) => [found[1], found.index]));
  return [...names].sort((a, b) => (place.get(a) ?? 0) - (place.get(b) ?? 0));
}

function withoutPrologue(text) {
  let rest = text;
  for (let found = PROLOGUE.exec(rest); found; found = PROLOGUE.exec(rest)) {
    rest = rest.slice(found[0].length);
  }
  return rest;
}
