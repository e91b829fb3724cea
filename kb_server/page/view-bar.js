/**
 * What stands over the picture: whose mind it shows, the switch to its eyes, the way back to the
 * whole scene, what the ways of drawing mean, and a word when there is nothing to see.
 */

const MEANINGS = [
  ["solid", "believed"],
  ["wrong", "believed, wrongly"],
  ["ghost", "only really there"],
  ["lost", "last seen"],
];

function make(tag, properties, ...children) {
  const { dataset, ...others } = properties;
  const made = Object.assign(document.createElement(tag), others);
  Object.assign(made.dataset, dataset);
  made.append(...children);
  return made;
}

/** @param does `{mind(model), eyes(isOn), whole()}`: what people ask for */
export function createBar(element, does) {
  const choice = make("select", { className: "view-mind", dataset: { testid: "mind-choice" } });
  const eyes = make("button", { type: "button", className: "view-eyes", dataset: { testid: "eyes" } });
  const whole = make("button", {
    type: "button", className: "view-whole", textContent: "Whole scene",
    title: "Frame the whole scene again (0)", dataset: { testid: "whole-scene" },
  });
  const label = make("label", {}, "The world as ", choice, " has it");
  const bar = make("div", { className: "view-bar" }, label, eyes, whole);
  const hint = make("p", { className: "view-hint", hidden: true, dataset: { testid: "view-hint" } });
  const legend = make("ul", { className: "view-legend", dataset: { testid: "view-legend" } });
  const chips = MEANINGS.map(([as, text]) => make("li", { textContent: text, dataset: { as }, hidden: true }));
  const field = make("div", { className: "view-field", hidden: true });
  legend.append(...chips);
  element.append(field, bar, legend, hint);

  const covers = { top: 44, left: 0 };
  const sizes = new ResizeObserver(() => {
    covers.top = bar.offsetTop + bar.offsetHeight + 4;
    covers.left = legend.offsetWidth > 0 ? legend.offsetLeft + legend.offsetWidth : 0;
  });
  sizes.observe(bar);
  sizes.observe(legend);

  choice.addEventListener("change", () => does.mind(choice.value));
  eyes.addEventListener("click", () => does.eyes(eyes.getAttribute("aria-pressed") !== "true"));
  whole.addEventListener("click", () => does.whole());

  return {
    /** Pixels of the picture that it covers: from the top, and at the bottom from the left. */
    covers,
    /** The minds to choose from, and the one that is shown. */
    minds(models, mind) {
      const known = [...choice.options].map((option) => option.value);
      if (known.join() !== models.join()) choice.replaceChildren(...models.map(option));
      choice.value = mind;
    },
    /** Whether eyes are looked through, whose, and whether they can be. */
    eyes(isOn, agent, isKnown) {
      eyes.setAttribute("aria-pressed", String(isOn));
      eyes.textContent = `Through ${agent === "myself" ? "the robot" : agent}’s eyes`;
      eyes.disabled = !isKnown && !isOn;
      eyes.title = isKnown ? "" : "Where this head is, is not known";
      whole.hidden = isOn;
    },
    /** What of it all is in the picture, by the ways of drawing. */
    legend(counts) {
      const others = counts.wrong + counts.ghost + counts.lost > 0;
      for (const chip of chips) chip.hidden = !others || counts[chip.dataset.as] === 0;
    },
    /** The part of the picture that a field of view takes; null: there is none. */
    field(part) {
      field.hidden = part === null;
      if (!part) return;
      field.style.width = `${100 * part.width}%`;
      field.style.height = `${100 * part.height}%`;
    },
    hint(text) {
      if (hint.textContent !== text) hint.textContent = text;
      hint.hidden = text === "";
    },
    dispose() {
      sizes.disconnect();
      for (const each of [bar, hint, legend, field]) each.remove();
    },
  };
}

function option(model) {
  const text = model === "myself" ? "myself (the robot)" : model.split(".").join(" → ");
  return make("option", { value: model, textContent: text });
}
