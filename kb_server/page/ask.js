/**
 * The query box: patterns or SPARQL, put to one mind, at the moment that the page shows.
 *
 * Only the newest question counts: asking again, or cancelling, forgets the one before. When the
 * page goes to another moment, what was asked last is asked again of that moment.
 */

import { drawnAnswer, sizeOf } from "./answers.js";
import { examples } from "./examples.js";
import { momentWords } from "./history.js";
import { button, choice, freshId, make, rechoose, shortened } from "./make.js";
import { ASKED, OBJECTION } from "./sparql.js";
import { createTabs } from "./tabs.js";

const LANGUAGES = [["patterns", "Patterns"], ["sparql", "SPARQL"]];
const HINTS = {
  patterns: "?o isIn ?where\nOne pattern a line, all to hold together;\n?name is a variable, * is anything.",
  sparql: "SELECT ?o ?where { ?o oro:isIn ?where }\nThe mind chosen is the default graph;\nGRAPH model:sally { … } reads another.",
};
const SETTLING = 250;
const MARGIN = 10;

/**
 * Builds the query box into an element.
 * @param {HTMLElement} place
 * @param {object} board the page's state (board.js)
 */
export function createAsk(place, board) {
  return new Ask(place, board);
}

class Ask {
  #board;
  #place;
  #language = "patterns";
  #panes = {};
  #asking = null;
  #asked = null;
  #hasOwnMind = false;
  #soon = 0;
  #isStale = false;
  #offers = "";
  #later = 0;

