/**
 * The camera that walks around the scene: turned by mouse, touch and keys, and framing by itself
 * what there is until somebody turns it. Angles in radians, z up.
 *
 * One finger or button turns; two fingers, the other button or Shift move; wheel and pinch go
 * nearer. Arrows turn (with Shift: move), + and - go nearer and away, 0 or Home frames again.
 */
import { PerspectiveCamera, Vector3 } from "./vendor/three.module.min.js";

const FOV = 38;
const LOWEST = -0.15;
const HIGHEST = 1.52;
const STEP = 0.12; // of a key
const SLIP = 4; // pixels that a click may slip
const SETTLED = 1e-3;
const MARGIN = 0.94; // of the picture, below its bar, that the things may fill
const NAME = 20; // pixels that the name of the highest takes
const LEAST = 0.25; // metres: nothing is framed closer than that
const WORTH = 0.06; // a frame that is nearer by less than that is not taken
const CUT = 0.02; // nor one that is farther or aside by less than that: so much margin there is

export function createCamera(surface, changed) {
  const camera = new PerspectiveCamera(FOV, 1, 0.01, 500);
  camera.up.set(0, 0, 1);
  const now = { target: new Vector3(), azimuth: -1.08, elevation: 0.66, distance: 4 };
  const goal = { target: new Vector3(), azimuth: now.azimuth, elevation: now.elevation, distance: 4 };
  let company = 0; // how many were there when it was decided from where to look
  let isTurned = false;
  let isFramed = false;
  let isEasing = false;

  function apply() {
    const flat = now.distance * Math.cos(now.elevation);
    camera.position.set(
      now.target.x + flat * Math.cos(now.azimuth),
      now.target.y + flat * Math.sin(now.azimuth),
      now.target.z + now.distance * Math.sin(now.elevation),
    );
    camera.lookAt(now.target);
    camera.near = Math.max(0.005, now.distance / 200);
    camera.far = now.distance * 40;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
  }

  function touched() {
    isTurned = true;
    isEasing = false;
    apply();
    changed();
  }

  const moves = {
    turn(right, up) {
      now.azimuth -= right;
      now.elevation = Math.min(HIGHEST, Math.max(LOWEST, now.elevation + up));
      touched();
    },
    nearer(factor) {
      now.distance = Math.min(200, Math.max(0.08, now.distance / factor));
      touched();
    },
    /** Shifts what is looked at, by parts of the picture's height. */
    shift(right, up) {
      const span = 2 * now.distance * Math.tan((FOV * Math.PI) / 360);
      camera.matrixWorld.extractBasis(axes.right, axes.up, axes.back);
      now.target.addScaledVector(axes.right, -right * span).addScaledVector(axes.up, up * span);
      touched();
    },
    reframe() {
      isTurned = false;
      isFramed = false;
      changed();
    },
  };
  const stop = listen(surface, moves);

  return {
    camera,
    moves,
    get isTurned() {
      return isTurned;
    },
    apply,
    /** Frames what a framing found, unless somebody turned it: at once first, easing later. */
    frame(framing, width, height, covered) {
      if (isTurned || framing.points.length === 0) return;
      if (framing.company > company || !isFramed) {
        const { azimuth, elevation } = framing.direction(isFramed ? goal : null);
        Object.assign(goal, { azimuth, elevation });
        company = framing.company;
      }
      fit(framing.points, camera, width, height, covered + NAME, goal);
      if (isFramed && !isWorthIt(now, goal, isEasing)) return;
      isEasing = isFramed && !isStill.matches;
      isFramed = true;
      if (!isEasing) settle(now, goal, 1);
      apply();
    },
    /** Goes on easing; whether there is more to come. */
    ease() {
      if (!isEasing) return false;
      settle(now, goal, 0.22);
      const far = now.target.distanceTo(goal.target) + Math.abs(now.distance - goal.distance) +
        (Math.abs(aside(now, goal)) + Math.abs(now.elevation - goal.elevation)) * now.distance;
      isEasing = far > SETTLED * now.distance;
      apply();
      return isEasing;
    },
    dispose: stop,
  };
}

const axes = { right: new Vector3(), up: new Vector3(), back: new Vector3() };
const whole = Math.tan((FOV * Math.PI) / 360); // half of the picture's height, at a distance of one
const isStill = matchMedia("(prefers-reduced-motion: reduce)");

function settle(now, goal, part) {
  now.target.lerp(goal.target, part);
  now.distance += (goal.distance - now.distance) * part;
  now.azimuth += aside(now, goal) * part;
  now.elevation += (goal.elevation - now.elevation) * part;
}

/** How far a camera has to turn, the short way. */
function aside(now, goal) {
  const turn = (goal.azimuth - now.azimuth) % (2 * Math.PI);
  return turn > Math.PI ? turn - 2 * Math.PI : turn < -Math.PI ? turn + 2 * Math.PI : turn;
}

