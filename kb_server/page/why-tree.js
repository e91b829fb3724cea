/**
 * Why a fact holds, as a tree to fold: each fact with its kind, and the ways in which it follows,
 * with their premises. What lies deep is made when it is first unfolded.
 */

import { button, make } from "./make.js";

const UNFOLDED = 2;
const KINDS = { asserted: "asserted", inferred: "inferred", common_sense: "common sense" };
const KIND_MEANS = {
  asserted: "said or perceived, as it stands",
  inferred: "follows from other facts",
  common_sense: "stands in the ontology that all minds share",
};
const RULES = {
  "prp-spo1": "a more general property",
  "prp-spo2": "a chain of properties",
  "prp-inv1": "the property the other way round",
  "prp-inv2": "the property the other way round",
  "prp-symp": "a symmetric property",
  "prp-trp": "a transitive property",
  "prp-dom": "what has this property is such a thing",
  "prp-rng": "what this property leads to is such a thing",
  "prp-fp": "a functional property has one value",
  "prp-ifp": "only one thing has this value",
  "prp-eqp1": "properties that mean the same",
  "prp-eqp2": "properties that mean the same",
  "prp-key": "the same key, the same thing",
  "cax-sco": "a more general class",
  "cax-eqc1": "classes that mean the same",
  "cax-eqc2": "classes that mean the same",
  "cls-int1": "all that the class asks for",
  "cls-int2": "what the class asks for",
  "cls-uni": "one of several classes",
  "cls-svf1": "has a value of such a class",
  "cls-svf2": "has a value",
  "cls-avf": "all its values are of such a class",
  "cls-hv1": "what is in the class has this value",
  "cls-hv2": "what has this value is in the class",
  "cls-oo": "named as a member",
  "eq-sym": "the same thing",
  "eq-trans": "the same thing",
  "eq-rep-s": "the same thing by another name",
  "eq-rep-p": "the same property by another name",
  "eq-rep-o": "the same thing by another name",
};

/**
 * The tree of an explanation, `{fact, kind, because: [{rule, premises}]}`.
 * @param {object} proof
 * @param {(fact: string) => void} choose hears of a fact that is clicked
 */
export function whyTree(proof, choose) {
  return make("ul", { class: "why-tree", "data-testid": "why-tree" }, node(proof, choose, 0));
}

/** The mark of a kind of fact. */
export function kindMark(kind) {
  return make("span", { class: "kind", data: { kind }, title: KIND_MEANS[kind] }, KINDS[kind] ?? kind);
}

function node(proof, choose, depth) {
  const { fact, kind, because } = proof;
  const name = depth === 0 ? make("strong", { class: "fact" }, fact)
    : button(fact, () => choose(fact), { class: "fact", title: `why ${fact}` });
  const item = make("li", { data: { fact } }, make("span", { class: "line" }, name, " ", kindMark(kind)));
  because.forEach((way, i) => item.append(wayOf(way, i, because.length, choose, depth)));
  return item;
}

function wayOf({ rule, premises }, i, all, choose, depth) {
  const means = RULES[rule] ?? "";
  const title = make("summary", {}, all > 1 ? `because, way ${i + 1} of ${all}: ` : "because: ",
    means ? `${means} ` : "", make("code", {}, rule));
  const folded = make("details", { class: "way" }, title);
  const unfold = () => {
    if (folded.open && !folded.querySelector("ul")) {
      folded.append(make("ul", {}, ...premises.map((each) => node(each, choose, depth + 1))));
    }
  };
  folded.addEventListener("toggle", unfold);
  folded.open = depth < UNFOLDED && (i === 0 || depth === 0);
  unfold();
  return folded;
}