  constructor(place, board) {
    this.#board = board;
    this.#place = place;
    this.where = choice([], { "data-testid": "ask-model", "aria-label": "in which mind" });
    this.where.addEventListener("change", () => { this.#hasOwnMind = true; this.#offer(); });
    this.run = make("button", { type: "submit", class: "main", "data-testid": "ask-run" }, "Run");
    this.stop = button("Cancel", () => this.#giveUp(), { hidden: true, "data-testid": "ask-cancel" });
    this.refused = make("p", {
      class: "refused", role: "alert", id: freshId("refused"), hidden: true, "data-testid": "ask-error",
    });
    this.caption = make("p", { class: "caption", role: "status", "data-testid": "ask-caption" });
    this.results = make("div", {
      class: "results", role: "region", tabindex: "0", "aria-label": "answer", "data-testid": "ask-results",
    });
    this.offered = make("div", {
      class: "examples", role: "group", "aria-label": "examples", "data-testid": "ask-examples",
    });
    const panes = LANGUAGES.map(([language, name]) => this.#pane(language, name));
    const form = make("form", { class: "question", on: { submit: (event) => this.#submit(event) } },
      ...panes,
      make("div", { class: "row" },
        make("label", {}, "in ", this.where), this.run, this.stop,
        make("span", { class: "hint" }, "Ctrl+Enter")),
      this.offered);
    place.classList.add("tool", "ask");
    const tabs = LANGUAGES.map(([language]) => this.#panes[language].tab);
    const list = make("div", { role: "tablist", "aria-label": "language", class: "languages" }, ...tabs);
    place.replaceChildren(make("div", { class: "sides" },
      make("div", { class: "side asking" }, list, form),
      this.answered = make("div", { class: "side" }, this.refused, this.caption, this.results)));
    createTabs(place);
    this.#follow();
  }

  #pane(language, name) {
    const box = make("textarea", {
      rows: language === "sparql" ? 4 : 3, placeholder: HINTS[language], spellcheck: "false", autocapitalize: "off",
      autocomplete: "off", "aria-label": `${name} to ask`,
      "aria-describedby": this.refused.id, "data-testid": `ask-${language}`,
      on: { keydown: (event) => this.#key(event), input: () => this.#complain(null) },
    });
    const [id, isShown] = [freshId("ask-pane"), language === this.#language];
    const tab = button(name, null, {
      role: "tab", id: freshId("ask-tab"), "aria-controls": id, "aria-selected": String(isShown),
      tabindex: isShown ? 0 : -1, "data-testid": `ask-tab-${language}`,
    });
    tab.addEventListener("click", () => this.#turnTo(language));
    this.#panes[language] = { tab, box, drawn: [], caption: "" };
    return make("div", { role: "tabpanel", id, "aria-labelledby": tab.id, hidden: !isShown }, box);
  }

  #follow() {
    this.#board.on("models", () => this.#minds());
    this.#board.on("mind", () => this.#minds());
    this.#board.on("facts", () => this.#offerSoon());
    this.#board.on("moment", () => this.#again());
    this.#minds();
  }

  /** The minds to ask; the one that the page shows, until another one is picked here. */
  #minds() {
    const models = this.#board.models;
    const chosen = this.#hasOwnMind && models.includes(this.where.value)
      ? this.where.value : this.#board.mind ?? "myself";
    rechoose(this.where, models.map((model) => [model, model]), chosen);
    this.#offer();
  }

  /** Offers anew as facts come, now and then. */
  #offerSoon() {
    if (this.#soon) {
      this.#isStale = true;
      return;
    }
    this.#offer();
    this.#isStale = false;
    this.#soon = setTimeout(() => {
      this.#soon = 0;
      if (this.#isStale) this.#offerSoon();
    }, 4 * SETTLING);
  }

  #offer() {
    const made = examples(this.#board, this.where.value || "myself")[this.#language];
    const offers = JSON.stringify(made);
    if (this.#offers === offers || this.offered.contains(document.activeElement)) return;
    this.#offers = offers;
    const box = this.#panes[this.#language].box;
    this.offered.replaceChildren(...made.map(([words, text]) => button(words, () => {
      box.value = text;
      this.#ask();
    }, { class: "example", title: text })));
  }

  #turnTo(language) {
    if (language === this.#language) return;
    this.#cancel();
    this.#language = language;
    this.#offer();
    this.#complain(null);
    this.#show();
  }

  #key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this.#ask();
    }
    if (event.key === "Escape" && this.#asking) this.#giveUp();
  }

  #submit(event) {
    event.preventDefault();
    this.#ask();
  }

  #ask() {
    const text = this.#panes[this.#language].box.value;
    const objection = OBJECTION[this.#language](text);
    this.#cancel();
    if (objection) {
      this.#asked = null;
      this.#say("");
      this.#complain(objection);
      return;
    }
    this.#asked = { language: this.#language, text, model: this.where.value || "myself" };
    this.#put(this.#asked).then(() => this.#bringUp());
  }

  /** Scrolls the panel to where the answer begins. */
  #bringUp() {
    const top = (element) => element.getBoundingClientRect().top;
    this.#place.scrollTop += top(this.answered) - top(this.#place) - MARGIN;
  }

  /** Puts a question; of two that overlap, only the newer one's answer is shown. */
  async #put({ language, text, model }) {
    const asking = this.#begin();
    const { at, moment } = this.#board;
    const began = performance.now();
    try {
      const where = { model, at, signal: asking.signal };
      const answer = await ASKED[language](text, where);
      if (this.#asking !== asking) return;
      const when = moment ? `as of ${momentWords(moment)}` : "now";
      const took = `${Math.max(1, Math.round(performance.now() - began))} ms`;
      const drawn = drawnAnswer(answer, (what) => this.#board.choose({ model, ...what }));
      this.#say([model, when, sizeOf(answer), took].filter(Boolean).join(" · "), drawn);
    } catch (refusal) {
      if (this.#asking !== asking) return;
      this.#say("");
      this.#complain(refusal.message || String(refusal), refusal.code);
    } finally {
      if (this.#asking === asking) this.#end();
    }
  }

  #begin() {
    this.#cancel();
    this.#asking = new AbortController();
    this.stop.hidden = false;
    this.results.setAttribute("aria-busy", "true");
    this.#complain(null);
    return this.#asking;
  }

  #end() {
    this.#asking = null;
    this.stop.hidden = true;
    this.results.removeAttribute("aria-busy");
  }

  #cancel() {
    clearTimeout(this.#later);
    this.#asking?.abort();
    if (this.#asking) this.#end();
  }

  #giveUp() {
    this.#cancel();
    this.#asked = null;
    this.#say("cancelled");
  }

  #again() {
    clearTimeout(this.#later);
    if (!this.#asked || this.#asked.language !== this.#language) return;
    const asked = this.#asked;
    this.#later = setTimeout(() => this.#put(asked), SETTLING);
  }

  #say(caption, drawn = null) {
    const pane = this.#panes[this.#language];
    pane.caption = caption;
    pane.drawn = drawn ? [drawn] : [];
    this.#show();
  }

  #show() {
    const pane = this.#panes[this.#language];
    this.caption.textContent = pane.caption;
    this.results.replaceChildren(...pane.drawn);
  }

  #complain(message, code = "") {
    const { box } = this.#panes[this.#language];
    this.refused.hidden = message === null;
    box.setAttribute("aria-invalid", String(message !== null));
    if (message === null) this.refused.replaceChildren();
    else this.refused.replaceChildren(shortened(message, 240), code ? make("code", {}, code) : "");
  }
}
