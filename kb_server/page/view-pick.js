/** Which thing somebody points at: by a click or tap that did not turn the scene, or with the mouse. */
import { Raycaster, Vector2 } from "./vendor/three.module.min.js";

const STILL = 5; // pixels that a finger may slip
const PAUSE = 120; // milliseconds between two looks at what a mouse is over

/**
 * Calls `picked(name)` with what is hit of `objects()`, seen by `camera()`, null for nothing; and
 * `hovered(name)` with what a mouse rests on.
 */
export function createPick(canvas, camera, objects, picked, hovered) {
  const ray = new Raycaster();
  const at = new Vector2();
  const from = new Vector2();
  const over = { x: 0, y: 0, waiting: 0 };
  const ending = new AbortController();
  const on = (name, does) => canvas.addEventListener(name, does, { signal: ending.signal });

  on("pointerdown", (event) => from.set(event.clientX, event.clientY));
  on("pointerup", (event) => {
    if (event.button !== 0 || from.distanceTo(at.set(event.clientX, event.clientY)) > STILL) return;
    picked(hit(event.clientX, event.clientY));
  });
  on("pointermove", (event) => {
    if (event.pointerType !== "mouse" || event.buttons !== 0) return;
    over.x = event.clientX;
    over.y = event.clientY;
    over.waiting ||= setTimeout(point, PAUSE);
  });

  function point() {
    over.waiting = 0;
    hovered(hit(over.x, over.y));
  }

  function hit(x, y) {
    const { left, top, width, height } = canvas.getBoundingClientRect();
    at.set(((x - left) / width) * 2 - 1, 1 - ((y - top) / height) * 2);
    ray.setFromCamera(at, camera());
    ray.params.Line.threshold = 0;
    const found = ray.intersectObjects(objects(), true).find(({ object }) => object.isMesh && isVisible(object));
    return found ? figureOf(found.object).look.name : null;
  }

  return () => {
    clearTimeout(over.waiting);
    ending.abort();
  };
}

function isVisible(object) {
  return object === null || (object.visible && isVisible(object.parent));
}

function figureOf(object) {
  return object.userData.figure ?? figureOf(object.parent);
}
