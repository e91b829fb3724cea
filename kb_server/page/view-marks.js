/**
 * The arrows from where a mind believes a thing to be to where it really is: dashes along an arc,
 * and a point at its end, drawn over everything. All arrows together are two draws.
 */
import {
  ConeGeometry, CylinderGeometry, InstancedMesh, Matrix4, QuadraticBezierCurve3, Quaternion,
  Vector3,
} from "./vendor/three.module.min.js";

const MOST = 64; // arrows
const DASHES = 9; // of one arrow
const UP = new Vector3(0, 1, 0);

export function createMarks(materials) {
  const dash = instances(new CylinderGeometry(1, 1, 1, 6), MOST * DASHES);
  const point = instances(new ConeGeometry(1, 1, 10), MOST);
  const arc = new QuadraticBezierCurve3();
  let arrows = 0;

  function instances(geometry, most) {
    const made = new InstancedMesh(geometry, materials.mark, most);
    made.count = 0;
    made.frustumCulled = false;
    made.renderOrder = 5;
    made.raycast = () => {};
    return made;
  }

  return {
    objects: [dash, point],
    begin() {
      arrows = 0;
    },
    /** One arrow, as thick as fits a scene of that size. */
    tell(from, to, size) {
      if (arrows >= MOST) return;
      const thick = Math.min(0.012, Math.max(0.003, 0.006 * size));
      arc.v0.set(from[0], from[1], from[2]);
      arc.v2.set(to[0], to[1], to[2]);
      arc.v1.addVectors(arc.v0, arc.v2).multiplyScalar(0.5);
      arc.v1.z += 0.45 * arc.v0.distanceTo(arc.v2) + 0.05;
      for (let n = 0; n < DASHES; n++) {
        const start = n / DASHES;
        stretch(dash, arrows * DASHES + n, arc, start, start + 0.55 / DASHES, thick);
      }
      stretch(point, arrows, arc, 1 - Math.min(0.3, (5 * thick) / arc.v0.distanceTo(arc.v2)), 1, thick * 2.6);
      arrows += 1;
    },
    end() {
      dash.count = arrows * DASHES;
      point.count = arrows;
      dash.visible = point.visible = arrows > 0;
      dash.instanceMatrix.needsUpdate = point.instanceMatrix.needsUpdate = true;
    },
    dispose() {
      for (const each of [dash, point]) {
        each.geometry.dispose();
        each.dispose();
      }
    },
  };
}

const [start, end, middle, along, size] = [0, 1, 2, 3, 4].map(() => new Vector3());
const turn = new Quaternion();
const place = new Matrix4();

/** Makes an instance reach along an arc, from one part of it to another. */
function stretch(instanced, index, arc, from, to, thick) {
  arc.getPoint(from, start);
  arc.getPoint(to, end);
  along.subVectors(end, start);
  const length = along.length();
  turn.setFromUnitVectors(UP, along.divideScalar(length || 1));
  middle.addVectors(start, end).multiplyScalar(0.5);
  instanced.setMatrixAt(index, place.compose(middle, turn, size.set(thick, length, thick)));
}
