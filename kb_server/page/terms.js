/**
 * Terms and statements as the board writes them: taken apart, put together, and SPARQL's answers
 * written in the same short names.
 */

const TERM = /<[^>]*>|"(?:[^"\\]|\\.)*"(?:@[\w-]+|\^\^(?:<[^>]*>|[^\s"]+))?|[^\s"]+/gsu;
const NAME = /^[A-Za-z_][A-Za-z0-9_-]*$/u;
const THING = /^(?:<|_:|[A-Za-z_][A-Za-z0-9_-]*(?::|$))/u;
const XSD = "http://www.w3.org/2001/XMLSchema#";
const LONGEST_STARTS_FIRST = [
  ["model:", "http://kb.openrobots.org/model/"],
  ["", "http://kb.openrobots.org#"],
  ["cyc:", "http://sw.opencyc.org/concept/"],
  ["rdf:", "http://www.w3.org/1999/02/22-rdf-syntax-ns#"],
  ["rdfs:", "http://www.w3.org/2000/01/rdf-schema#"],
  ["owl:", "http://www.w3.org/2002/07/owl#"],
  ["swrl:", "http://www.w3.org/2003/11/swrl#"],
  ["xsd:", XSD],
];
const PLAIN = {
  [`${XSD}integer`]: /^[+-]?\d+$/u,
  [`${XSD}decimal`]: /^[+-]?\d*\.\d+$/u,
  [`${XSD}double`]: /^[+-]?(?:\d+\.?\d*|\.\d+)[eE][+-]?\d+$/u,
  [`${XSD}boolean`]: /^(?:true|false)$/u,
};

/**
 * The terms of a fact as the board writes it: only its object can have spaces in it.
 * @param {string} fact
 * @returns {{subject: string, predicate: string, object: string}}
 */
export function termsOf(fact) {
  const first = fact.indexOf(" ");
  const second = fact.indexOf(" ", first + 1);
  return { subject: fact.slice(0, first), predicate: fact.slice(first + 1, second), object: fact.slice(second + 1) };
}

/** A fact of three terms. A value stands alone, so it names the type; a fact says `a`. */
export function factOf(s, p, o) {
  return `${s} ${p === "rdf:type" ? "a" : p} ${o}`;
}

/** The agent whose mind a model is: `sally` of `anne.sally`. @param {string} model */
export function ownerOf(model) {
  return model.slice(model.lastIndexOf(".") + 1);
}

/** The terms of a pattern, as people write it. */
function termsIn(pattern) {
  return pattern.match(TERM) ?? [];
}

/** Whether a term names something that facts are about: no number, text, truth or model. */
export function isThing(term) {
  return THING.test(term) && !/^(?:true|false|model:.*)$/u.test(term);
}

/** The variables of some patterns, in the order in which they come, without their marks. */
export function variablesOf(patterns) {
  const terms = patterns.flatMap(termsIn).filter((term) => term.startsWith("?"));
  return [...new Set(terms.map((term) => term.slice(1)))];
}

/** The facts that one answer stands for; none of a pattern with a nameless variable. */
export function factsFrom(patterns, bindings) {
  return patterns
    .map((pattern) => termsIn(pattern).map((term) => boundTerm(term, bindings)))
    .filter((terms) => terms.length === 3 && terms.every((term) => term !== undefined))
    .map(([s, p, o]) => factOf(s, p, o));
}

function boundTerm(term, bindings) {
  if (term === "*") return undefined;
  return term.startsWith("?") ? bindings[term.slice(1)] : term;
}

/** The lines of a text box that say something: one pattern each. */
export function patternsIn(text) {
  return text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
}

/** An IRI by its short name, where it has one. */
function shortName(iri) {
  for (const [prefix, start] of LONGEST_STARTS_FIRST) {
    const rest = iri.slice(start.length);
    if (iri.startsWith(start) && (NAME.test(rest) || (prefix === "model:" && rest !== ""))) {
      return prefix + rest;
    }
  }
  return `<${iri}>`;
}

/** A graph in Turtle whose names are written out, with the prefixes that all know. */
export function readableTurtle(text) {
  const used = new Set();
  const body = text.replace(/"(?:[^"\\]|\\.)*"|<[^<>\s]*>/gu, (token) => {
    const short = token.startsWith("<") ? shortName(token.slice(1, -1)) : token;
    if (short.startsWith("<") || short.startsWith('"') || short.startsWith("model:")) return token;
    const name = short.includes(":") ? short : `oro:${short}`;
    used.add(name.slice(0, name.indexOf(":") + 1));
    return name;
  });
  const starts = LONGEST_STARTS_FIRST.map(([prefix, start]) => [prefix || "oro:", start]);
  const lines = starts.filter(([prefix]) => used.has(prefix)).map(([prefix, start]) => `@prefix ${prefix} <${start}> .\n`);
  return lines.length ? `${lines.join("")}\n${body}` : body;
}

const WRITTEN = {
  uri: (term) => shortName(term.value),
  bnode: (term) => `_:${term.value}`,
  literal: writtenLiteral,
  "typed-literal": writtenLiteral,
  triple: ({ value }) => {
    const parts = [value.subject, value.predicate, value.object].map(writtenTerm);
    return `<< ${parts.join(" ")} >>`;
  },
};

/** A term of a SPARQL answer in JSON, written as the board would. */
export function writtenTerm(term) {
  return (WRITTEN[term.type] ?? ((other) => JSON.stringify(other)))(term);
}

function writtenLiteral(term) {
  const kind = term.datatype;
  if (kind && PLAIN[kind]?.test(term.value)) return term.value;
  const text = JSON.stringify(term.value);
  if (term["xml:lang"]) return `${text}@${term["xml:lang"]}`;
  return kind && kind !== `${XSD}string` ? `${text}^^${shortName(kind)}` : text;
}
