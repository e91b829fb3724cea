/**
 * How each named pose looks: things as they are staged, and the heads and hands of agents, which
 * are poses of their own. A pose of which nobody staged a look is a head or a hand when its name
 * says so, as `sally_head` does, or is an agent's; else a small box. Elbows are not drawn.
 */

import { ownerOf } from "./terms.js";

const PLAIN = { box: [0.08, 0.08, 0.08] }; // what is known by its place alone
const PART = /^(.+)_(head|(?:left|right)_(?:hand|elbow|shoulder))$/;
const HUMAN = { class: "Human" }; // who is known by the name of a mind alone
const ROBOT = { class: "Robot" };

/** The looks by the name of the pose: `{kind: "thing"|"head"|"hand", name, agent, …}`. */
export function looksByPose(looks, models) {
  const found = new Map();
  for (const [name, look] of looks) {
    if (look?.kind === "agent") addAgent(found, name, look);
    else if (look) found.set(name, thingLook(name, look));
  }
  for (const model of models) {
    const agent = ownerOf(model);
    if (!found.has(agent) && ![...looks.values()].some((look) => look?.owner === agent)) {
      addAgent(found, agent, nobodyStaged(agent));
    }
  }
  return found;
}

function nobodyStaged(agent) {
  return agent === "myself" ? ROBOT : HUMAN;
}

function thingLook(name, look) {
  return { ...look, class: String(look.class ?? ""), name, kind: "thing", agent: null, staged: look };
}

function addAgent(found, name, look) {
  const parts = look.parts !== null && typeof look.parts === "object" ? look.parts : { head: name };
  const owner = String(look.owner ?? name);
  for (const [part, pose] of Object.entries(parts)) {
    if (part === "head") found.set(pose, headLook(name, look, owner));
    else if (part.endsWith("hand")) found.set(pose, handLook(pose, part, parts.head, owner));
    else found.set(pose, { kind: "unseen" });
  }
}

function headLook(name, look, owner) {
  const shape = { head: /robot/i.test(look.class ?? "") ? "robot" : "human" };
  const isField = Array.isArray(look.fov) && look.fov.length === 2 && look.fov.every((angle) => angle > 0);
  return { kind: "head", name, agent: owner, class: look.class, fov: isField ? look.fov : null, shape, static: false, staged: look };
}

function handLook(name, part, head, owner) {
  const shape = { hand: true };
  const isLeft = part.startsWith("left");
  return { kind: "hand", name, isLeft, head, agent: owner, class: "Hand", shape, static: false, staged: null };
}

/** The look of a pose that nobody staged one for. */
export function unknownLook(name) {
  const [, agent, part] = PART.exec(name) ?? [];
  if (part === "head") return { ...headLook(agent, nobodyStaged(agent), agent), staged: null };
  if (part?.endsWith("hand")) return handLook(name, part, `${agent}_head`, agent);
  if (part) return { kind: "unseen" };
  return { kind: "thing", name, agent: null, class: "", shape: PLAIN, static: false, staged: null };
}

/** The head of the agent whose mind a model is, of those `has(name)` a pose: `{name, look}`, or null. */
export function headOf(model, looks, has) {
  const agent = ownerOf(model);
  for (const [name, look] of looks) {
    if (look.kind === "head" && look.agent === agent && has(name)) return { name, look };
  }
  const name = `${agent}_head`; // where nobody staged what the parts of agents are called
  return has(name) && !looks.has(name) ? { name, look: unknownLook(name) } : null;
}
