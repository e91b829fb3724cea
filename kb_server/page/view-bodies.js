/**
 * What makes heads and hands people: shoulders under a head, fading downwards, and arms to the
 * hands. Nobody says where these are; they follow from the poses of heads and hands, stand upright,
 * and are only drawn, never part of what is framed or picked.
 */
import {
  CylinderGeometry, Float32BufferAttribute, InstancedMesh, LatheGeometry, Matrix4, Mesh,
  Quaternion, Vector2, Vector3,
} from "./vendor/three.module.min.js";

const MOST = 64; // arms
const THICK = 0.022;
const DOWN = 0.24; // metres from the middle of a head to the shoulders
const ASIDE = 0.15;
const LONGEST = 1.4; // metres: farther away, it is not the hand of this head
const PROFILE = [[0.045, -0.08], [0.055, -0.15], [0.16, -0.22], [0.18, -0.3], [0.15, -0.62]];

/** The shape of all shoulders: one, shared, never disposed of while there is a scene. */
export function createBust() {
  const bust = new LatheGeometry(PROFILE.map(([x, y]) => new Vector2(x, y)), 20).rotateX(Math.PI / 2);
  const at = bust.getAttribute("position");
  const [top, bottom] = [PROFILE[0][1], PROFILE.at(-1)[1]];
  const colors = [];
  for (let n = 0; n < at.count; n++) colors.push(1, 1, 1, 0.85 * ((at.getZ(n) - bottom) / (top - bottom)));
  return bust.setAttribute("color", new Float32BufferAttribute(colors, 4));
}

/** Shoulders for a head; `stand` puts them under where the head is now. */
export function createShoulders(bust, material) {
  const mesh = new Mesh(bust, material);
  mesh.matrixAutoUpdate = mesh.matrixWorldAutoUpdate = false; // upright, however the head is turned
  mesh.frustumCulled = false;
  mesh.renderOrder = 2;
  mesh.raycast = () => {};
  return {
    mesh,
    stand(head, scale) {
      spot.setFromMatrixPosition(head);
      mesh.matrixWorld.makeTranslation(spot.x, spot.y, spot.z).scale(size.setScalar(scale));
    },
  };
}

/** All arms, as one draw: `tell(head, hand, isLeft, color)` with the matrices of both. */
export function createArms(materials) {
  const arms = new InstancedMesh(new CylinderGeometry(1, 1, 1, 7), materials.arm, MOST);
  arms.frustumCulled = false;
  arms.raycast = () => {};
  arms.count = 0;
  arms.renderOrder = 2;
  return {
    object: arms,
    begin() {
      arms.count = 0;
    },
    tell(head, hand, isLeft, color) {
      if (arms.count >= MOST) return;
      shoulder(head, isLeft, start);
      end.setFromMatrixPosition(hand);
      const length = along.subVectors(end, start).length();
      if (length > LONGEST || length < 1e-3) return;
      turn.setFromUnitVectors(UP, along.divideScalar(length));
      spot.addVectors(start, end).multiplyScalar(0.5);
      arms.setMatrixAt(arms.count, place.compose(spot, turn, size.set(THICK, length, THICK)));
      arms.setColorAt(arms.count, color);
      arms.count += 1;
    },
    end() {
      arms.visible = arms.count > 0;
      arms.instanceMatrix.needsUpdate = true;
      if (arms.instanceColor) arms.instanceColor.needsUpdate = true;
    },
    dispose() {
      arms.geometry.dispose();
      arms.dispose();
    },
  };
}

const UP = new Vector3(0, 1, 0);
const [spot, start, end, along, size, front] = [0, 1, 2, 3, 4, 5].map(() => new Vector3());
const turn = new Quaternion();
const place = new Matrix4();

/** Where the shoulder is of a head that looks along its +x. */
function shoulder(head, isLeft, into) {
  into.setFromMatrixPosition(head);
  front.setFromMatrixColumn(head, 0);
  front.z = 0;
  front.normalize().multiplyScalar(isLeft ? ASIDE : -ASIDE);
  into.x -= front.y;
  into.y += front.x;
  into.z -= DOWN;
}
