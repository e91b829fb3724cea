/**
 * Where minds are wrong: a thing that one has somewhere, and reality somewhere else.
 *
 * Only where things are placed is compared, and only what both sides place: who merely doesn't know
 * is not wrong. What a nested mind is wrong about is first what that mind really believes, as far as
 * the robot knows, and then the world.
 */

import { callOf as wholeName, capital, cut, mindOf, said, termsOf, textOf } from "./words.js";

/**
 * @typedef {{model: string, thing: string, against: string, here: string[], there: string[]}} Dispute
 *   the facts about a thing in a model, and those in the model that it should agree with
 * @typedef {Map<string, Set<string>>} Places the facts that place each thing
 */

export const PLACING = ["isIn", "isOn", "isInHand"];
const REALITY = "myself";

/** Whether a fact says where a thing is. @param {string} fact */
export function isPlacing(fact) {
  return PLACING.includes(termsOf(fact).predicate);
}

/** Where each thing is, to a mind. @param {Iterable<string>} facts @returns {Places} */
export function placesOf(facts) {
  /** @type {Places} */
  const places = new Map();
  for (const fact of facts) if (isPlacing(fact)) place(places, fact);
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

/** All that minds are wrong about. @param {Map<string, Places>} minds @returns {Dispute[]} */
export function disputesAmong(minds) {
  return [...minds].flatMap(([model, places]) =>
    [...places.keys()].flatMap((thing) => disputeOf(minds, model, thing) ?? []),
  );
}

/** @param {Map<string, Places>} minds @param {string} model @param {string} thing @returns {Dispute|null} */
export function disputeOf(minds, model, thing) {
  if (model === REALITY) return null;
  const here = minds.get(model)?.get(thing);
  for (const against of here ? rightOnesFor(model) : []) {
    const there = minds.get(against)?.get(thing);
    if (there && ![...here].some((fact) => there.has(fact))) {
      return { model, thing, against, here: [...here].sort(), there: [...there].sort() };
    }
  }
  return null;
}

/** The models that a model should agree with. @param {string} model */
function rightOnesFor(model) {
  const rest = model.split(".").slice(1).join(".");
  return rest && rest !== REALITY ? [rest, REALITY] : [REALITY];
}

/** A name of what is disputed, for as long as it is the same. @param {Dispute} dispute */
export function keyOf({ model, here, there }) {
  return JSON.stringify([model, here, there]);
}

/** "Sally believes the ball is in the basket; it is in the box." @param {Dispute} dispute @param {Set<string>} people */
export function sayDispute({ model, thing, against, here, there }, people) {
  const [who, ...others] = model.split(".");
  const chain = [mindOf(who), ...others.flatMap((each) => ["thinks that", callOf(each, people)]), "believes"];
  const truth = sayAll(there, people);
  const after = against === REALITY ? `${pronoun(thing, people)} ${truth}` : `${sayMind(against, people)} it ${truth}`;
  return `${chain.join(" ")} ${callOf(thing, people)} ${sayAll(here, people)}; ${after}.`;
}

/** What is right instead, about a fact that is wrong: "it is in the box". @param {Dispute} dispute @param {Set<string>} people */
export function sayTruth({ thing, against, there }, people) {
  const truth = sayAll(there, people);
  return against === REALITY ? `${pronoun(thing, people)} ${truth}` : `${sayMind(against, people)} it ${truth}`;
}

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
