/**
 * The names of things, as text over the picture: each near its thing, moved aside or left out where
 * it would lie on another. They are buttons, so that a thing can be chosen by its name.
 */
import { Vector3 } from "./vendor/three.module.min.js";

const FONT = "12px system-ui, sans-serif";
const HEIGHT = 18;
const PADDING = 12; // both sides of a label together
const PLACES = [
  [0, -1], [0, 1.4], [0.62, 0.2], [-0.62, 0.2], [0, -2.1], [0.62, -1], [-0.62, -1],
  [0.62, 1.4], [-0.62, 1.4], [0.62, -2.1], [-0.62, -2.1], [0, -3.2], [0, 2.6],
];
const HEART = 14; // pixels about the middle of a thing that no name should cover
const RANK = { wrong: 0, ghost: 1, lost: 2, solid: 3 };
const LEGEND = [34, 20]; // pixels from below, where the legend lies
const MOST = 80;

const measure = document.createElement("canvas").getContext("2d");

/** What a figure takes of the picture, as far as its name goes: its middle and its upper end. */
const outline = {
  across: 0,
  top: 0,
  depth: 0,
  measure(figure, camera) {
    outline.camera = camera;
    outline.top = -Infinity;
    figure.corners(outline.reach);
    point.setFromMatrixPosition(figure.group.matrix).project(camera);
    outline.across = point.x;
    outline.depth = Math.abs(point.z);
    outline.top = Math.max(outline.top, point.y);
  },
  reach: (corner) => {
    corner.project(outline.camera);
    if (Math.abs(corner.z) < 1) outline.top = Math.max(outline.top, corner.y);
  },
};
const point = new Vector3();

export function createLabels(layer, chosen) {
  const labels = new Map();
  let order = [];
  const taken = [];
  const hearts = []; // pairs of x and y
  let stamp = 0;
  let roof = 0;

  layer.addEventListener("click", (event) => {
    const name = event.target.closest("[data-thing]")?.dataset.thing;
    if (name) chosen(name);
  });

  function write(label, text, as) {
    if (label.text !== text) {
      label.text = text;
      label.element.textContent = text;
      measure.font = FONT;
      label.width = measure.measureText(text).width + PADDING;
    }
    if (label.as !== as) {
      label.as = as;
      label.element.dataset.as = as;
    }
  }

  function make(key, name) {
    const element = document.createElement("button");
    element.type = "button";
    element.tabIndex = -1;
    element.className = "view-label";
    element.dataset.thing = name;
    layer.append(element);
    const label = { element, figure: null, text: "", as: "", width: 0, x: NaN, y: NaN, isShown: true };
    labels.set(key, label);
    return label;
  }

  return {
    begin() {
      stamp += 1;
    },
    /** Names a figure; `weight` says who gives way: the heavier of those drawn alike. */
    tell(key, figure, text, weight) {
      if (!labels.has(key) && labels.size >= MOST) return;
      const { as, isChosen, look } = figure;
      const label = labels.get(key) ?? make(key, look.name);
      label.stamp = stamp;
      label.figure = figure;
      label.weight = isChosen ? -1 : RANK[as] + weight;
      if (label.isChosen !== isChosen) label.element.classList.toggle("chosen", isChosen);
      label.isChosen = isChosen;
      write(label, text, as);
    },
    end() {
      for (const [key, label] of labels) {
        if (label.stamp === stamp) continue;
        label.element.remove();
        labels.delete(key);
      }
      order = [...labels.values()].sort((a, b) => a.weight - b.weight);
    },
    /** Lays them over the picture of a camera, so large, but not on what else covers it. */
    lay(camera, width, height, covers) {
      taken.length = 0;
      roof = covers.top;
      for (const up of LEGEND) if (covers.left > 0) taken.push({ left: 0, top: height - up, width: covers.left });
      keepHearts(camera, width, height);
      for (const label of order) {
        outline.measure(label.figure, camera);
        const x = ((outline.across + 1) / 2) * width;
        const y = ((1 - outline.top) / 2) * height;
        const isIn = outline.depth < 1 && x > -20 && x < width + 20 && y > -60 && y < height + 10;
        show(label, isIn ? free(label, x, y, width, height) : null);
      }
    },
    dispose() {
      layer.replaceChildren();
      labels.clear();
    },
  };

  /** Where the middles are of what is looked for: things that can be moved. */
  function keepHearts(camera, width, height) {
    hearts.length = 0;
    for (const { figure } of order) {
      if (figure.look.kind !== "thing" || figure.look.static) continue;
      figure.middle(point).project(camera);
      if (Math.abs(point.z) < 1) hearts.push(((point.x + 1) / 2) * width, ((1 - point.y) / 2) * height);
    }
  }

  function isOnHeart(left, top, width) {
    for (let n = 0; n < hearts.length; n += 2) {
      const [x, y] = [hearts[n], hearts[n + 1]];
      if (x > left && x < left + width && Math.abs(y - top - HEIGHT / 2) < HEART) return true;
    }
    return false;
  }

  /** A free place near a point, not on a thing if that can be; the important stand even where none is. */
  function free(label, x, y, width, height) {
    let second = null;
    for (const place of PLACES) {
      const left = within(x - label.width / 2 + place[0] * (label.width + 12), width - label.width);
      const top = within(y + (place[1] - 0.35) * HEIGHT, height - HEIGHT, roof);
      if (taken.some((box) => lapped(box, left, top, label.width))) continue;
      if (!isOnHeart(left, top, label.width)) return take(left, top, label.width);
      second ??= { left, top };
    }
    if (second) return take(second.left, second.top, label.width);
    if (label.weight >= 1) return null;
    return take(within(x - label.width / 2, width - label.width), within(y - 1.35 * HEIGHT, height - HEIGHT, roof), label.width);
  }

  function take(left, top, width) {
    const box = { left, top, width };
    taken.push(box);
    return box;
  }
}

function within(at, most, least = 2) {
  return Math.max(least, Math.min(at, most - 2));
}

function lapped(box, left, top, width) {
  return (
    left < box.left + box.width + 2 && box.left < left + width + 2 && Math.abs(top - box.top) < HEIGHT + 1
  );
}

/** Touches the page only for what is to be seen of it. */
function show(label, spot) {
  const isShown = spot !== null;
  if (isShown !== label.isShown) {
    label.isShown = isShown;
    label.element.style.visibility = isShown ? "" : "hidden";
  }
  if (!isShown) return;
  const [x, y] = [Math.round(spot.left), Math.round(spot.top)];
  if (x === label.x && y === label.y) return;
  label.x = x;
  label.y = y;
  label.element.style.transform = `translate(${x}px, ${y}px)`;
}