function isWorthIt(now, goal, isEasing) {
  const [worth, cut] = isEasing ? [0.01, 0.01] : [WORTH, CUT];
  return (
    goal.distance < now.distance * (1 - worth) ||
    goal.distance > now.distance * (1 + cut) ||
    Math.abs(aside(now, goal)) + Math.abs(goal.elevation - now.elevation) > worth ||
    goal.target.distanceTo(now.target) > cut * now.distance * whole
  );
}

/** The target and distance from which all points just fit, seen from the same direction. */
function fit(points, camera, width, height, top, goal) {
  const { azimuth, elevation } = goal;
  axes.back.set(
    Math.cos(elevation) * Math.cos(azimuth), Math.cos(elevation) * Math.sin(azimuth), Math.sin(elevation),
  );
  axes.right.crossVectors(camera.up, axes.back).normalize();
  axes.up.crossVectors(axes.back, axes.right);
  const covered = Math.min(0.4, top / height);
  const across = ((whole * width) / height) * MARGIN;
  const x = side(points, axes.right, axes.back, across, across);
  const y = side(points, axes.up, axes.back, whole * MARGIN, whole * (MARGIN - 2 * covered));
  const back = Math.max(x.back, y.back, LEAST + nearest(points, axes.back));
  const middle = meanAlong(points, axes.back);
  goal.target.set(0, 0, 0)
    .addScaledVector(axes.right, between(x, back))
    .addScaledVector(axes.up, between(y, back))
    .addScaledVector(axes.back, middle);
  goal.distance = back - middle;
}

/** How far back a camera stands that just sees both ends along one of its axes, and their lines of sight. */
function side(points, axis, back, below, above) {
  let low = Infinity; // the line of sight to the low end passes no point, nor that to the high one
  let high = -Infinity;
  for (const point of points) {
    const [at, depth] = [point.dot(axis), point.dot(back)];
    low = Math.min(low, at - below * depth);
    high = Math.max(high, at + above * depth);
  }
  return { low, high, below, above, back: (high - low) / (below + above) };
}

/** Where along that axis it stands so far back, with as much room at both ends. */
function between({ low, high, below, above }, back) {
  return (low + below * back + high - above * back) / 2;
}

function nearest(points, back) {
  return Math.max(...points.map((point) => point.dot(back)));
}

function meanAlong(points, back) {
  return points.reduce((sum, point) => sum + point.dot(back), 0) / points.length;
}

const KEYS = {
  ArrowLeft: (moves, shift) => (shift ? moves.shift(0.08, 0) : moves.turn(-STEP, 0)),
  ArrowRight: (moves, shift) => (shift ? moves.shift(-0.08, 0) : moves.turn(STEP, 0)),
  ArrowUp: (moves, shift) => (shift ? moves.shift(0, -0.08) : moves.turn(0, STEP)),
  ArrowDown: (moves, shift) => (shift ? moves.shift(0, 0.08) : moves.turn(0, -STEP)),
  "+": (moves) => moves.nearer(1.15),
  "=": (moves) => moves.nearer(1.15),
  "-": (moves) => moves.nearer(1 / 1.15),
  0: (moves) => moves.reframe(),
  Home: (moves) => moves.reframe(),
};

/** Turns what people do to the surface into moves; gives what ends it. */
function listen(surface, moves) {
  const fingers = new Map();
  const ending = new AbortController();
  const on = (name, does, more) =>
    surface.addEventListener(name, does, { signal: ending.signal, ...more });

  on("pointerdown", (event) => {
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY, button: event.button, isMoving: false });
  });
  for (const name of ["pointerup", "pointercancel", "pointerleave"]) {
    on(name, (event) => fingers.delete(event.pointerId));
  }
  on("pointermove", (event) => {
    const finger = fingers.get(event.pointerId);
    if (!finger) return;
    const before = fingers.size > 1 ? spread(fingers) : null;
    const [x, y] = [event.clientX - finger.x, event.clientY - finger.y];
    if (!finger.isMoving && Math.hypot(x, y) < SLIP) return;
    if (!finger.isMoving) surface.setPointerCapture(event.pointerId); // until now it may be a click
    finger.isMoving = true;
    finger.x = event.clientX;
    finger.y = event.clientY;
    const height = surface.clientHeight || 1;
    if (before) {
      moves.nearer(spread(fingers) / before || 1);
      moves.shift(x / height / 2, y / height / 2);
    } else if (event.shiftKey || finger.button > 0) moves.shift(x / height, y / height);
    else if (x || y) moves.turn((x / height) * 3, (y / height) * 3);
  });
  on("wheel", (event) => {
    event.preventDefault();
    moves.nearer(Math.exp(-Math.sign(event.deltaY) * Math.min(0.3, Math.abs(event.deltaY) / 500)));
  }, { passive: false });
  on("contextmenu", (event) => event.preventDefault());
  on("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const move = KEYS[event.key];
    if (!move) return;
    event.preventDefault();
    move(moves, event.shiftKey);
  });
  return () => ending.abort();
}

function spread(fingers) {
  const [a, b] = fingers.values();
  return Math.max(8, Math.hypot(a.x - b.x, a.y - b.y));
}
