/**
 * The materials of the scene, each made once and shared. `refresh()` gives them the page's colours
 * anew; those of things keep theirs.
 */
import {
  BackSide, DoubleSide, LineBasicMaterial, LineDashedMaterial, MeshBasicMaterial,
  MeshLambertMaterial,
} from "./vendor/three.module.min.js";

const MOST = 200; // colours of things kept at once

const faint = (opacity) =>
  new MeshBasicMaterial({ transparent: true, opacity, depthWrite: false });
const hull = () => new MeshBasicMaterial({ side: BackSide });
const dashes = (size) =>
  new LineDashedMaterial({ dashSize: size, gapSize: size * 0.8, transparent: true });
/** Drawn over whatever stands before it. */
function over(opacity, material = faint(opacity)) {
  material.depthTest = false;
  return material;
}

export function createMaterials(colors) {
  const solids = new Map();
  const gazes = new Map();
  const bodies = new Map();
  const materials = {
    edge: new LineBasicMaterial({ transparent: true, opacity: 0.35 }),
    wrongHull: hull(),
    chosenHull: hull(),
    arm: new MeshLambertMaterial({ transparent: true, opacity: 0.85 }),
    mark: new MeshBasicMaterial({ depthTest: false, transparent: true }),
    inside: { fill: over(0.6), edge: over(1, dashes(0.012)) }, // a ghost in a container
    ghost: { fill: faint(0.18), edge: dashes(0.025) },
    lost: { fill: faint(0.1), edge: dashes(0.012) },
    grid: new LineBasicMaterial({ transparent: true, opacity: 0.55, vertexColors: true }),

    /** What is solid, in a colour as CSS says it; `cover` is less than 1 for glass. */
    solid(color, { cover = 1, isPainted = false } = {}) {
      const key = `${color}|${cover}|${isPainted}`;
      if (!solids.has(key) && solids.size >= MOST) drop(solids);
      if (!solids.has(key)) solids.set(key, solid(color, cover, isPainted));
      return solids.get(key);
    },

    /** What the shoulders of an agent are drawn with, by the colour of the agent. */
    body(color) {
      const key = color.getHexString();
      if (!bodies.has(key) && bodies.size >= MOST) drop(bodies);
      if (!bodies.has(key)) bodies.set(key, body(color));
      return bodies.get(key);
    },

    /** What the field of view of an agent is drawn with, by the colour of the agent. */
    gaze(color) {
      const key = color.getHexString();
      if (!gazes.has(key) && gazes.size >= MOST) drop(gazes);
      if (!gazes.has(key)) gazes.set(key, gaze(color));
      return gazes.get(key);
    },

    refresh() {
      materials.edge.color.copy(colors.ink);
      materials.wrongHull.color.copy(colors.wrong);
      materials.chosenHull.color.copy(colors.accent);
      materials.mark.color.copy(colors.wrong);
      for (const part of ["fill", "edge"]) {
        materials.inside[part].color.copy(colors.ink);
        materials.ghost[part].color.copy(colors.ghost);
        materials.lost[part].color.copy(colors.faint);
      }
      materials.grid.color.copy(colors.line);
    },
  };
  materials.refresh();
  return materials;
}

/** Forgets the oldest; whoever still draws with it goes on doing so. */
function drop(kept) {
  const [oldest, material] = kept.entries().next().value;
  kept.delete(oldest);
  material.dispose();
}

function solid(color, cover, isPainted) {
  return new MeshLambertMaterial({
    color, vertexColors: isPainted,
    transparent: cover < 1, opacity: cover,
    depthWrite: cover === 1,
    polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1,
  });
}

function body(color) {
  return new MeshLambertMaterial({ color, vertexColors: true, transparent: true, depthWrite: false });
}

function gaze(color) {
  return new MeshBasicMaterial({
    color, vertexColors: true, transparent: true, depthWrite: false, side: DoubleSide,
  });
}
