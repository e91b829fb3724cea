/**
 * Questions worth asking of the board as it is: made from facts that are there, so that each has an
 * answer. On an empty board there are some that can always be asked.
 */

import { isThing, ownerOf, termsOf } from "./terms.js";

const RELATIONS = ["isIn", "isOn", "isNextTo", "isHolding", "isInHand", "desires", "isAt"];
const ACTS = ["sees", "looksAt", "pointsAt", "canReach", "seesWithHeadMovement"];
const CLASSES = ["Human", "Robot", "Agent", "Artifact"];
const BARE = /^[A-Za-z_][A-Za-z0-9_-]*$/u;

/**
 * Questions for a mind, each with what it is called: `{patterns: [[words, text]], sparql: …}`.
 * @param {import("./board.js").Board} board
 * @param {string} model
 */
export function examples(board, model) {
  const known = [...board.facts(model)].map((fact) => Object.values(termsOf(fact)));
  const relation = RELATIONS.find((name) => known.some(([, p]) => p === name));
  const patterns = patternsFrom(known, relation, ownerOf(model));
  return {
    patterns: patterns.map((lines) => [lines.join(", "), lines.join("\n")]),
    sparql: queriesFrom(known, relation ?? "isIn", otherMind(board, model, relation ?? "isIn"), model),
  };
}

function patternsFrom(known, relation, owner) {
  const acts = known.filter(([, p, o]) => ACTS.includes(p) && isThing(o));
  const place = ([s, p]) => ACTS.indexOf(p) + (s === owner ? 0 : ACTS.length);
  const act = acts.sort((a, b) => place(a) - place(b))[0];
  const kind = CLASSES.find((name) => known.some(([, p, o]) => p === "a" && o === name));
  const made = [];
  if (relation) made.push([`?o ${relation} ?where`]);
  if (act) made.push([`${act[0]} ${act[1]} ?o`]);
  if (act && relation) made.push([`${act[0]} ${act[1]} ?o`, `?o ${relation} ?where`]);
  if (kind) made.push([`?who a ${kind}`]);
  const [about] = known.find(([, p]) => p === relation) ?? [];
  if (about) made.push([`${about} ?relation ?thing`]);
  return made.length ? made : [["?who a Agent"], ["?o isIn ?where"], ["?thing a ?class"]];
}

function queriesFrom(known, relation, other, model) {
  const where = `?o oro:${relation} ?where`;
  const fact = known.find(([s, p, o]) => p === relation && BARE.test(s) && BARE.test(o));
  const made = [
    [`${relation}, for ${other}`, `SELECT ?o ?where {\n  GRAPH model:${other} { ${where} }\n}`],
    [`${relation}, mind by mind`,
      `SELECT ?model ?o ?where {\n  GRAPH ?model { ${where} }\n} ORDER BY ?o ?model`],
    ["how much each holds",
      "SELECT ?model (COUNT(*) AS ?facts) {\n  GRAPH ?model { ?s ?p ?o }\n} GROUP BY ?model"],
    [`${relation} as a graph`, `CONSTRUCT { ${where} }\nWHERE { ${where} }`],
  ];
  if (other !== model) made.splice(1, 0, [`where ${other} differs`, difference(where, relation, other)]);
  if (fact) made.push([`${fact.join(" ")}?`, `ASK { oro:${fact[0]} oro:${relation} oro:${fact[2]} }`]);
  return made;
}

function difference(where, relation, other) {
  return `SELECT ?o ?where ?there {\n  ${where} .\n`
    + `  GRAPH model:${other} { ?o oro:${relation} ?there }\n  FILTER (?where != ?there)\n}`;
}

/** A mind to compare with: one that differs, at best, or else one that holds such facts at all. */
function otherMind(board, model, relation) {
  const held = (each) => [...board.facts(each)].filter((fact) => fact.includes(` ${relation} `)).sort().join();
  const others = board.models.filter((each) => each !== model)
    .sort((a, b) => (a === "myself") - (b === "myself"));
  const holding = others.filter((each) => held(each) !== "");
  return holding.find((each) => held(each) !== held(model)) ?? holding[0] ?? others[0] ?? model;
}
