/**
 * Facts as people say them: a table of phrases for the predicates, plain words for the rest.
 *
 * A sentence is a list of parts, so that names can be set apart from words; a name may be anything.
 */

import { termsOf } from "./terms.js";

/**
 * @typedef {{text: string, isName: boolean}} Part
 */

const ROBOT = "myself";
const LONGEST = 60;

/** @type {Record<string, string>} what stands between subject and object; `true` and `false` need none */
const PHRASES = {
  a: "is",
  actsOnObject: "is done to",
  atBackOf: "is at the back of",
  atFrontOf: "is at the front of",
  atLeftSideOf: "is at the left side of",
  atLocation: "is at",
  atRightSideOf: "is at the right side of",
  behind: "is behind",
  belongsTo: "belongs to",
  canReach: "can reach",
  contains: "contains",
  desires: "wants",
  endTime: "ended at, in seconds,",
  farFrom: "is far from",
  focusesOn: "attends to",
  fromLocation: "is from",
  hasColor: "has the colour",
  hasFallenFrom: "has fallen from",
  hasGoal: "has the goal",
  hasHandMovingToward: "moves toward",
  hasPart: "has the part",
  hasShape: "has the shape of a",
  hasSize: "has the size",
  hasSlidOn: "has slid along",
  hasWeight: "weighs, in kg,",
  inFrontOf: "is in front of",
  isAbove: "is above",
  isAt: "is at",
  isAtLeftOf: "is to the left of",
  isAtRightOf: "is to the right of",
  isBehind: "is behind",
  isBelow: "is below",
  isCarriedIn: "is carried in",
  isCarriedOn: "is carried on",
  isExpectedToContain: "is expected to contain",
  isHandOf: "is a hand of",
  isHiddenInHandOf: "is hidden in the hand of",
  isHolding: "holds",
  isIn: "is in",
  isInFrontOf: "is in front of",
  isInHand: "is in",
  isMissingBecauseOf: "is missing because of",
  isNextTo: "is next to",
  isOccludedBy: "is hidden by",
  isOn: "is on",
  isOutOfViewOf: "is out of view of",
  isPartOf: "is part of",
  isUnder: "is under",
  knows: "knows",
  leftOf: "is to the left of",
  likes: "likes",
  looksAt: "looks at",
  mayPick: "may pick",
  mayPutInto: "may put something into",
  missingReason: "is not perceived, for it is",
  near: "is near",
  "owl:differentFrom": "is not the same as",
  "owl:sameAs": "is the same as",
  perceives: "perceives",
  performedBy: "is done by",
  pointsAt: "points at",
  "rdfs:label": "is called",
  "rdfs:subClassOf": "is a kind of",
  reachEffort: "is reached with an effort, from 0 to 1, of",
  receivedBy: "is received by",
  rightOf: "is to the right of",
  sees: "sees",
  seesWithHeadMovement: "could see, turning the head,",
  startTime: "began at, in seconds,",
  toLocation: "goes to",
};

/** @type {Record<string, [string, string]>} of what is true or false */
const TRUTHS = {
  isInFieldOfView: ["is in view", "is not in view"],
  isMoving: ["moves", "does not move"],
  isPerceived: ["is perceived", "is not perceived"],
  isPhysicallyPlausible: ["would stay where it is", "could not stay where it is"],
  isReachable: ["is within reach", "is out of reach"],
  isUnaccountedFor: ["is not where it was, nobody knows where", "is accounted for"],
  isVisible: ["is visible", "is not visible"],
};

/** @type {{title: string, predicates: string[]}[]} the first that has a predicate takes its facts */
export const GROUPS = [
  { title: "Where things are", predicates: ["isIn", "isOn", "isInHand", "isHolding", "isExpectedToContain"] },
  {
    title: "Seeing",
    predicates: ["sees", "looksAt", "pointsAt", "focusesOn", "perceives", "isInFieldOfView", "isVisible",
      "seesWithHeadMovement", "isPerceived", "isPhysicallyPlausible"],
  },
  {
    title: "Why things are missing",
    predicates: ["isHiddenInHandOf", "isCarriedIn", "isCarriedOn", "hasFallenFrom", "hasSlidOn", "isOccludedBy",
      "isOutOfViewOf", "isUnaccountedFor", "missingReason", "isMissingBecauseOf"],
  },
  { title: "Reaching", predicates: ["canReach", "isReachable", "reachEffort", "hasHandMovingToward", "mayPick", "mayPutInto"] },
  {
    title: "Doing and wanting",
    predicates: ["desires", "hasGoal", "performedBy", "actsOnObject", "receivedBy", "fromLocation", "toLocation",
      "startTime", "endTime", "isMoving", "knows", "likes", "experiences"],
  },
  {
    title: "Around",
    predicates: ["isNextTo", "leftOf", "rightOf", "inFrontOf", "behind", "near", "farFrom", "isAbove", "isBelow",
      "isUnder", "isAt", "contains", "cyc:objectFoundInLocation"],
  },
  { title: "What things are", predicates: ["a", "rdfs:label", "hasColor", "hasShape", "hasSize"] },
  { title: "Other", predicates: [] },
];

