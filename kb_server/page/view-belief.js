/**
 * What a mind holds of where things are, beside what `myself` holds, which the page calls real.
 * Poses in, and one call for each thing that is to be drawn, `tell(name, as, pose, really)`:
 *
 *   "solid"  it is believed to be there, and is
 *   "wrong"  it is believed to be there; really it is at `really`, or nowhere that anybody knows
 *   "ghost"  it is really there, and this mind does not have it there
 *   "lost"   the mind knows of it but not where; it was perceived there last
 *
 * Two minds hear of one movement one after the other, so what differs is wrong only when `lasts`
 * says that it has for a while.
 */

import { isPose } from "./view-shapes.js";

/** Metres from which a belief is wrong: beyond noise, and within any two places of a story. */
const OFF = { thing: 0.05, head: 0.25, hand: 0.25 };

/** @param about `{poses, truth, lookOf(name), lasts(name)}` */
export function believed({ poses, truth, lookOf, lasts }, tell) {
  const isOther = poses !== truth;
  for (const [name, placed] of poses) {
    const { kind } = lookOf(name);
    if (kind === "unseen") continue;
    const real = isOther ? read(truth.get(name)?.pose) : null;
    const pose = read(placed?.pose);
    if (!pose) tellLost(name, kind, read(placed?.perceived_pose), real, tell);
    else if (!isOther || isRight(kind, pose, real) || !lasts(name)) tell(name, "solid", pose, null);
    else tellWrong(name, pose, real, tell);
  }
  if (!isOther) return;
  for (const [name, placed] of truth) {
    if (poses.has(name) || !read(placed?.pose)) continue;
    const { kind } = lookOf(name);
    if (kind === "thing" || kind === "head") tell(name, "ghost", placed.pose, null);
  }
}

/** A pose, or null: what stands nowhere that could be drawn is as good as nowhere. */
function read(pose) {
  return isPose(pose) ? pose : null;
}

/** Hands come and go, and an agent out of sight is no mistake of anybody's. */
function isRight(kind, pose, real) {
  if (kind === "hand" || (!real && kind !== "thing")) return true;
  return real !== null && apart(pose, real) <= OFF[kind];
}

function tellWrong(name, pose, real, tell) {
  tell(name, "wrong", pose, real);
  if (real) tell(name, "ghost", real, null);
}

function tellLost(name, kind, perceived, real, tell) {
  if (kind === "hand") return;
  if (perceived) tell(name, "lost", perceived, null);
  if (real) tell(name, "ghost", real, null);
}

function apart(a, b) {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}
