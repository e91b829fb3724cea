/**
 * Shapes as they are staged, made into geometry: each that is alike is made once, is shared by all
 * that have it, and is disposed of when the last of them goes. What can't be read is a small mark,
 * so that one bad look never empties the scene.
 */
import {
  Box3, BoxGeometry, BufferGeometry, CylinderGeometry, EdgesGeometry, Float32BufferAttribute,
  Matrix4, OctahedronGeometry, Quaternion, SphereGeometry, Vector3,
} from "./vendor/three.module.min.js";

const DEPTH = 8; // parts of parts; deeper nesting is no shape
const FARTHEST = 1e4; // metres: beyond that nothing stands, and nothing is so large
const CREASE = 30; // degrees between two faces from which their edge is drawn
const MARK = { mark: 0.03 };

const MAKERS = {
  box: ([x, y, z]) => new BoxGeometry(x, y, z),
  sphere: (radius) => new SphereGeometry(radius, 24, 16),
  cylinder: ([radius, height]) =>
    new CylinderGeometry(radius, radius, height, 28).rotateX(Math.PI / 2),
  bin: ({ size, floor, wall }) => bin(size, floor, wall),
  mesh: ({ vertices, faces }) => mesh(vertices, faces),
  mark: (radius) => new OctahedronGeometry(radius),
  head: (kind) => head(kind),
  hand: () => new SphereGeometry(0.04, 16, 12).scale(1.35, 0.9, 0.6),
};

/** What outlines a shape whose edges don't. */
const EDGES = {
  sphere: ({ sphere }) => circles(sphere),
  bin: ({ bin: { size, floor, wall } }) => rims(size, floor, wall),
};

/** The leaves of a shape: `[{shape, place}]`, each posed in the frame of the whole. */
export function leaves(shape) {
  const found = [];
  collect(shape, new Matrix4(), DEPTH, found);
  return found;
}

function collect(shape, place, depth, found) {
  if (Array.isArray(shape?.parts) && depth > 0) {
    for (const part of shape.parts) {
      const within = readPose(part?.pose, new Matrix4());
      if (within) collect(part.shape, within.premultiply(place), depth - 1, found);
    }
  } else if (!shape?.plane) {
    found.push({ shape: shape !== null && typeof shape === "object" ? shape : MARK, place });
  }
}

const spot = new Vector3();
const turn = new Quaternion();
const whole = new Vector3(1, 1, 1);

/** Whether it is a pose at all, of a place that is not beyond all measure. */
export function isPose(pose) {
  if (!Array.isArray(pose) || (pose.length !== 3 && pose.length !== 7)) return false;
  for (let n = 0; n < pose.length; n++) if (typeof pose[n] !== "number" || !(Math.abs(pose[n]) <= FARTHEST)) return false;
  return true;
}

/** Reads `[x,y,z]` or `[x,y,z,qx,qy,qz,qw]` into a matrix; null where it is none. */
export function readPose(pose, into) {
  if (!isPose(pose)) return null;
  spot.set(pose[0], pose[1], pose[2]);
  if (pose.length === 7) turn.set(pose[3], pose[4], pose[5], pose[6]).normalize();
  else turn.identity();
  return into.compose(spot, turn, whole);
}

/** The geometry of all that is drawn, by what it was made of, with how many have it. */
export function createShapes() {
  const kept = new Map();

  return {
    /** `{key, solid, edges, bounds, isRound}` of a leaf; give it back when done. */
    take(shape) {
      const key = JSON.stringify(shape);
      const made = kept.get(key) ?? { key, users: 0, ...make(shape) };
      made.users += 1;
      kept.set(key, made);
      return made;
    },
    give(made) {
      made.users -= 1;
      if (made.users > 0) return;
      kept.delete(made.key);
      made.solid.dispose();
      made.edges.dispose();
    },
    get size() {
      return kept.size;
    },
  };
}

function make(shape) {
  const read = attempt(shape);
  const solid = read ?? MAKERS.mark(MARK.mark);
  const edges = (read && EDGES[Object.keys(shape)[0]]?.(shape)) ?? new EdgesGeometry(solid, CREASE);
  solid.computeBoundingBox();
  return { solid, edges: dashed(edges), bounds: solid.boundingBox, isRound: "sphere" in shape };
}

function attempt(shape) {
  const [kind, size] = Object.entries(shape)[0] ?? [];
  if (!Object.hasOwn(MAKERS, kind ?? "")) return null;
  try {
    const made = MAKERS[kind](size);
    const box = new Box3().setFromBufferAttribute(made.getAttribute("position"));
    return box.min.length() + box.max.length() <= FARTHEST && !box.isEmpty() ? made : null;
  } catch (error) {
    if (error instanceof TypeError || error instanceof RangeError) return null;
    throw error;
  }
}

