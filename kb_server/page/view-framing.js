/**
 * What a first look should hold, and from where: all things, large, and the hands and heads near
 * them; not who has gone away. It looks from where nobody stands in the way.
 */
import { Vector3 } from "./vendor/three.module.min.js";

const COMPANY = 2.2; // how many times as far as the things people may be
const ELBOWS = 1.8; // metres that they may be, however small the things are
const TINY = 4; // metres of a scene in which heads would be too small to be seen
const GIANT = 5; // times its size that a head is drawn at most
const EDGE = 0.92; // so much of the way to a head is framed: it may lie near the edge
const BESIDE = 0.2; // radians by which it looks past the middle between two people

export function createFraming() {
  const spare = [];
  const headings = [];
  const [lows, highs, pulled] = [new Vector3(), new Vector3(), new Vector3()];
  const framing = { center: new Vector3(), radius: 1, points: [], front: null, people: 0, measure };

  function keep(point) {
    const at = (spare[framing.points.length] ??= new Vector3());
    framing.points.push(at.copy(point));
  }

  function keepNear(point) {
    keep(pulled.copy(point).sub(framing.center).multiplyScalar(EDGE).add(framing.center));
  }

  /** The middle and size of what has been kept so far. */
  function span() {
    lows.setScalar(Infinity);
    highs.setScalar(-Infinity);
    for (const point of framing.points) lows.min(point), highs.max(point);
    if (framing.points.length === 0) lows.setScalar(0), highs.setScalar(0);
    framing.center.addVectors(lows, highs).multiplyScalar(0.5);
    framing.radius = Math.max(0.15, framing.center.distanceTo(highs));
  }

  /** Keeps those that lie within so many metres of the middle. */
  function add(figures, is, within, how = keep) {
    for (const figure of figures) {
      if (is(figure.look) && reach(figure, framing.center) <= within) figure.corners(how);
    }
  }

  function measure(figures) {
    framing.points.length = 0;
    add(figures, isThing, Infinity);
    if (framing.points.length === 0) add(figures, isHead, Infinity);
    span();
    const near = Math.max(COMPANY * framing.radius, ELBOWS);
    add(figures, isHand, near);
    add(figures, isHead, near, keepNear);
    lookFrom(figures);
  }

  /** The direction with most room between the people. */
  function lookFrom(figures) {
    headings.length = 0;
    for (const { look, group } of figures) {
      if (!isHead(look)) continue;
      pulled.setFromMatrixPosition(group.matrix).sub(framing.center);
      headings.push(Math.atan2(pulled.y, pulled.x));
    }
    framing.people = headings.length;
    framing.front = widest(headings.sort((a, b) => a - b));
  }

  return framing;
}

/** How many times their size heads are drawn, in a scene so large: in a village, as on a map. */
export function sizeOfHeads({ radius }) {
  return radius <= TINY ? 1 : Math.min(GIANT, Math.round((2 * radius) / TINY) / 2);
}

const isThing = (look) => look.kind === "thing";
const isHand = (look) => look.kind === "hand";
const isHead = (look) => look.kind === "head";

let far = 0;
let from = null;
const measureFar = (point) => (far = Math.max(far, point.distanceTo(from)));

/** How far the farthest corner of a figure is from a point. */
function reach(figure, point) {
  far = 0;
  from = point;
  figure.corners(measureFar);
  return far;
}

/** The middle of the widest gap between sorted angles, a little beside it; null where there is none. */
function widest(angles) {
  let best = { gap: 0, middle: null };
  angles.forEach((angle, n) => {
    const next = n + 1 < angles.length ? angles[n + 1] : angles[0] + 2 * Math.PI;
    if (next - angle > best.gap + 0.05) best = { gap: next - angle, middle: (angle + next) / 2 };
  });
  return best.middle === null ? null : best.middle + Math.min(BESIDE, best.gap / 8);
}
