/**
 * What a first look should hold: the things that move, large; what they stand on and hands and
 * heads near them; not the hall around them, nor who has gone away.
 */
import { Vector3 } from "./vendor/three.module.min.js";

const FURNITURE = 2.6; // how many times as far as the moving things the still ones may reach
const COMPANY = 2.2; // the same of people
const ROOM = 1.1; // metres that they may reach whatever moves

/** The points to frame, in a list that is used again: `figures` as they are drawn. */
export function createFraming() {
  const spare = [];
  const points = [];
  const middle = new Vector3();
  const lows = new Vector3();
  const highs = new Vector3();

  const kept = (point) => {
    const at = (spare[points.length] ??= new Vector3());
    points.push(at.copy(point));
  };

  function measure() {
    lows.setScalar(Infinity);
    highs.setScalar(-Infinity);
    for (const point of points) lows.min(point), highs.max(point);
    middle.addVectors(lows, highs).multiplyScalar(0.5);
    return Math.max(0.15, middle.distanceTo(highs));
  }

  return {
    center: middle,
    radius: 1,
    points,
    measure(figures) {
      points.length = 0;
      for (const { look, corners } of things(figures, false)) corners(kept);
      const isStillLife = points.length === 0;
      if (isStillLife) for (const { corners } of things(figures, true)) corners(kept);
      if (points.length === 0) for (const { corners } of people(figures)) corners(kept);
      let radius = measure();
      if (!isStillLife) {
        const far = Math.max(FURNITURE * radius, ROOM);
        for (const each of things(figures, true)) if (reaches(each, middle) <= far) each.corners(kept);
        radius = measure();
      }
      const near = Math.max(COMPANY * radius, 1.8);
      for (const each of people(figures)) if (reaches(each, middle) <= near) each.corners(kept);
      this.radius = radius;
      return points;
    },
  };
}

function* things(figures, isStatic) {
  for (const figure of figures) {
    if (figure.look.kind === "thing" && Boolean(figure.look.static) === isStatic) yield bound(figure);
  }
}

function* people(figures) {
  for (const figure of figures) if (figure.look.kind !== "thing") yield bound(figure);
}

function bound(figure) {
  return { look: figure.look, corners: (told) => figure.corners(told) };
}

function reaches({ corners }, middle) {
  let far = 0;
  corners((point) => (far = Math.max(far, point.distanceTo(middle))));
  return far;
}
