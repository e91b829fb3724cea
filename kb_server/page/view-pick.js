/** Which thing somebody points at: a click or tap that did not turn the scene. */
import { Raycaster, Vector2 } from "./vendor/three.module.min.js";

const STILL = 5; // pixels that a finger may slip

/** Calls `picked(name)` with what is hit of `objects()`, seen by `camera()`; null for nothing. */
export function createPick(canvas, camera, objects, picked) {
  const ray = new Raycaster();
  const at = new Vector2();
  const from = new Vector2();
  const ending = new AbortController();
  const on = (name, does) => canvas.addEventListener(name, does, { signal: ending.signal });

  on("pointerdown", (event) => from.set(event.clientX, event.clientY));
  on("pointerup", (event) => {
    if (event.button !== 0 || from.distanceTo(at.set(event.clientX, event.clientY)) > STILL) return;
    const { left, top, width, height } = canvas.getBoundingClientRect();
    at.set(((event.clientX - left) / width) * 2 - 1, 1 - ((event.clientY - top) / height) * 2);
    ray.setFromCamera(at, camera());
    ray.params.Line.threshold = 0;
    const hit = ray.intersectObjects(objects(), true).find(({ object }) => object.isMesh && isVisible(object));
    picked(hit ? figureOf(hit.object).look.name : null);
  });
  return () => ending.abort();
}

function isVisible(object) {
  return object === null || (object.visible && isVisible(object.parent));
}

function figureOf(object) {
  return object.userData.figure ?? figureOf(object.parent);
}
