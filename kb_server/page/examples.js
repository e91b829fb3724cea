/**
 * Questions worth asking of the board as it is: made from facts that are there, so that each has an
 * answer. On an empty board there are some that can always be asked.
 */

import { isThing, termsOf } from "./terms.js";

const RELATIONS = ["isIn", "isOn", "isNextTo", "isHolding", "isInHand", "desires", "isReachable", "isAt"];
const ACTS = ["sees", "looksAt", "pointsAt", "canReach", "seesWithHeadMovement"];
const CLASSES = ["Human", "Robot", "Agent", "Artifact"];

/** Questions for the mind `model`: `{patterns: [text], sparql: [text]}`, the best first. */
export function examples(model, facts, models) {
  const known = [...facts].map(termsOf).filter((terms) => terms.length === 3);
  const relation = RELATIONS.find((name) => known.some(([, p]) => p === name));
  const act = known.find(([, p, o]) => ACTS.includes(p) && isThing(o));
  const kinds = CLASSES.find((name) => known.some(([, p, o]) => p === "a" && o === name));
  return {
    patterns: patternsFrom(known, relation, act, kinds),
    sparql: queriesFrom(known, relation ?? "isIn", otherMind(model, models)),
  };
}

function patternsFrom(known, relation, act, kind) {
  const made = [];
  if (relation) made.push(`?o ${relation} ?where`);
  if (act) made.push(`${act[0]} ${act[1]} ?o`);
  if (act && relation) made.push(`${act[0]} ${act[1]} ?o\n?o ${relation} ?where`);
  if (kind) made.push(`?who a ${kind}`);
  const [about] = known.find(([, p]) => p === relation) ?? [];
  if (about) made.push(`${about} ?relation ?thing`);
  return made.length ? made : ["?who a Agent", "?o isIn ?where", "?thing a ?class"];
}

function queriesFrom(known, relation, other) {
  const where = `?o oro:${relation} ?where`;
  const fact = known.find(([s, p, o]) => p === relation && isBare(s) && isBare(o));
  const made = [
    `SELECT ?o ?where {\n  GRAPH model:${other} { ${where} }\n}`,
    `SELECT ?o ?here ?there {\n  ?o oro:${relation} ?here .\n`
      + `  GRAPH model:${other} { ?o oro:${relation} ?there }\n  FILTER (?here != ?there)\n}`,
    "SELECT ?model (COUNT(*) AS ?facts) {\n  GRAPH ?model { ?s ?p ?o }\n} GROUP BY ?model",
    `CONSTRUCT { ${where} }\nWHERE { ${where} }`,
  ];
  if (fact) made.splice(2, 0, `ASK { oro:${fact[0]} oro:${relation} oro:${fact[2]} }`);
  return made;
}

function isBare(term) {
  return /^[A-Za-z_][A-Za-z0-9_-]*$/u.test(term);
}

/** A mind to compare with: the first other one, at best of somebody else. */
function otherMind(model, models) {
  return models.find((each) => each !== model && each !== "myself")
    ?? models.find((each) => each !== model) ?? model;
}
