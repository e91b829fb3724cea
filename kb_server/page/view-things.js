/**
 * All that is drawn of a mind: a figure for each thing, head and hand that it has, and one more,
 * a ghost, for each that really is elsewhere. Figures stay as long as what they show does.
 */
import { Vector3 } from "./vendor/three.module.min.js";
import { believed } from "./view-belief.js";
import { Figure } from "./view-figure.js";

const GLASS = 0.35;
const CONTAINER = 0.62;
const OPEN = 0.32; // of a container that holds something, so that it shows

function cover({ transparent, shape }) {
  return transparent === true ? GLASS : shape?.bin ? CONTAINER : 1;
}

const middle = new Vector3();

export function createThings(scene, { shapes, materials, colors, marks, arms, bust, hue }) {
  const held = new Map();
  const ghosts = new Map();
  const arrows = [];
  const inside = new Set();
  const holding = new Set();
  const counts = { solid: 0, wrong: 0, ghost: 0, lost: 0 };
  let all = [];
  let stamp = 0;
  let isChanged = false;
  let asked = null;

  function wears(look) {
    const { agent } = look;
    const color = agent === null ? colors.ofThing(look) : `#${colors.ofMind(hue(agent)).getHexString()}`;
    const paint = { cover: cover(look), isPainted: look.kind === "head" };
    const solid = materials.solid(color, paint);
    if (agent === null) return { shapes, materials, solid, open: materials.solid(color, { cover: OPEN }) };
    const own = colors.ofMind(hue(agent));
    return { shapes, materials, solid, bust, gaze: materials.gaze(own), body: materials.body(own), own };
  }

  /** The figure of a name, made anew when its look is another. */
  function figure(figures, name, look) {
    const before = figures.get(name);
    if (before && before.look.staged === look.staged && before.look.kind === look.kind) return before;
    const made = new Figure(look, wears(look));
    before?.dispose();
    figures.set(name, made);
    scene.add(made.group);
    isChanged = true;
    return made;
  }

  function tell(name, as, pose, really) {
    const look = asked.lookOf(name);
    if (look.shape?.plane || (look.kind === "hand" && asked.size > 1)) return;
    const shown = figure(as === "ghost" ? ghosts : held, name, look);
    shown.place(pose, look.kind === "head" ? asked.size : 1);
    if (shown.pose === null) return;
    shown.stamp = stamp;
    shown.dress(as, asked.isChosen(look.name));
    counts[as] += look.kind === "hand" ? 0 : 1;
    if (really) arrows.push(pose, really);
  }

  function sweep(figures) {
    for (const [name, each] of figures) {
      if (each.stamp === stamp) continue;
      each.dispose();
      figures.delete(name);
      isChanged = true;
    }
  }

  /** Opens the containers that hold something. */
  function enclose() {
    inside.clear();
    holding.clear();
    for (const each of all) {
      const container = each.look.kind === "thing" ? containerOf(each) : null;
      if (container) inside.add(each), holding.add(container);
    }
    for (const each of all) each.enclose(inside.has(each), holding.has(each));
  }

  function containerOf(figure) {
    figure.middle(middle);
    for (const each of all) {
      if (each !== figure && each.look.shape?.bin && each.as !== "ghost" && each.holds(middle)) return each;
    }
    return null;
  }

  return {
    counts,
    get all() {
      return all;
    },
    held,
    ghosts,
    /** Draws what a mind holds: `{poses, truth, lookOf, lasts, isChosen}`, heads in that size. */
    update(what) {
      asked = what;
      stamp += 1;
      arrows.length = 0;
      counts.solid = counts.wrong = counts.ghost = counts.lost = 0;
      believed(what, tell);
      sweep(held);
      sweep(ghosts);
      if (isChanged) all = [...held.values(), ...ghosts.values()];
      isChanged = false;
      enclose();
    },
    /** The arrows, as thick as fits a scene of that size. */
    mark(size) {
      marks.begin();
      for (let n = 0; n < arrows.length; n += 2) marks.tell(arrows[n], arrows[n + 1], size);
      marks.end();
    },
    /** The arms of all whose head and hand are believed to be somewhere. */
    reach() {
      arms.begin();
      for (const { look, group, wears } of held.values()) {
        const head = look.kind === "hand" ? held.get(look.head) : null;
        if (head) arms.tell(head.group.matrix, group.matrix, look.isLeft, wears.own);
      }
      arms.end();
    },
    /** Hides what a mind's owner doesn't see of it: own head, and what only others know. */
    look(head) {
      for (const [name, each] of held) each.group.visible = name !== head;
      for (const each of ghosts.values()) each.group.visible = head === null;
      for (const each of marks.objects) each.visible = head === null && each.count > 0;
    },
    clear() {
      for (const figures of [held, ghosts]) {
        for (const each of figures.values()) each.dispose();
        figures.clear();
      }
      all = [];
    },
  };
}