/** Boxes `[x0,y0,z0,x1,y1,z1]` as one geometry. */
function boxes(extents) {
  const positions = [];
  const normals = [];
  for (const [x0, y0, z0, x1, y1, z1] of extents) {
    const each = new BoxGeometry(x1 - x0, y1 - y0, z1 - z0)
      .translate((x0 + x1) / 2, (y0 + y1) / 2, (z0 + z1) / 2)
      .toNonIndexed();
    positions.push(...each.getAttribute("position").array);
    normals.push(...each.getAttribute("normal").array);
  }
  const all = new BufferGeometry();
  all.setAttribute("position", new Float32BufferAttribute(positions, 3));
  all.setAttribute("normal", new Float32BufferAttribute(normals, 3));
  return all;
}

/** An open container: a floor and four walls, full extents, about its centre. */
function bin([sx, sy, sz], floor, wall) {
  const [x, y, z] = [sx / 2, sy / 2, sz / 2];
  return boxes([
    [-x, -y, -z, x, y, -z + floor],
    [-x, -y, -z + floor, -x + wall, y, z],
    [x - wall, -y, -z + floor, x, y, z],
    [-x + wall, -y, -z + floor, x - wall, -y + wall, z],
    [-x + wall, y - wall, -z + floor, x - wall, y, z],
  ]);
}

/** The edges of a bin: those of a box, and of the room within it. */
function rims([sx, sy, sz], floor, wall) {
  const outer = new EdgesGeometry(new BoxGeometry(sx, sy, sz));
  const room = new BoxGeometry(sx - 2 * wall, sy - 2 * wall, sz - floor).translate(0, 0, floor / 2);
  const points = [outer, new EdgesGeometry(room)].flatMap((each) => [...each.getAttribute("position").array]);
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
}

function mesh(vertices, faces) {
  const indexed = new BufferGeometry();
  indexed.setAttribute("position", new Float32BufferAttribute(vertices.flat(), 3));
  indexed.setIndex(faces.flat().filter((corner) => corner >= 0 && corner < vertices.length));
  const flat = indexed.toNonIndexed();
  flat.computeVertexNormals();
  return flat;
}

/** A head that looks along +x: a ball, a box for a robot, with two eyes. */
function head(kind) {
  const skull = kind === "robot" ? new BoxGeometry(0.17, 0.2, 0.16) : new SphereGeometry(0.1, 20, 14);
  return joined([[skull, 1], [eye(0.045, kind), 0.12], [eye(-0.045, kind), 0.12]]);
}

function eye(y, kind) {
  return new SphereGeometry(0.024, 10, 8).translate(kind === "robot" ? 0.085 : 0.083, y, 0.03);
}

/** Geometries `[geometry, brightness]` as one, painted so bright. */
function joined(painted) {
  const all = new BufferGeometry();
  for (const name of ["position", "normal"]) {
    const numbers = painted.flatMap(([each]) => [...each.toNonIndexed().getAttribute(name).array]);
    all.setAttribute(name, new Float32BufferAttribute(numbers, 3));
  }
  const colors = painted.flatMap(([each, brightness]) =>
    Array(3 * each.toNonIndexed().getAttribute("position").count).fill(brightness));
  return all.setAttribute("color", new Float32BufferAttribute(colors, 3));
}

/** What outlines a sphere, which has no edges: three great circles. */
function circles(radius) {
  const points = [];
  const steps = 32;
  for (const at of [(c, s) => [c, s, 0], (c, s) => [c, 0, s], (c, s) => [0, c, s]]) {
    for (let n = 0; n < steps; n++) {
      for (const angle of [n, n + 1].map((step) => (2 * Math.PI * step) / steps)) {
        points.push(...at(radius * Math.cos(angle), radius * Math.sin(angle)));
      }
    }
  }
  return new BufferGeometry().setAttribute("position", new Float32BufferAttribute(points, 3));
}

/** With the distances along its lines, so that they can be dashed. */
function dashed(lines) {
  const at = lines.getAttribute("position");
  const distances = new Float32Array(at.count);
  const [from, to] = [new Vector3(), new Vector3()];
  for (let n = 0; n < at.count; n += 2) {
    distances[n + 1] = from.fromBufferAttribute(at, n).distanceTo(to.fromBufferAttribute(at, n + 1));
  }
  return lines.setAttribute("lineDistance", new Float32BufferAttribute(distances, 1));
}
