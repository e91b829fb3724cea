/**
 * The story so far: its steps, each a way back to that moment, and its questions with their answers.
 */

/**
 * @param {HTMLElement} element
 * @param {import("./board.js").Board} board
 * @param {{show: (panel: string) => void}} tabs
 */
export function createStory(element, board, tabs) {
  let wasThere = false;

  function draw() {
    const { story } = board;
    element.replaceChildren(...(story ? told(story) : [text("p", "No story is told on this board.", "none")]));
    mark();
    if (story && !wasThere) tabs.show("story");
    wasThere = story !== null;
    element.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }

  /** @param {any} story */
  function told(story) {
    const list = document.createElement("ol");
    list.className = "steps";
    list.append(...story.steps.map((step) => stepOf(step, story)));
    const end = story.over ? [text("p", "The story is over. Drag the line of time to see it again.", "none")] : [];
    return [text("p", story.about ?? "", "about"), list, ...end];
  }

  /** @param {any} step @param {any} story */
  function stepOf(step, story) {
    const item = document.createElement("li");
    item.dataset.step = step.n;
    item.dataset.testid = "story-step";
    const button = text("button", `${step.n}. ${step.title}`, "step");
    button.title = "Show this moment";
    button.onclick = () => board.goTo({ seq: step.seq });
    const questions = (story.questions ?? []).filter((each) => each.n === step.n);
    item.append(button, text("p", step.says), ...questions.map(questionOf));
    return item;
  }

  /** @param {any} question */
  function questionOf({ ask, model, answer, expected, fact, because }) {
    const box = document.createElement("div");
    box.className = "question";
    box.dataset.testid = "story-question";
    const is = saidOf(answer);
    const isRight = is === saidOf(expected);
    const line = document.createElement("p");
    const reply = fact ? text("button", is, "answer") : text("span", is, "answer");
    if (fact) reply.onclick = () => board.choose({ model, fact });
    const verdict = text("span", isRight ? "✓" : `✗ expected ${saidOf(expected)}`, isRight ? "right" : "not-right");
    line.append(text("span", ask), " ", reply, " ", verdict);
    const reasons = document.createElement("ul");
    reasons.append(...(because ?? []).map((each) => text("li", each)));
    box.append(line, reasons);
    return box;
  }

  /** Which step the moment shown belongs to. */
  function mark() {
    const current = stepAt(board);
    for (const item of element.querySelectorAll("[data-step]")) {
      if (Number(/** @type {HTMLElement} */ (item).dataset.step) === current?.n) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
    }
  }

  board.on("story", draw);
  board.on("moment", mark);
  draw();
}

/** The last step that was over at the moment shown; live, the last. @param {import("./board.js").Board} board */
export function stepAt({ story, moment, moments }) {
  if (!story) return null;
  if (!moment) return story.steps.at(-1) ?? null;
  const isOver = ({ seq }) => (moment.seq !== null ? seq <= moment.seq : (moments.timeOf(seq) ?? 0) <= moment.t);
  return story.steps.filter(isOver).at(-1) ?? null;
}

/** @param {any} answer */
function saidOf(answer) {
  const all = Array.isArray(answer) ? answer : [answer];
  return all.length ? all.map((each) => String(each ?? "nothing").replaceAll("_", " ")).join(", ") : "nothing";
}

/** @param {string} tag @param {string} said @param {string} [kind] */
function text(tag, said, kind = "") {
  const element = document.createElement(tag);
  element.textContent = said;
  if (kind) element.className = kind;
  return element;
}
