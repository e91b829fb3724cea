/**
 * The scene as one mind has it. Solid is what that mind believes; a ghost is what is there only
 * really, for `myself`; outlined in red, with an arrow to where it really is, what it believes
 * wrongly; faint, what it has lost from sight. It can be turned, and looked at through the eyes of
 * the mind's owner. It draws when something changed, and then once.
 */
import { DirectionalLight, HemisphereLight, Scene } from "./vendor/three.module.min.js";
import { ownerOf } from "./terms.js";
import { createArms, createBust } from "./view-bodies.js";
import { createBar } from "./view-bar.js";
import { createCamera } from "./view-camera.js";
import { createCanvas } from "./view-canvas.js";
import { createColors } from "./view-colors.js";
import { createCover } from "./view-cover.js";
import { createEyes } from "./view-eyes.js";
import { createFraming, sizeOfHeads } from "./view-framing.js";
import { createGrid } from "./view-grid.js";
import { createLabels } from "./view-labels.js";
import { headOf, looksByPose, unknownLook } from "./view-looks.js";
import { createLasting } from "./view-lasting.js";
import { createMarks } from "./view-marks.js";
import { createMaterials } from "./view-materials.js";
import { createPick } from "./view-pick.js";
import { createShapes, isPose } from "./view-shapes.js";
import { createThings } from "./view-things.js";
import { calledOf } from "./view-names.js";

const TRUTH = "myself";
const NO_WEBGL =
  "This browser shows no 3D pictures (WebGL is missing or switched off). All else of the page works.";
const LOST = "The picture was lost. It comes back as soon as the browser allows.";
const EMPTY = "Nothing stands anywhere yet.";
const ADVICE = `${EMPTY} “mindboard demo sally-anne” plays a story here.`;
const SOON = "The story is about to begin.";
const EMPTY_MIND = "This mind knows no place of anything.";
const AFTER = { solid: "", wrong: " · believed here", ghost: " · really here", lost: " · last seen here" };
const PATIENCE = 1500; // milliseconds that the places of a mind may be on their way
const FIXED = 6; // things that stay where they are, of which more are named only when asked for
const RANKS = 4; // more than all the ranks of names
const TELLING = ["isIn", "isInHand", "isOn", "isNextTo", "a"]; // of a thing that is picked, the best first

