/** The floor: a grid that fades outwards, at the height of the scene's plane, else at zero. */
import { BufferGeometry, Float32BufferAttribute, LineSegments } from "./vendor/three.module.min.js";

const CELLS = 16; // from the middle to the end
const BELOW = 0.012; // so much of the size of the scene, so that it shines through nothing that lies flat
const SIZES = [0.1, 0.25, 0.5, 1, 2, 5, 10, 50]; // metres of a cell

export function createGrid(materials) {
  const grid = new LineSegments(lines(), materials.grid);
  grid.raycast = () => {};
  grid.renderOrder = -1;
  return {
    object: grid,
    /** Lies under what is there: in whole cells, so that it doesn't swim as things move. */
    lie(center, radius, height) {
      const cell = SIZES.find((size) => size * CELLS >= 2.2 * radius) ?? SIZES.at(-1);
      const snap = (at) => Math.round(at / cell) * cell;
      grid.scale.setScalar(cell);
      grid.position.set(snap(center.x), snap(center.y), height - BELOW * radius);
    },
    dispose() {
      grid.geometry.dispose();
    },
  };
}

function lines() {
  const points = [];
  const colors = [];
  const add = (x, y) => {
    points.push(x, y, 0);
    colors.push(1, 1, 1, Math.max(0, 1 - Math.hypot(x, y) / CELLS));
  };
  for (let at = -CELLS; at <= CELLS; at++) {
    for (let along = -CELLS; along < CELLS; along += 2) {
      add(at, along), add(at, along + 2), add(along, at), add(along + 2, at);
    }
  }
  const made = new BufferGeometry();
  made.setAttribute("position", new Float32BufferAttribute(points, 3));
  return made.setAttribute("color", new Float32BufferAttribute(colors, 4));
}
