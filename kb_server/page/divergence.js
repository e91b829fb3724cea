/**
 * Where minds are wrong: a thing that one has somewhere, and reality somewhere else.
 *
 * Only where things are placed is compared, and only what both sides place: who merely doesn't know
 * is not wrong. What a nested mind is wrong about is first what that mind really believes, as far as
 * the robot knows, and then the world. And what a thing is expected to contain, by its looks, is wrong
 * for who knows of nothing in it, where something else is.
 */

import { termsOf } from "./terms.js";
import { callOf as wholeName, capital, cut, mindOf, said, textOf } from "./words.js";

/**
 * @typedef {{model: string, thing: string, against: string, here: string[], there: string[]}} Dispute
 *   the facts about a thing in a model, and those in the model that it should agree with
 * @typedef {Map<string, Set<string>>} Places the facts that place each thing, and what it is expected to contain
 */

const PLACING = ["isIn", "isOn", "isInHand"];
const EXPECTING = "isExpectedToContain";
/** All that a mind can be wrong about. */
export const DISPUTED = [...PLACING, EXPECTING];
const REALITY = "myself";

/** Whether a mind can be wrong about a fact of this kind. @param {string} fact */
export function isDisputed(fact) {
  return DISPUTED.includes(termsOf(fact).predicate);
}

/** Where each thing is, to a mind. @param {Iterable<string>} facts @returns {Places} */
export function placesOf(facts) {
  /** @type {Places} */
  const places = new Map();
  for (const fact of facts) if (isDisputed(fact)) place(places, fact);
  return places;
}

/** @param {Places} places @param {string} fact */
export function place(places, fact) {
  const { subject } = termsOf(fact);
  places.set(subject, (places.get(subject) ?? new Set()).add(fact));
}

/** @param {Places} places @param {string} fact */
export function displace(places, fact) {
  const { subject } = termsOf(fact);
  const facts = places.get(subject);
  if (facts?.delete(fact) && facts.size === 0) places.delete(subject);
}

/** @param {string} model */
const depthOf = (model) => model.split(".").length;

/** All that minds are wrong about, the outer ones first. @param {Map<string, Places>} minds @returns {Dispute[]} */
export function disputesAmong(minds) {
  const all = [...minds].flatMap(([model, places]) =>
    [...places.keys()].flatMap((thing) => disputeOf(minds, model, thing) ?? []),
  );
  return all.sort((a, b) => depthOf(a.model) - depthOf(b.model) || (keyOf(a) < keyOf(b) ? -1 : 1));
}

/** What a mind is wrong about a thing, if it is. @param {Map<string, Places>} minds @param {string} model @param {string} thing @returns {Dispute|null} */
export function disputeOf(minds, model, thing) {
  const facts = minds.get(model)?.get(thing);
  if (model === REALITY || !facts) return null;
  const found = [...facts].sort();
  const [placed, expected] = [found.filter((fact) => !isExpected(fact)), found.filter(isExpected)];
  for (const against of rightOnesFor(model)) {
    const truth = minds.get(against) ?? new Map();
    const where = [...(truth.get(thing) ?? [])].filter((fact) => !isExpected(fact)).sort();
    if (placed.length && where.length && !where.some((fact) => facts.has(fact))) {
      return { model, thing, against, here: placed, there: where };
    }
    const inside = expected.length && !contentsOf(minds.get(model), thing).length ? contentsOf(truth, thing) : [];
    const isAsExpected = (fact) => expected.some((each) => termsOf(each).object === termsOf(fact).subject);
    if (inside.length && !inside.some(isAsExpected)) return { model, thing, against, here: expected, there: inside };
  }
  return null;
}

/** @param {string} fact */
function isExpected(fact) {
  return termsOf(fact).predicate === EXPECTING;
}

/** The facts by which something is in a thing. @param {Places} places @param {string} thing */
function contentsOf(places, thing) {
  const isInside = (fact) => fact.endsWith(` isIn ${thing}`);
  return [...places.values()].flatMap((facts) => [...facts].filter(isInside)).sort();
}

/** The models that a model should agree with. @param {string} model */
function rightOnesFor(model) {
  const rest = model.split(".").slice(1).join(".");
  return rest && rest !== REALITY ? [rest, REALITY] : [REALITY];
}

/** A name of what is disputed, for as long as it is the same. @param {Dispute} dispute */
export function keyOf({ model, against, here, there }) {
  return JSON.stringify([model, against, here, there]);
}

/** "Sally believes the ball is in the basket; it is in the box." @param {Dispute} dispute @param {Set<string>} people */
export function sayDispute(dispute, people) {
  const { model, thing, here } = dispute;
  const [who, ...others] = model.split(".");
  const chain = [mindOf(who), ...others.flatMap((each) => ["thinks that", callOf(each, people)])].join(" ");
  const belief = isExpected(here[0])
    ? `expects ${list(here.map((fact) => callOf(termsOf(fact).object, people)))} in ${callOf(thing, people)}`
    : `believes ${callOf(thing, people)} ${sayAll(here, people)}`;
  return `${chain} ${belief}; ${sayTruth(dispute, people)}.`;
}

/** What is right instead: "it is in the box". @param {Dispute} dispute @param {Set<string>} people */
export function sayTruth({ thing, against, here, there }, people) {
  const isContent = isExpected(here[0]);
  const what = isContent ? list(there.map((fact) => callOf(termsOf(fact).subject, people))) : pronoun(thing, people);
  const truth = isContent ? `${there.length > 1 ? "are" : "is"} in it` : sayAll(there, people);
  if (against === REALITY) return `${what} ${truth}`;
  return `${sayMind(against, people)} ${isContent || people.has(thing) ? what : "it"} ${truth}`;
}

/** @param {string[]} names */
const list = (names) => names.join(" and ");

/** @param {string} term @param {Set<string>} people */
const callOf = (term, people) => cut(wholeName(term, people));

/** @param {string} model @param {Set<string>} people */
function sayMind(model, people) {
  return `${model.split(".").map((each) => callOf(each, people)).join(" thinks that ")} believes`;
}

/** @param {string[]} facts @param {Set<string>} people */
function sayAll(facts, people) {
  return facts.map((fact) => textOf(said(fact, people))).join(" and ");
}

/** @param {string} thing @param {Set<string>} people */
function pronoun(thing, people) {
  return people.has(thing) ? cut(capital(thing)) : "it";
}
