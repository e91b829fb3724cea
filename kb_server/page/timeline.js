/**
 * The line of time: from the first delta to the last, to drag, play and step; all else follows it.
 */

import { sayDispute } from "./divergence.js";
import { make } from "./make.js";
import { isUnderWay, stepAt } from "./story.js";
import { createTicks } from "./ticks.js";

const MOST = 400;
const SMALL = 250;
const LARGE = 2_000;
const DRAWN_EVERY = 250;
const PLAYED_EVERY = 125;
/** @type {Record<string, number>} which way a key goes, in steps */
const KEYS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -20, PageUp: 20 };
const SPEEDS = [0.5, 1, 2, 5, 20];
const LOST = new Set(["lost", "refused"]);

/**
 * @typedef {{seq: number, t: number, kind: "step"|"began"|"ended", label: string, key: string,
 *            says: () => string, step?: number}} Tick
 */

/** @param {HTMLElement} element @param {import("./board.js").Board} board */
export function createTimeline(element, board) {
  const parts = build(element);
  const ticks = createTicks(parts.ticks, leap);
  let isHeld = false;
  let playing = 0;
  let timer = 0;

  const start = () => board.moments.first?.t ?? 0;
  const length = () => Math.max((board.moments.last?.t ?? 0) - start(), 0);
  /** Where the moment shown is, in ms from the start. */
  const place = (moment = board.moment) => {
    if (!moment) return length();
    const t = moment.t ?? board.moments.timeOf(/** @type {number} */ (moment.seq)) ?? start();
    return Math.min(Math.max(t - start(), 0), length());
  };

  // --- what it shows ---

  function draw() {
    timer = 0;
    const whole = length();
    parts.range.max = String(Math.max(whole, 1));
    parts.range.disabled = whole === 0;
    if (!isHeld && !playing) parts.range.value = board.moment ? String(place()) : parts.range.max;
    ticks.draw(marks(board), start(), whole);
    say();
  }

  function say() {
    const here = Number(parts.range.value);
    const step = stepAt(board);
    const [at, whole] = [spent(here), spent(length())];
    const when = new Date(start() + place()).toLocaleTimeString();
    const isPast = board.moment !== null;
    element.dataset.moment = isPast ? "past" : "now";
    const live = LOST.has(board.state) && board.models.length ? "As it was when the connection was lost" : "Now";
    parts.state.textContent = isPast ? `The past: ${at} in` : live;
    parts.state.title = isPast ? `All as it was at ${when}` : "";
    parts.step.textContent = parts.step.title = step ? `${step.n}. ${step.says}` : "";
    parts.clock.textContent = `${at} / ${whole}`;
    parts.clock.title = board.chronicle.isCut ? "What was before is dropped from the board" : "";
    parts.range.setAttribute("aria-valuetext", `${at} of ${whole}${isPast ? "" : ", now"}`);
    parts.now.hidden = !isPast;
    parts.play.textContent = playing ? "II" : "▶";
    parts.play.setAttribute("aria-label", playing ? "Pause" : "Play");
  }

  function drawSoon() {
    timer ||= setTimeout(draw, DRAWN_EVERY);
  }

  // --- where it goes ---

  /** @param {number} here in ms from the start */
  function go(here) {
    board.goTo(here >= length() ? null : { t: start() + here });
  }

  /** @param {Tick} tick */
  function leap({ seq, step }) {
    stop();
    board.goTo({ seq, step });
  }

  /** To the next mark, or the one before. @param {number} way */
  function step(way) {
    const here = place(board.goal) + start();
    const all = marks(board);
    const next = way > 0 ? all.find(({ t }) => t > here + 1) : all.findLast(({ t }) => t < here - 1);
    if (next) leap(next);
    else if (way > 0) back();
    else go(0);
  }

  function back() {
    stop();
    board.goTo(null);
  }

  function stop() {
    cancelAnimationFrame(playing);
    playing = 0;
    say();
  }

  function play() {
    let here = board.goal ? place(board.goal) : 0;
    let before = performance.now();
    let sent = 0;
    const tick = (now) => {
      here += (now - before) * Number(parts.speed.value);
      before = now;
      parts.range.value = String(here);
      if (here >= length()) {
        back();
        return;
      }
      if (now - sent > PLAYED_EVERY) {
        sent = now;
        go(here);
      }
      playing = requestAnimationFrame(tick);
    };
    playing = requestAnimationFrame(tick);
    say();
  }

  function moved() {
    isHeld = true;
    if (playing) stop();
    go(Number(parts.range.value));
    say();
  }

  parts.range.oninput = moved;
  parts.range.onkeydown = (event) => {
    const by = KEYS[event.key] ?? 0;
    const to = { Home: 0, End: length() }[event.key] ?? Number(parts.range.value) + by * (event.shiftKey ? LARGE : SMALL);
    if (!by && !["Home", "End"].includes(event.key)) return;
    event.preventDefault();
    parts.range.value = String(to);
    moved();
    isHeld = false;
  };
  parts.range.onchange = () => (isHeld = false);
  parts.play.onclick = () => (playing ? stop() : play());
  parts.before.onclick = () => step(-1);
  parts.after.onclick = () => step(1);
  parts.now.onclick = back;
  board.on("moment", draw);
  board.on("story", draw);
  board.on("state", say);
  board.on("models", drawSoon);
  board.on("facts", drawSoon);
  draw();
}

