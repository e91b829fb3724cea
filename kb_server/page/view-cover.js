/**
 * What stands in the way of seeing what: the boxes around the parts of opaque things, and rays to
 * points of others. It looks at the figures as they stood when they were last gathered.
 */
import { Matrix4, Vector3 } from "./vendor/three.module.min.js";

const MOST = 64; // boxes
const MOVABLE = 0.85; // how much what might move away weighs against what stays
const INNER = 0.85; // of a box: its points that what it touches doesn't cover
const SKIN = 1e-4; // of the way from a point, so that touching is not covering

export function createCover() {
  const spare = [];
  const boxes = [];

  function add(figure) {
    for (const { place, made } of figure.parts) {
      if (boxes.length >= MOST) return;
      const box = (spare[boxes.length] ??= { figure: null, bounds: null, inverse: new Matrix4() });
      box.figure = figure;
      box.bounds = made.bounds;
      box.inverse.multiplyMatrices(figure.group.matrix, place).invert();
      boxes.push(box);
    }
  }

  /** How much stands between `point` and an eye: 1 what is fixed, less what might move away. */
  function between(figure, eye) {
    let most = 0;
    for (const box of boxes) {
      const weight = box.figure.look.static ? 1 : MOVABLE;
      if (box.figure !== figure && weight > most && crosses(box, eye)) most = weight;
    }
    return most;
  }

  return {
    /** Takes down what covers others. */
    gather(figures) {
      boxes.length = 0;
      for (const figure of figures) if (isOpaque(figure)) add(figure);
    },
    /** How much of a figure is covered from an eye: from 0 to 1, less by what might move away. */
    hides(figure, eye) {
      let covered = 0;
      for (let n = 0; n <= 8; n++) covered += (sample(figure, n), between(figure, eye));
      return covered / 9;
    },
    /** Whether nothing of a figure is seen from an eye. */
    isHidden(figure, eye) {
      for (let n = 0; n <= 8; n++) if (sample(figure, n), between(figure, eye) === 0) return false;
      return true;
    },
  };
}

const [point, from, along] = [new Vector3(), new Vector3(), new Vector3()];

function isOpaque({ look, as, group, pose }) {
  if (look.kind === "hand" || !group.visible || pose === null) return false;
  return look.transparent !== true && !look.shape?.bin && as !== "ghost" && as !== "lost";
}

/** The middle of what a figure fills, or near a corner of it, into `point`. */
function sample({ bounds, group }, n) {
  const { min, max } = bounds;
  point.addVectors(min, max).multiplyScalar(0.5);
  if (n < 8) {
    const half = INNER / 2;
    point.x += (max.x - min.x) * (n & 1 ? half : -half);
    point.y += (max.y - min.y) * (n & 2 ? half : -half);
    point.z += (max.z - min.z) * (n & 4 ? half : -half);
  }
  point.applyMatrix4(group.matrix);
}

/** Whether the way from `point` to an eye goes through a box. */
function crosses({ bounds: { min, max }, inverse }, eye) {
  from.copy(point).applyMatrix4(inverse);
  along.copy(eye).applyMatrix4(inverse).sub(from);
  let [enter, leave] = [SKIN, 1];
  for (let axis = 0; axis < 3; axis++) {
    const [at, step] = [from.getComponent(axis), along.getComponent(axis)];
    const [low, high] = [min.getComponent(axis), max.getComponent(axis)];
    if (Math.abs(step) < 1e-12) {
      if (at < low || at > high) return false;
      continue;
    }
    const [a, b] = [(low - at) / step, (high - at) / step];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
    if (enter >= leave) return false;
  }
  return true;
}
