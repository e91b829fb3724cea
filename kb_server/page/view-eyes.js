/**
 * The picture through an agent's eyes: a camera where a head is, looking along its +x with +z up,
 * with the head's field of view, and a shade over what lies outside of it.
 */
import { Matrix4, PerspectiveCamera, Quaternion, Vector3 } from "./vendor/three.module.min.js";
import { readPose } from "./view-shapes.js";

const HUMAN = [2, 1.6]; // of a head that says nothing of its field
const WIDEST = 2.1; // radians upright that a flat picture can bear
const FORWARD = 0.02; // metres that the eyes are before the middle of the head

// A camera looks along its -z with +y up and +x to the right; a head along +x with +z up.
const FIX = new Quaternion().setFromRotationMatrix(
  new Matrix4().makeBasis(new Vector3(0, -1, 0), new Vector3(0, 0, 1), new Vector3(-1, 0, 0)),
);

export function createEyes() {
  const camera = new PerspectiveCamera(60, 1, 0.02, 200);
  const place = new Matrix4();
  const [size, spot] = [new Vector3(), new Vector3()];

  return {
    camera,
    /** Where the eyes of a head are; reused. */
    at(pose) {
      if (readPose(pose, place)) spot.setFromMatrixPosition(place);
      return spot;
    },
    /** Puts the camera into a head; how much of the picture its field takes, or null. */
    look(pose, fov, aspect) {
      if (!readPose(pose, place)) return null;
      place.decompose(camera.position, camera.quaternion, size);
      camera.quaternion.multiply(FIX);
      camera.translateZ(-FORWARD);
      const [across, upright] = fov ?? HUMAN;
      const wide = half(across);
      const high = half(upright);
      const shown = Math.min(Math.max(high, wide / aspect), Math.tan(WIDEST / 2));
      camera.fov = (Math.atan(shown) * 360) / Math.PI;
      camera.aspect = aspect;
      camera.updateProjectionMatrix();
      camera.updateMatrixWorld();
      return { width: Math.min(1, wide / (shown * aspect)), height: Math.min(1, high / shown) };
    },
  };
}

/** The tangent of half an angle; of half a turn and more, as good as endless. */
function half(angle) {
  return angle >= 3.1 ? 50 : Math.tan(angle / 2);
}