/** What is marked, in order: all steps, and the newest of the rest. @param {import("./board.js").Board} board @returns {Tick[]} */
function marks({ story, moments, chronicle, people }) {
  const steps = (story?.steps ?? []).map((step) => {
    const { n, title } = step;
    const seq = beginning(step, isUnderWay(step, story) ? moments.last?.seq : step.seq);
    return {
      ...{ seq, t: moments.timeOf(seq) ?? 0, kind: "step", label: String(n), step: n },
      ...{ key: `step ${seq} ${n} ${title}`, says: () => `Step ${n}: ${title}` },
    };
  });
  const wrongs = chronicle.marks().slice(-MOST).map(({ seq, t, began, dispute }) => ({
    seq,
    t,
    kind: began ? "began" : "ended",
    label: "",
    key: `${began} ${seq} ${dispute.model} ${dispute.thing}`,
    says: () => `${began ? "From here:" : "No more:"} ${sayDispute(dispute, people)}`,
  }));
  return [...steps, ...wrongs].sort((a, b) => a.t - b.t);
}

/** The first delta of a step, if it has one. @param {{from: number}} step @param {number} [end] */
function beginning({ from }, end = from) {
  return Math.max(from, Math.min(from + 1, end));
}

/** A time as people write it: "1:02.4". @param {number} ms */
function spent(ms) {
  const tenths = Math.round(ms / 100);
  const [hours, minutes, seconds] = [Math.floor(tenths / 36_000), Math.floor(tenths / 600) % 60, (tenths % 600) / 10];
  const rest = seconds.toFixed(1).padStart(4, "0");
  return hours ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** @param {HTMLElement} element */
function build(element) {
  const part = (tag, id, label = null, text = "") =>
    make(tag, { "data-testid": id, "aria-label": label, title: label }, text);
  const says = document.createElement("div");
  const controls = document.createElement("div");
  const track = document.createElement("div");
  const ticks = document.createElement("div");
  [says.className, controls.className, track.className, ticks.className] = ["says", "controls", "track", "ticks"];
  const [state, step] = [part("p", "moment-state"), part("p", "moment-step")];
  state.setAttribute("role", "status");
  const now = part("button", "now", null, "Back to now");
  const before = part("button", "step-back", "To the mark before", "|◀");
  const play = part("button", "play", "Play", "▶");
  const after = part("button", "step-on", "To the next mark", "▶|");
  const speed = /** @type {HTMLSelectElement} */ (part("select", "speed", "Speed"));
  for (const each of SPEEDS) speed.append(new Option(`${each}×`, String(each), each === 1, each === 1));
  const range = /** @type {HTMLInputElement} */ (part("input", "timeline", "Moment"));
  Object.assign(range, { type: "range", min: "0", step: "any" });
  const clock = part("p", "clock");
  says.append(state, now, step);
  track.append(ticks, range);
  controls.append(before, play, after, speed, track, clock);
  element.append(says, controls);
  return { state, step, now, before, play, after, speed, range, ticks, clock };
}