/** @type {Map<string, number>} */
const GROUP_OF = new Map(GROUPS.flatMap(({ predicates }, i) => predicates.map((each) => [each, i])));

/** The group that a fact belongs to, by its number in `GROUPS`. @param {string} fact */
export function groupOf(fact) {
  return GROUP_OF.get(termsOf(fact).predicate) ?? GROUPS.length - 1;
}

/** Where a predicate stands among those of its group. @param {string} fact */
export function rankOf(fact) {
  const { predicate } = termsOf(fact);
  return GROUPS[groupOf(fact)].predicates.indexOf(predicate);
}

/** A fact as a sentence; where nobody knows the words, its terms as they are. @param {string} fact @param {Set<string>} people @returns {Part[]} */
export function sentence(fact, people) {
  const { subject } = termsOf(fact);
  return [name(callOf(subject, people)), ...said(fact, people)];
}

/** What a fact says of its subject. @param {string} fact @param {Set<string>} people @returns {Part[]} */
export function said(fact, people) {
  const { predicate, object } = termsOf(fact);
  const truth = TRUTHS[predicate]?.[["true", "false"].indexOf(object)];
  if (truth) return [word(truth)];
  if (predicate === "a") return [word("is"), name(classOf(object))];
  const phrase = Object.hasOwn(PHRASES, predicate) ? PHRASES[predicate] : null;
  if (phrase === null) return [word(predicate), name(object)];
  return [word(phrase), name(predicate.startsWith("has") ? plain(object) : callOf(object, people))];
}

/** A sentence as one text. @param {Part[]} parts */
export function textOf(parts) {
  return parts.map(({ text }) => text).join(" ");
}

/** A sentence as elements: names keep their direction to themselves. @param {Part[]} parts @returns {Node[]} */
export function elementsOf(parts) {
  return parts.flatMap(({ text, isName }, i) => {
    const gap = i ? [document.createTextNode(" ")] : [];
    if (!isName) return [...gap, document.createTextNode(text)];
    const element = document.createElement("bdi");
    element.textContent = text;
    return [...gap, element];
  });
}

/** How a thing or a person is called: "Sally", "the ball", "Sally's right hand". @param {string} term @param {Set<string>} people */
export function callOf(term, people) {
  if (term === ROBOT) return "the robot";
  if (people.has(term)) return capital(term);
  const owner = [...people].find((each) => term.startsWith(`${each}_`));
  if (owner) return `${callOf(owner, people)}'s ${plain(term.slice(owner.length + 1))}`;
  if (!isBareName(term) || /^(true|false)$/.test(term)) return literal(term);
  return isClass(term) ? classOf(term) : `the ${plain(term)}`;
}

/** Whose mind, at the beginning of a sentence. @param {string} agent */
export function mindOf(agent) {
  return agent === ROBOT ? "The robot" : cut(capital(agent));
}

/** No longer than can be read at a glance. @param {string} text @param {number} [longest] */
export function cut(text, longest = LONGEST) {
  return text.length <= longest ? text : `${text.slice(0, longest - 1)}…`;
}

/** The first letter large. @param {string} text */
export function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {string} text @returns {Part} */
const name = (text) => ({ text: cut(text), isName: true });
/** @param {string} text @returns {Part} */
const word = (text) => ({ text, isName: false });
/** @param {string} term */
const isBareName = (term) => /^[A-Za-z_][A-Za-z0-9_-]*$/.test(term);
/** @param {string} term */
const plain = (term) => (isBareName(term) ? term.replaceAll("_", " ").trim() || term : literal(term));

/** Whether a name is written as those of classes are: `VideoTape`, but not `BLACK_TAPE`. @param {string} term */
const isClass = (term) => /^[A-Z]/.test(term) && /[a-z]/.test(term);

/** A class with its article. @param {string} term */
function classOf(term) {
  if (!isBareName(term)) return literal(term);
  const words = term.replaceAll("_", " ").replace(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}

/** A text in quotes as people write it; all else as it is. @param {string} term */
function literal(term) {
  const found = /^"((?:[^"\\]|\\.)*)"/s.exec(term);
  return found ? `“${found[1].replace(/\\(["\\])/g, "$1")}”` : term;
}
