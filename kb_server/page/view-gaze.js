/**
 * The field of view of a head: the rim of what it can see, as a cone that fades with distance. The
 * field is a width and a height of angles, so that one wider than half a turn can be drawn too.
 */
import { BufferGeometry, Float32BufferAttribute, Mesh } from "./vendor/three.module.min.js";

const REACH = 0.55; // metres that it is drawn
const STEPS = 10; // of each side of the rim
const NEAR = 0.34; // how much it covers at the eye; nothing where it ends

export function createGaze([across, upright], material) {
  const rim = directions(Math.min(across, 6), Math.min(upright, 3));
  const points = [];
  const colors = [];
  rim.forEach((from, n) => {
    const to = rim[(n + 1) % rim.length];
    points.push(0, 0, 0, ...from, ...to);
    colors.push(1, 1, 1, NEAR, 1, 1, 1, 0, 1, 1, 1, 0);
  });
  const cone = new BufferGeometry();
  cone.setAttribute("position", new Float32BufferAttribute(points, 3));
  cone.setAttribute("color", new Float32BufferAttribute(colors, 4));
  const gaze = new Mesh(cone, material);
  gaze.matrixAutoUpdate = false;
  gaze.renderOrder = 3;
  gaze.raycast = () => {};
  return gaze;
}

/** The rim of a field, along +x with +z up, once around. */
function directions(across, upright) {
  const rim = [];
  const corners = [[-1, -1], [1, -1], [1, 1], [-1, 1]];
  corners.forEach(([y, z], n) => {
    const [nextY, nextZ] = corners[(n + 1) % 4];
    for (let step = 0; step < STEPS; step++) {
      const part = step / STEPS;
      const yaw = ((y + (nextY - y) * part) * across) / 2;
      const pitch = ((z + (nextZ - z) * part) * upright) / 2;
      rim.push([
        REACH * Math.cos(pitch) * Math.cos(yaw),
        REACH * Math.cos(pitch) * Math.sin(yaw),
        REACH * Math.sin(pitch),
      ]);
    }
  });
  return rim;
}
