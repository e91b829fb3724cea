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
  _board;
  _place;
  _language = "patterns";
  _panes = {};
  _asking = null;
  _asked = null;
  _hasOwnMind = false;
  _soon = 0;
  _isStale = false;
  _offers = "";
  _later = 0;

  constructor(place, board) {
    this._board = board;
    this._place = place;
    this.where = choice([], { "data-testid": "ask-model", "aria-label": "in which mind" });
    this.where.addEventListener("change", () => { this._hasOwnMind = true; this._offer(); });
    this.run = make("button", { type: "submit", class: "main", "data-testid": "ask-run" }, "Run");
    this.stop = button("Cancel", () => this._giveUp(), { hidden: true, "data-testid": "ask-cancel" });
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
    const panes = LANGUAGES.map(([language, name]) => this._pane(language, name));
    const form = make("form", { class: "question", on: { submit: (event) => this._submit(event) } },
      ...panes,
      make("div", { class: "row" },
        make("label", {}, "in ", this.where), this.run, this.stop,
        make("span", { class: "hint" }, "Ctrl+Enter")),
      this.offered);
    place.classList.add("tool", "ask");
    const tabs = LANGUAGES.map(([language]) => this._panes[language].tab);
    const list = make("div", { role: "tablist", "aria-label": "language", class: "languages" }, ...tabs);
    place.replaceChildren(make("div", { class: "sides" },
      make("div", { class: "side asking" }, list, form),
      this.answered = make("div", { class: "side" }, this.refused, this.caption, this.results)));
    createTabs(place);
    this._follow();
  }

  _pane(language, name) {
    const box = make("textarea", {
      rows: language === "sparql" ? 4 : 3, placeholder: HINTS[language], spellcheck: "false", autocapitalize: "off",
      autocomplete: "off", "aria-label": `${name} to ask`,
      "aria-describedby": this.refused.id, "data-testid": `ask-${language}`,
      on: { keydown: (event) => this._key(event), input: () => this._complain(null) },
    });
    const [id, isShown] = [freshId("ask-pane"), language === this._language];
    const tab = button(name, null, {
      role: "tab", id: freshId("ask-tab"), "aria-controls": id, "aria-selected": String(isShown),
      tabindex: isShown ? 0 : -1, "data-testid": `ask-tab-${language}`,
    });
    tab.addEventListener("click", () => this._turnTo(language));
    this._panes[language] = { tab, box, drawn: [], caption: "" };
    return make("div", { role: "tabpanel", id, "aria-labelledby": tab.id, hidden: !isShown }, box);
  }

  _follow() {
    this._board.on("models", () => this._minds());
    this._board.on("mind", () => this._minds());
    this._board.on("facts", () => this._offerSoon());
    this._board.on("moment", () => this._again());
    this._minds();
  }

  /** The minds to ask; the one that the page shows, until another one is picked here. */
  _minds() {
    const models = this._board.models;
    const chosen = this._hasOwnMind && models.includes(this.where.value)
      ? this.where.value : this._board.mind ?? "myself";
    rechoose(this.where, models.map((model) => [model, model]), chosen);
    this._offer();
  }

  /** Offers anew as facts come, now and then. */
  _offerSoon() {
    if (this._soon) {
      this._isStale = true;
      return;
    }
    this._offer();
    this._isStale = false;
    this._soon = setTimeout(() => {
      this._soon = 0;
      if (this._isStale) this._offerSoon();
    }, 4 * SETTLING);
  }

  _offer() {
    const made = examples(this._board, this.where.value || "myself")[this._language];
    const offers = JSON.stringify(made);
    if (this._offers === offers || this.offered.contains(document.activeElement)) return;
    this._offers = offers;
    const box = this._panes[this._language].box;
    this.offered.replaceChildren(...made.map(([words, text]) => button(words, () => {
      box.value = text;
      this._ask();
    }, { class: "example", title: text })));
  }

  _turnTo(language) {
    if (language === this._language) return;
    this._cancel();
    this._language = language;
    this._offer();
    this._complain(null);
    this._show();
  }

  _key(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      this._ask();
    }
    if (event.key === "Escape" && this._asking) this._giveUp();
  }

  _submit(event) {
    event.preventDefault();
    this._ask();
  }

  _ask() {
    const text = this._panes[this._language].box.value;
    const objection = OBJECTION[this._language](text);
    this._cancel();
    if (objection) {
      this._asked = null;
      this._say("");
      this._complain(objection);
      return;
    }
    this._asked = { language: this._language, text, model: this.where.value || "myself" };
    this._put(this._asked).then(() => this._bringUp());
  }

  /** Scrolls the panel to where the answer begins. */
  _bringUp() {
    const top = (element) => element.getBoundingClientRect().top;
    this._place.scrollTop += top(this.answered) - top(this._place) - MARGIN;
  }

  /** Puts a question; of two that overlap, only the newer one's answer is shown. */
  async _put({ language, text, model }) {
    const asking = this._begin();
    const { at, moment } = this._board;
    const began = performance.now();
    try {
      const where = { model, at, signal: asking.signal };
      const answer = await ASKED[language](text, where);
      if (this._asking !== asking) return;
      const when = moment ? `as of ${momentWords(moment)}` : "now";
      const took = `${Math.max(1, Math.round(performance.now() - began))} ms`;
      const drawn = drawnAnswer(answer, (what) => this._board.choose({ model, ...what }));
      this._say([model, when, sizeOf(answer), took].filter(Boolean).join(" · "), drawn);
    } catch (refusal) {
      if (this._asking !== asking) return;
      this._say("");
      this._complain(refusal.message || String(refusal), refusal.code);
    } finally {
      if (this._asking === asking) this._end();
    }
  }

  _begin() {
    this._cancel();
    this._asking = new AbortController();
    this.stop.hidden = false;
    this.results.setAttribute("aria-busy", "true");
    this._complain(null);
    return this._asking;
  }

  _end() {
    this._asking = null;
    this.stop.hidden = true;
    this.results.removeAttribute("aria-busy");
  }

  _cancel() {
    clearTimeout(this._later);
    this._asking?.abort();
    if (this._asking) this._end();
  }

  _giveUp() {
    this._cancel();
    this._asked = null;
    this._say("cancelled");
  }

  _again() {
    clearTimeout(this._later);
    if (!this._asked || this._asked.language !== this._language) return;
    const asked = this._asked;
    this._later = setTimeout(() => this._put(asked), SETTLING);
  }

  _say(caption, drawn = null) {
    const pane = this._panes[this._language];
    pane.caption = caption;
    pane.drawn = drawn ? [drawn] : [];
    this._show();
  }

  _show() {
    const pane = this._panes[this._language];
    this.caption.textContent = pane.caption;
    this.results.replaceChildren(...pane.drawn);
  }

  _complain(message, code = "") {
    const { box } = this._panes[this._language];
    this.refused.hidden = message === null;
    box.setAttribute("aria-invalid", String(message !== null));
    if (message === null) this.refused.replaceChildren();
    else this.refused.replaceChildren(shortened(message, 240), code ? make("code", {}, code) : "");
  }
}
