/**
 * What each mind holds of one thing, now or at a past moment: its classes, and the facts it stands
 * in, each to be clicked.
 */

import { get, modelPath } from "./api.js";
import { button, make } from "./make.js";
import { termsOf } from "./terms.js";
import { cut, groupOf, rankOf } from "./words.js";

const MOST_FACTS = 200;
const LISTED = 1000;
const UNFOLDED = 4;
const LONGEST = 80;

/**
 * The elements of what some minds hold of a thing, in that order, unfolded while they are few.
 * @param {string} thing
 * @param {string[]} models
 * @param {import("./board.js").Board} board
 * @param {AbortSignal} signal
 */
export function portraits(thing, models, board, signal) {
  const choose = (what) => board.choose(what);
  return Promise.all(models.map(async (model, i) => {
    try {
      const facts = await factsAbout(model, thing, board, signal);
      return portrait(model, facts, i === 0 || models.length <= UNFOLDED, choose);
    } catch (refusal) {
      return folded(model, "", i === 0, make("p", { class: "refused" }, refusal.message || String(refusal)));
    }
  }));
}

/** The facts in which a mind has a thing, at the moment shown; none of a mind that was not there. */
async function factsAbout(model, thing, board, signal) {
  if (board.moment) return board.isKnown(model) ? factsThen(model, thing, board.at, signal) : [];
  const isKnown = board.isPartial(model)
    || [...board.facts(model)].some((fact) => Object.values(termsOf(fact)).includes(thing));
  return isKnown ? factsNow(model, thing, signal) : [];
}

/** What a mind holds of a thing now: of its classes only the nearest. */
async function factsNow(model, thing, signal) {
  const found = await get(modelPath(model, "about", thing), {}, { signal });
  const nearest = new Set(found.direct_types.map((type) => `${thing} a ${type}`));
  const own = found.as_subject.filter((fact) => termsOf(fact).predicate !== "a" || nearest.has(fact));
  return [...own, ...found.as_object];
}

/** What a mind held of a thing; its classes as far as they were asserted. */
async function factsThen(model, thing, at, signal) {
  const ask = (place) => get(modelPath(model, "facts"), { ...place, at, limit: LISTED }, { signal });
  const found = await Promise.all([ask({ s: thing }), ask({ o: thing })]);
  const kept = found.flatMap(({ facts }) => facts)
    .filter(({ fact, kind }) => termsOf(fact).predicate !== "a" || kind === "asserted");
  return [...new Set(kept.map(({ fact }) => fact))];
}

function portrait(model, facts, isOpen, choose) {
  if (facts.length === 0) return make("p", { class: "portrait none", data: { mind: model } }, `${model}: nothing`);
  const count = facts.length === 1 ? "1 fact" : `${facts.length} facts`;
  const sorted = [...facts].sort((a, b) => placeOf(a) - placeOf(b));
  const rows = sorted.slice(0, MOST_FACTS).map((fact) => make("li", {},
    button(cut(fact, LONGEST), () => choose({ model, fact }), {
      class: "fact", data: { fact }, title: `why ${fact}`,
    })));
  const more = sorted.length - rows.length;
  return folded(model, count, isOpen, make("ul", { class: "facts" }, ...rows),
    more > 0 ? make("p", { class: "none" }, `… and ${more} more`) : null);
}

/** Where a fact stands among others: as on the cards of minds, and what only repeats it last. */
function placeOf(fact) {
  return 1e6 * Number(isForeign(fact)) + 1e3 * groupOf(fact) + rankOf(fact);
}

/** Whether a fact is in the words of another ontology, said already in ours. */
function isForeign(fact) {
  return /(?:^| )cyc:/u.test(fact);
}

function folded(model, count, isOpen, ...content) {
  return make("details", { class: "portrait", open: isOpen, data: { mind: model } },
    make("summary", {}, model, " ", make("span", { class: "hint" }, count)), ...content);
}
