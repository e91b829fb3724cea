/**
 * One thing, head or hand as it is drawn: its shape at a pose, dressed as what a mind holds of it.
 * It shares geometry and materials, and gives the geometry back when it goes.
 */
import {
  Box3, Group, LineSegments, Matrix4, Mesh, Vector3,
} from "./vendor/three.module.min.js";
import { createShoulders } from "./view-bodies.js";
import { createGaze } from "./view-gaze.js";
import { leaves, readPose } from "./view-shapes.js";

const THICK = 0.008; // metres that the outline of a wrong or chosen thing stands out

export class Figure {
  /** @param wears `{shapes, materials, color}`: what it shares, and its own colour as text. */
  constructor(look, wears) {
    this.look = look;
    this.wears = wears;
    this.as = null;
    this.isChosen = false;
    this.isInside = false;
    this.isHolding = false;
    this.group = new Group();
    this.group.matrixAutoUpdate = false;
    this.group.userData.figure = this;
    this.pose = null;
    this.size = 1;
    this.bounds = new Box3();
    this.parts = leaves(look.shape).map((leaf) => this.#part(leaf));
    this.gaze = look.kind === "head" && look.fov ? createGaze(look.fov, wears.gaze) : null;
    if (this.gaze) this.group.add(this.gaze);
    this.shoulders = look.kind === "head" ? createShoulders(wears.bust, wears.body) : null;
    if (this.shoulders) this.group.add(this.shoulders.mesh);
  }

  /** Puts it somewhere, in another size than its own where that is said; whether that is another place than before. */
  place(pose, size = 1) {
    if (size === this.size && (pose === this.pose || same(pose, this.pose))) return false;
    if (!readPose(pose, this.group.matrix)) return false;
    if (size !== 1) this.group.matrix.scale(scale.setScalar(size));
    this.pose = pose;
    this.size = size;
    this.group.matrixWorldNeedsUpdate = true;
    this.shoulders?.stand(this.group.matrix, size);
    return true;
  }

  /** Shows it as solid, wrong, ghost or lost, outlined when chosen; whether it looks another way. */
  dress(as, isChosen) {
    if (as === this.as && isChosen === this.isChosen) return false;
    this.as = as;
    this.isChosen = isChosen;
    this.#wear();
    return true;
  }

  /** Shows it as what lies in another, or holds another: neither hides the other. */
  enclose(isInside, isHolding) {
    if (isInside === this.isInside && isHolding === this.isHolding) return;
    this.isInside = isInside;
    this.isHolding = isHolding;
    this.#wear();
  }

  #wear() {
    const { as, isChosen, isInside, isHolding } = this;
    const { materials, solid, open } = this.wears;
    const isFaint = as === "ghost" || as === "lost";
    const faint = isFaint ? materials[isInside && as === "ghost" ? "inside" : as] : null;
    const outline = isChosen ? materials.chosenHull : as === "wrong" ? materials.wrongHull : null;
    for (const part of this.parts) {
      part.solid.material = faint ? faint.fill : isHolding ? open : solid;
      part.edges.material = faint ? faint.edge : materials.edge;
      part.edges.visible = faint !== null || !part.made.isRound;
      part.solid.renderOrder = faint ? (isInside ? 4 : 0) : 1;
      part.edges.renderOrder = faint && isInside ? 4 : 0;
      this.#outline(part, outline);
    }
    if (this.gaze) this.gaze.visible = !faint;
    if (this.shoulders) this.shoulders.mesh.visible = !faint;
  }

  /** Whether a point of the world lies in the box around it. */
  holds(point) {
    inverse.copy(this.group.matrix).invert();
    return this.bounds.containsPoint(corner.copy(point).applyMatrix4(inverse));
  }

  /** The middle of what it fills, in the world. */
  middle(into) {
    return this.bounds.getCenter(into).applyMatrix4(this.group.matrix);
  }

  /** The corners of what it fills, in the world, each handed to `told(point)`; `point` is reused. */
  corners(told) {
    const { min, max } = this.bounds;
    if (this.bounds.isEmpty()) return;
    for (let n = 0; n < 8; n++) {
      corner.set(n & 1 ? max.x : min.x, n & 2 ? max.y : min.y, n & 4 ? max.z : min.z);
      told(corner.applyMatrix4(this.group.matrix));
    }
  }

  dispose() {
    this.group.removeFromParent();
    for (const { made } of this.parts) this.wears.shapes.give(made);
    this.gaze?.geometry.dispose();
  }

  #part({ shape, place }) {
    const made = this.wears.shapes.take(shape);
    const solid = put(new Mesh(made.solid, this.wears.solid), place);
    const edges = put(new LineSegments(made.edges, this.wears.materials.edge), place);
    this.group.add(solid, edges);
    this.bounds.union(leaf.copy(made.bounds).applyMatrix4(place));
    return { made, solid, edges, place, hull: null };
  }

  #outline(part, material) {
    if (material && !part.hull) {
      part.hull = put(new Mesh(part.made.solid, material), grown(part.made.bounds, part.place));
      this.group.add(part.hull);
    }
    if (!part.hull) return;
    part.hull.visible = material !== null;
    if (material) part.hull.material = material;
  }
}

const inverse = new Matrix4();
const corner = new Vector3();
const scale = new Vector3();
const leaf = new Box3();

function put(object, place) {
  object.matrixAutoUpdate = false;
  object.matrix.copy(place);
  return object;
}

/** The place of a hull: the shape about its middle, larger by the same everywhere. */
function grown(bounds, place) {
  const [middle, size] = [bounds.getCenter(new Vector3()), bounds.getSize(new Vector3())];
  const by = (extent) => 1 + (2 * (THICK + 0.02 * extent)) / Math.max(extent, 1e-3);
  const about = new Matrix4().makeTranslation(middle.x, middle.y, middle.z);
  about.scale(new Vector3(by(size.x), by(size.y), by(size.z)));
  about.multiply(new Matrix4().makeTranslation(-middle.x, -middle.y, -middle.z));
  return about.premultiply(place);
}

function same(a, b) {
  if (!a || !b || a.length !== b.length) return false;
  for (let n = 0; n < a.length; n++) if (a[n] !== b[n]) return false;
  return true;
}
