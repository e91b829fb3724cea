/**
 * The canvas: draws when something is to be drawn, at most once a frame of the screen, and as fine
 * as this machine can. When the pictures take too long they become coarser; when nothing moves any
 * more, one fine picture follows. A lost context comes back by itself.
 */
import { WebGLRenderer } from "./vendor/three.module.min.js";

const FINEST = 2; // pixels of the canvas for one of the page
const COARSEST = 0.6;
const SLOW = 30; // milliseconds of a picture above which the next ones are coarser
const FAST = 16;
const SAMPLED = 12; // every so many pictures one is timed
const POLL = 2; // milliseconds between two looks whether it is done
const REST = 400; // milliseconds without a picture after which a fine one follows

/** Gives null where there is no WebGL. `draw(renderer)` says whether another picture follows. */
export function createCanvas(element, { draw, lost }) {
  const canvas = document.createElement("canvas");
  const renderer = attempt(canvas);
  if (!renderer) return null;
  element.prepend(canvas);
  const state = { width: 1, height: 1, coarse: 1, pictures: 0, took: 0, waiting: 0, rest: 0, isLost: false };

  const finest = () => Math.min(devicePixelRatio || 1, FINEST);

  function size(part) {
    renderer.setPixelRatio(Math.max(COARSEST, finest() * part));
    renderer.setSize(state.width, state.height, false);
  }

  function picture() {
    state.waiting = 0;
    if (state.isLost || state.width < 2 || state.height < 2) return;
    const begun = performance.now();
    const isMore = draw(renderer, state.width, state.height);
    if (++state.pictures % SAMPLED === 0) sample(begun);
    clearTimeout(state.rest);
    if (state.coarse < 1) state.rest = setTimeout(refine, REST);
    if (isMore) wake();
  }

  /** Times one picture: it is done some time after it was asked for, and nobody waits for it. */
  function sample(begun) {
    const gl = renderer.getContext();
    const fence = gl.fenceSync(gl.SYNC_GPU_COMMANDS_COMPLETE, 0);
    gl.flush();
    const poll = () => {
      const isDone = state.isLost || gl.getSyncParameter(fence, gl.SYNC_STATUS) === gl.SIGNALED;
      if (!isDone) return void setTimeout(poll, POLL);
      gl.deleteSync(fence);
      if (!state.isLost) adapt(performance.now() - begun);
    };
    setTimeout(poll, 0);
  }

  function adapt(took) {
    state.took = took;
    const before = state.coarse;
    if (took > SLOW) state.coarse = Math.max(COARSEST, state.coarse * 0.75);
    else if (took < FAST) state.coarse = Math.min(1, state.coarse * 1.2);
    if (state.coarse !== before && !state.isFine) size(state.coarse);
  }

  /** The fine picture of what rests; the next that moves is coarse again. */
  function refine() {
    if (state.isLost) return;
    size(1);
    draw(renderer, state.width, state.height);
    state.isFine = true;
  }

  function wake() {
    if (state.waiting) return;
    if (state.isFine && state.coarse < 1) {
      size(state.coarse);
      state.isFine = false;
    }
    state.waiting = requestAnimationFrame(picture);
  }

  const sizes = new ResizeObserver(() => {
    state.width = element.clientWidth;
    state.height = element.clientHeight;
    size(state.coarse);
    if (!state.isLost && state.width > 1 && state.height > 1) draw(renderer, state.width, state.height);
  });
  sizes.observe(element);

  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault(); // so that the browser gives it back
    state.isLost = true;
    lost(true);
  });
  canvas.addEventListener("webglcontextrestored", () => {
    state.isLost = false;
    lost(false);
    wake();
  });

  return {
    canvas,
    renderer,
    state,
    wake,
    dispose() {
      cancelAnimationFrame(state.waiting);
      clearTimeout(state.rest);
      sizes.disconnect();
      renderer.dispose();
      canvas.remove();
    },
  };
}

function attempt(canvas) {
  const found = probe();
  if (!found) return null;
  try {
    return new WebGLRenderer({ canvas, antialias: !found.isSlow, powerPreference: "low-power" });
  } catch {
    return null; // that there is no WebGL is said by an Error of no class of its own
  }
}

/** Whether there is WebGL, and whether pictures are drawn by the processor: too slow to smooth. */
function probe() {
  const gl = document.createElement("canvas").getContext("webgl2");
  if (!gl) return null;
  const names = gl.getExtension("WEBGL_debug_renderer_info");
  const name = names ? gl.getParameter(names.UNMASKED_RENDERER_WEBGL) : "";
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return { isSlow: /swiftshader|llvmpipe|software|basic render/i.test(name) };
}