/** Draws the board's mind into an element. @param {HTMLElement} element */
export function createView(element, board) {
  element.classList.add("view");
  const layer = Object.assign(document.createElement("div"), { className: "view-labels" });
  const surface = Object.assign(document.createElement("div"), { className: "view-surface" });
  surface.append(layer);
  element.append(surface);
  const state = { isStale: true, isLost: false, isEyes: false, head: null, field: null, unknown: new Map(), size: 1, again: 0, asked: 0, hovered: null, isCrowded: false };
  const bar = createBar(element, {
    mind: (model) => board.lookAs(model),
    eyes: (isOn) => look(isOn),
    whole: () => walk.moves.reframe(),
  });
  const canvas = createCanvas(surface, { draw, lost });
  if (!canvas) return withoutPicture(element, bar, board);

  const colors = createColors(element);
  const materials = createMaterials(colors);
  const shapes = createShapes();
  const marks = createMarks(materials);
  const grid = createGrid(materials);
  const scene = new Scene();
  const arms = createArms(materials);
  const bust = createBust();
  const hue = (agent) => board.hue(agent);
  const things = createThings(scene, { shapes, materials, colors, marks, arms, bust, hue });
  const framing = createFraming();
  const eyes = createEyes();
  const cover = createCover();
  const lasting = createLasting(lookAgain);
  const isChosen = (name) => chosen.has(name);
  const walk = createCamera(surface, () => canvas.wake());
  const labels = createLabels(layer, choose);
  let looks = new Map();
  let chosen = new Set();
  light();
  scene.add(grid.object, arms.object, ...marks.objects);
  canvas.canvas.tabIndex = 0;
  canvas.canvas.setAttribute("role", "img");

  function light() {
    const sun = new DirectionalLight(0xffffff, 1.5);
    sun.position.set(-2, -3, 5);
    scene.add(sun, new HemisphereLight(0xffffff, 0xb4b4c0, 2));
  }

  // --- what is drawn ---

  function lookOf(name) {
    const known = looks.get(name) ?? state.unknown.get(name);
    if (known) return known;
    state.unknown.set(name, unknownLook(name));
    return state.unknown.get(name);
  }

  /** The figures, as the board has them now. */
  function refresh() {
    state.isStale = false;
    const poses = board.poses(board.mind);
    if (poses.size === 0 && isAwaited()) return;
    const real = board.poses(TRUTH);
    const truth = real.size > 0 ? real : poses;
    put(poses, truth);
    framing.measure(things.all);
    if (sizeOfHeads(framing) !== state.size) put(poses, truth);
    if (poses.size > 0) state.asked = 0;
    grid.lie(framing.center, framing.radius, floor(truth));
    things.mark(framing.radius);
    things.reach();
    seeThrough(poses, truth);
    things.look(state.isEyes ? state.head?.name ?? "" : null);
    name();
    say();
  }

  /** Whether the places of a mind just chosen may still be on their way; the old picture stays. */
  function isAwaited() {
    const left = state.asked + PATIENCE - performance.now();
    if (left > 0) lookAgain(left);
    return left > 0;
  }

  function put(poses, truth) {
    state.size = sizeOfHeads(framing);
    lasting.begin(board.moment !== null || state.asked > 0);
    things.update({ poses, truth, lookOf, lasts: lasting.lasts, isChosen, size: state.size });
  }

  function floor(truth) {
    for (const [name, { static: isStatic }] of looks) {
      const pose = isStatic && lookOf(name).shape?.plane ? truth.get(name)?.pose : null;
      if (isPose(pose)) return pose[2];
    }
    return 0;
  }

  /** Where the eyes are of whose mind it is: where that mind has them, else where they really are. */
  function seeThrough(poses, truth) {
    const poseOf = (name) => poses.get(name)?.pose ?? truth.get(name)?.pose;
    const head = headOf(board.mind, looks, poseOf);
    state.head = head ? { name: head.name, pose: poseOf(head.name), fov: head.look.fov } : null;
  }

  function name() {
    labels.begin();
    state.isCrowded = things.all.filter(({ look }) => look.static).length > FIXED;
    if (state.isEyes) cover.gather(things.all);
    for (const [key, each] of things.held) label(key, each);
    for (const [key, each] of things.ghosts) label(`${key} really`, each);
    labels.end();
  }

  function label(key, figure) {
    const { look, as, group, isChosen, isInside } = figure;
    if (look.kind === "hand" || !group.visible) return;
    const isAsked = isChosen || look.name === state.hovered;
    if (look.static && state.isCrowded && !isAsked) return;
    if (state.isEyes && state.head && cover.isHidden(figure, eyes.at(state.head.pose))) return;
    const weight = look.static ? 0.6 : look.kind === "head" ? 0.2 : isInside ? -0.1 : 0;
    labels.tell(key, figure, calledOf(look) + AFTER[as], isAsked ? -RANKS : weight);
  }

  function hover(thing) {
    if (state.hovered === thing) return;
    state.hovered = thing;
    stale();
  }

  function say() {
    const { counts } = things;
    const isEmpty = things.all.length === 0;
    const isBare = things.held.size === 0 && !isEmpty;
    bar.hint(state.isLost ? LOST : isEmpty ? empty() : isBare ? EMPTY_MIND : "");
    bar.legend(counts);
    bar.eyes(state.isEyes, ownerOf(board.mind), state.head !== null);
    const text = `The world as ${board.mind} has it: ${counts.solid + counts.wrong} believed, ` +
      `${counts.wrong} of them wrongly, ${counts.ghost} only really there, ${counts.lost} lost from sight`;
    if (canvas.canvas.ariaLabel !== text) canvas.canvas.ariaLabel = text;
  }

  /** What to say where there is nothing to be seen. */
  function empty() {
    if (!board.story) return ADVICE;
    return board.story.steps.length ? EMPTY : SOON;
  }

  /** One picture; whether another follows. */
  function draw(renderer, width, height) {
    if (state.isStale) refresh();
    const camera = viewpoint(width, height);
    const isEasing = camera === walk.camera && walk.ease();
    renderer.render(scene, camera);
    labels.lay(camera, width, height, bar.covers);
    return isEasing;
  }

  function viewpoint(width, height) {
    const aspect = width / height;
    const field = state.isEyes && state.head ? eyes.look(state.head.pose, state.head.fov, aspect) : null;
    showField(field);
    if (field) return eyes.camera;
    if (walk.camera.aspect !== aspect) walk.camera.aspect = aspect;
    walk.frame(framing, width, height, bar.covers.top);
    walk.apply();
    return walk.camera;
  }

  function showField(field) {
    if (field?.width === state.field?.width && field?.height === state.field?.height) return;
    state.field = field;
    bar.field(field);
  }

  // --- what people do ---

  function look(isEyes) {
    state.isEyes = isEyes;
    stale();
  }

  /** Has the board tell why a thing is where it is believed to be. */
  function choose(thing) {
    if (thing === null) return board.choose(null);
    const facts = [...board.facts(board.mind)].filter((fact) => fact.startsWith(`${thing} `));
    const best = TELLING.map((word) => facts.find((fact) => fact.startsWith(`${thing} ${word} `)));
    const fact = best.find(Boolean) ?? facts[0];
    if (fact) board.choose({ model: board.mind, fact });
  }

  // --- what the board tells ---

  function lookAgain(left) {
    clearTimeout(state.again);
    state.again = setTimeout(stale, left);
  }

  function stale() {
    state.isStale = true;
    canvas.wake();
  }

  function lost(isLost) {
    state.isLost = isLost;
    if (isLost) bar.hint(LOST);
    else stale();
  }

  function dress() {
    colors.refresh();
    materials.refresh();
    canvas.renderer.setClearColor(colors.ground);
    things.clear();
    stale();
  }

  function turnTo() {
    bar.minds(board.models, board.mind);
    lasting.forget();
    state.asked = performance.now();
    stale();
  }

  function relook() {
    looks = looksByPose(board.looks, board.models);
    state.unknown.clear();
    stale();
  }

  const ends = [
    board.on("looks", relook),
    board.on("models", () => (bar.minds(board.models, board.mind), relook())),
    board.on("mind", turnTo),
    board.on("poses", stale),
    board.on("story", stale),
    board.on("moment", stale),
    board.on("chosen", () => {
      chosen = new Set(board.chosen?.fact?.split(" ") ?? []);
      stale();
    }),
    createPick(canvas.canvas, () => (state.field ? eyes.camera : walk.camera),
      () => things.all.map(({ group }) => group), choose, hover),
  ];
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", dress);
  bar.minds(board.models, board.mind);
  dress();
  relook();

  const view = {
    /** What is in the picture, for whoever can't see it: `[{name, kind, as, pose}]`. */
    describe: () => things.all.map(({ look: { name, kind }, as, pose }) => ({ name, kind, as, pose })),
    /** How it goes: pictures drawn, how long the last that was timed took, how coarse they are. */
    get pace() {
      const { pictures, took, coarse } = canvas.state;
      return { pictures, took, coarse, geometries: canvas.renderer.info.memory.geometries };
    },
    dispose() {
      for (const end of ends) end();
      clearTimeout(state.again);
      dark.removeEventListener("change", dress);
      things.clear();
      for (const each of [labels, marks, arms, bust, grid, bar, walk, canvas]) each.dispose();
      surface.remove();
    },
  };
  element.view = view;
  return view;
}

/** All that can be done where nothing can be drawn: say so, and let a mind be chosen. */
function withoutPicture(element, bar, board) {
  const minds = () => bar.minds(board.models, board.mind);
  const ends = [board.on("models", minds), board.on("mind", minds)];
  minds();
  bar.eyes(false, ownerOf(board.mind), false);
  bar.hint(NO_WEBGL);
  return (element.view = {
    describe: () => [],
    pace: { pictures: 0, took: 0, coarse: 1, geometries: 0 },
    dispose() {
      for (const end of ends) end();
      bar.dispose();
    },
  });
}
