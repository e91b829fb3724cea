/**
 * The line to the board: one websocket, made again with patience when it breaks.
 *
 * Subscriptions outlive it. Each resumes after what it has heard, of the same board; where that can't
 * be (another board answers there, or its journal no longer reaches back), it begins anew and says so.
 */

import { Refusal, askForTicket, get } from "./api.js";
import { Subscription } from "./subscription.js";
import { token } from "./token.js";

/** @typedef {"connecting"|"open"|"lost"|"refused"} LineState */

const FIRST_DELAY = 100;
const LONGEST_DELAY = 2_000;
const BEAT = 4_000;
const PING_WITHIN = 4_000;
const REASON_WITHIN = 3_000;
const OPEN_WITHIN = 5_000;
const ANSWER_WITHIN = 20_000;
const SAYABLE = /^[\w!#$%&'*+.^`|~-]+$/; // in a subprotocol

/**
 * @param {{onState?: (state: LineState, reason: Refusal|null) => void}} [hear]
 * @returns {Line}
 */
export function connect(hear = {}) {
  const line = new Line(hear.onState ?? (() => {}));
  line.retry();
  return line;
}

export class Line {
  /** @param {(state: LineState, reason: Refusal|null) => void} onState */
  constructor(onState) {
    this.state = /** @type {LineState} */ ("connecting");
    /** The name of the board at the other end, and the delta up to which all is told; null before. */
    this.board = /** @type {string|null} */ (null);
    this.seq = 0;
    this._onState = onState;
    this._socket = /** @type {WebSocket|null} */ (null);
    this._delay = FIRST_DELAY;
    this._timer = 0;
    this._beat = 0;
    this._number = 0;
    this._heardAt = 0;
    this._isAsking = false; // for a ticket
    /** @type {Map<string, {done: (answer: any) => void, fail: (reason: Refusal) => void, timer: number}>} */
    this._answers = new Map();
    /** @type {Map<string, Set<(event: any) => void>>} */
    this._hearers = new Map();
    /** @type {Map<string, Subscription>} */
    this._subscriptions = new Map();
    addEventListener("online", () => this._hurry());
    document.addEventListener("visibilitychange", () => this._hurry());
  }

  /**
   * Has a command carried out; a `Refusal` with status 0 when its answer is lost.
   * @param {string} op
   * @param {Record<string, unknown>} [fields]
   * @returns {Promise<any>}
   */
  command(op, fields = {}) {
    return this.say(`c${++this._number}`, { op, ...fields });
  }

  /**
   * Subscribes for as long as the handle is not ended. `onEvent` hears the events of the board, and
   * `{event: "begun", seq, board, resumed}` each time it stands: where `resumed` is false, what happened
   * before is not told. `{event: "error", error}` is its end.
   * @param {Record<string, unknown>} fields those of `subscribe`, or with `op` of `subscribe_divergence`
   * @param {(event: any) => void} onEvent
   * @returns {Subscription}
   */
  subscribe(fields, onEvent) {
    const subscription = new Subscription(this, fields, onEvent);
    if (this.state === "open") subscription.begin();
    return subscription;
  }

  /**
   * Hears the events that belong to no subscription: "poses", "stage", "models", and "open" of the line
   * itself: `{event: "open", board, afresh}`, `afresh` where another board answers than before.
   * @param {string} name
   * @param {(event: any) => void} hear
   * @returns {() => void} ends it
   */
  on(name, hear) {
    const hearers = this._hearers.get(name) ?? new Set();
    this._hearers.set(name, hearers.add(hear));
    return () => hearers.delete(hear);
  }

  /** A name that no subscription has had, under which this one is heard. @param {Subscription} subscription */
  enlist(subscription) {
    const name = `s${++this._number}`;
    this._subscriptions.set(name, subscription);
    return name;
  }

  /** What bears this name is heard no more. @param {string} name */
  forget(name) {
    this._subscriptions.delete(name);
  }

  /** Tries at once, also after a refusal. */
  retry() {
    clearTimeout(this._timer);
    if (this._socket) return;
    if (this.state === "refused") this._become("connecting", null);
    this._connect();
  }

  _hurry() {
    if (this.state === "lost" && document.visibilityState === "visible") this.retry();
  }

  /** @param {LineState} state @param {Refusal|null} reason */
  _become(state, reason) {
    this.state = state;
    this._onState(state, reason);
  }

  _connect() {
    const pass = token();
    if (!pass) this._dial();
    else if (SAYABLE.test(pass)) this._dial([`bearer.${pass}`]);
    else this._connectByTicket();
  }

  /** For a token that no subprotocol can say. */
  async _connectByTicket() {
    if (this._isAsking) return;
    this._isAsking = true;
    try {
      const { ticket } = await askForTicket(AbortSignal.timeout(OPEN_WITHIN));
      this._dial([], `?ticket=${ticket}`);
    } catch {
      this._broke(null);
    } finally {
      this._isAsking = false;
    }
  }

  /** @param {string[]} [says] subprotocols @param {string} [params] of the address */
  _dial(says = [], params = "") {
    const address = `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/events${params}`;
    const socket = new WebSocket(address, ["mindboard", ...says]);
    const late = setTimeout(() => socket.close(), OPEN_WITHIN);
    this._socket = socket;
    socket.onopen = () => {
      clearTimeout(late);
      this._opened(socket);
    };
    socket.onmessage = (message) => this._heard(JSON.parse(message.data));
    socket.onclose = () => {
      clearTimeout(late);
      this._broke(socket);
    };
  }

  /** @param {WebSocket} socket */
  async _opened(socket) {
    try {
      await this._hail();
    } catch {
      socket.close();
      return;
    }
    if (socket !== this._socket) return;
    this._delay = FIRST_DELAY;
    this._beat = setInterval(() => this._keepUp(socket), BEAT);
    for (const each of [...this._subscriptions.values()]) each.begin();
  }

  /** Learns which board it is; the first that is said on a line. */
  async _hail() {
    const { board, seq } = await this._ping();
    const afresh = this.board !== null && this.board !== board;
    this.board = board;
    this.seq = seq;
    this._become("open", null);
    this._tell({ event: "open", board, afresh });
  }

  _ping() {
    return this.say(`c${++this._number}`, { op: "ping" }, PING_WITHIN);
  }

  /** Sees how far the board has come; a line that says nothing is none. @param {WebSocket} socket */
  async _keepUp(socket) {
    try {
      const { seq } = await this._ping();
      this.seq = seq;
      for (const each of this._subscriptions.values()) each.passed(seq);
    } catch {
      if (performance.now() - this._heardAt < PING_WITHIN) return; // it has much else to say
      socket.close();
      this._broke(socket);
    }
  }

  /** @param {WebSocket|null} socket null where there was none yet */
  async _broke(socket) {
    if (socket !== this._socket) return;
    this._socket = null;
    clearInterval(this._beat);
    for (const { fail, timer } of this._answers.values()) {
      clearTimeout(timer);
      fail(new Refusal(0, "lost", "the line broke"));
    }
    this._answers.clear();
    if (this.state === "open") this._become("lost", null);
    const refusal = await whyRefused();
    if (this._socket) return;
    if (refusal) {
      this._become("refused", refusal);
      return;
    }
    if (this.state !== "lost") this._become("lost", null);
    this._timer = setTimeout(() => this.retry(), this._delay * (0.5 + Math.random() / 2));
    this._delay = Math.min(2 * this._delay, LONGEST_DELAY);
  }

  /** @param {any} frame */
  _heard(frame) {
    this._heardAt = performance.now();
    if (frame.event === undefined) this._answered(frame);
    else if (frame.sub !== undefined) this._subscriptions.get(frame.sub)?.hear(frame);
    else this._tell(frame);
  }

  /** @param {any} frame */
  _answered(frame) {
    const waiting = this._answers.get(frame.id);
    if (!waiting) return;
    this._answers.delete(frame.id);
    clearTimeout(waiting.timer);
    const { code, message, detail } = frame.error ?? {};
    if (frame.error) waiting.fail(new Refusal(400, code, message, detail));
    else waiting.done(frame);
  }

  /** @param {any} frame */
  _tell(frame) {
    for (const hear of [...(this._hearers.get(frame.event) ?? [])]) hear(frame);
  }

  /**
   * A command under an id of one's own.
   * @param {string} id @param {Record<string, unknown>} says @param {number} [within] ms
   * @returns {Promise<any>}
   */
  say(id, says, within = ANSWER_WITHIN) {
    return new Promise((done, fail) => {
      const socket = this._socket;
      if (socket?.readyState !== WebSocket.OPEN) {
        fail(new Refusal(0, "lost", "there is no line to the board"));
        return;
      }
      const timer = setTimeout(() => {
        this._answers.delete(id);
        fail(new Refusal(0, "timeout", "the board did not answer in time"));
      }, within);
      this._answers.set(id, { done, fail, timer });
      socket.send(JSON.stringify({ id, ...says }));
    });
  }
}

/** Why no line is given, if the board says; null when it says nothing. A browser hides it. */
async function whyRefused() {
  try {
    await get("/models", {}, { signal: AbortSignal.timeout(REASON_WITHIN) });
    return null;
  } catch (reason) {
    const refusal = /** @type {Refusal} */ (reason);
    return refusal.status === 401 || refusal.status === 403 ? refusal : null;
  }
}
