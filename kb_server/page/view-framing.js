/**
 * What a first look should hold, and from where: all things, large, and the hands and heads near
 * them; not who has gone away. It looks from where the least is hidden: things by walls, and all by
 * who stands in front; among directions as good, from between the people.
 */
import { Vector3 } from "./vendor/three.module.min.js";
import { createCover } from "./view-cover.js";

const COMPANY = 2.2; // how many times as far as the things people may be
const ELBOWS = 1.8; // metres that they may be, however small the things are
const TINY = 4; // metres of a scene in which heads would be too small to be seen
const GIANT = 5; // times its size that a head is drawn at most
const EDGE = 0.92; // so much of the way to a head is framed: it may lie near the edge
const BESIDE = 0.2; // radians by which it looks past the middle between two people
const FRONT = -1.08; // radians: from where it looks when nobody is there
const AROUND = 12; // directions that are tried
const ELEVATIONS = [0.66, 0.45, 0.95]; // the best first
const MOST = 24; // things that are looked for in each
const SHARE = { movable: 1, static: 0.25 }; // how much it counts that one is hidden
const ASIDE = 0.1; // how much it counts to look from behind the people
const STEEP = 0.4; // and to look from another height, for each radian
const NEAR = 0.35; // radians from a head within which it is in the way
const STAY = 0.3; // how much better another direction must be than the one that is looked from

export function createFraming() {
  const spare = [];
  const headings = [];
  const [lows, highs, pulled] = [new Vector3(), new Vector3(), new Vector3()];
  const framing = { center: new Vector3(), radius: 1, points: [], company: 0, measure, direction };
  const cover = createCover();
  const eye = new Vector3();
  const wanted = [];
  let front = FRONT;
  let known = [];

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
    known = figures;
    framing.company = 0;
    for (const { look, as } of figures) if (as !== "ghost" && !isHand(look)) framing.company += 1;
  }

  /** The directions of the people, and that with most room between them. */
  function meet() {
    headings.length = 0;
    for (const { look, group } of known) {
      if (!isHead(look)) continue;
      pulled.setFromMatrixPosition(group.matrix).sub(framing.center);
      headings.push(Math.atan2(pulled.y, pulled.x));
    }
    front = widest(headings.sort((a, b) => a - b)) ?? FRONT;
  }

  /** From where to look, `{azimuth, elevation}`: from where it is looked now, unless another is better. */
  function direction(now) {
    meet();
    cover.gather(known);
    wanted.length = 0;
    for (const each of known) if (isThing(each.look) && wanted.length < MOST) wanted.push(each);
    let best = now && { ...now, cost: cost(now.azimuth, now.elevation) - STAY };
    for (const elevation of ELEVATIONS) {
      for (let n = 0; n < AROUND; n++) {
        const azimuth = front + (2 * Math.PI * n) / AROUND;
        const found = cost(azimuth, elevation);
        if (!best || found < best.cost - 1e-6) best = { azimuth, elevation, cost: found };
      }
    }
    return best;
  }

  /** What speaks against looking from somewhere. */
  function cost(azimuth, elevation) {
    const flat = Math.cos(elevation);
    eye.set(flat * Math.cos(azimuth), flat * Math.sin(azimuth), Math.sin(elevation));
    eye.multiplyScalar(4 * framing.radius).add(framing.center);
    let sum = STEEP * Math.abs(elevation - ELEVATIONS[0]) + (ASIDE * turned(azimuth, front)) / Math.PI;
    for (const heading of headings) sum += Math.max(0, 1 - turned(azimuth, heading) / NEAR);
    for (const each of wanted) {
      const hidden = cover.hides(each, eye);
      sum += hidden * hidden * (each.look.static ? SHARE.static : SHARE.movable);
    }
    return sum;
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

/** How far it is from one angle to another, the short way. */
function turned(a, b) {
  const turn = Math.abs(a - b) % (2 * Math.PI);
  return Math.min(turn, 2 * Math.PI - turn);
}

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
