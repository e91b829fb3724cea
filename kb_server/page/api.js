/**
 * The calls of the board over HTTP. What it refuses is thrown as a `Refusal`, whatever the reason.
 */

import { token } from "./token.js";

/** What the board did not do, and why; `status` 0 where nobody answered. */
export class Refusal extends Error {
  /**
   * @param {number} status
   * @param {string} code
   * @param {string} message
   * @param {Record<string, unknown>} [detail]
   */
  constructor(status, code, message, detail = {}) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
    this.detail = detail;
  }
}

/**
 * @typedef {Record<string, string|number|boolean|null|undefined>} Params those that are null are left out
 * @typedef {{signal?: AbortSignal}} Options
 */

/** @param {string} path @param {Params} [params] @param {Options} [options] @returns {Promise<any>} */
export async function get(path, params = {}, { signal } = {}) {
  return json(await call(path, params, { signal }));
}

/** @param {string} path @param {unknown} body @param {Params} [params] @param {Options} [options] @returns {Promise<any>} */
export async function post(path, body, params = {}, { signal } = {}) {
  const headers = { "Content-Type": "application/json" };
  return json(await call(path, params, { method: "POST", headers, body: JSON.stringify(body), signal }));
}

/** A pass that is good for one request. @param {AbortSignal} signal @returns {Promise<{ticket: string}>} */
export async function askForTicket(signal) {
  return json(await call("/ticket", {}, { method: "POST", signal }));
}

/**
 * A SPARQL query; what it answers: `{head, results}` or `{head, boolean}`, or the text of a graph.
 * @param {string} query
 * @param {{model?: string, at?: string|number|null, inferred?: boolean, signal?: AbortSignal}} [where]
 * @returns {Promise<any>}
 */
export async function sparql(query, { model, at, inferred, signal } = {}) {
  const headers = {
    "Content-Type": "application/sparql-query",
    Accept: "application/sparql-results+json, text/turtle;q=0.9",
  };
  const answer = await call("/sparql", { model, at, inferred }, { method: "POST", headers, body: query, signal });
  return /json/.test(answer.headers.get("Content-Type") ?? "") ? json(answer) : answer.text();
}

/** The path of something of a model: `modelPath("sally.anne", "facts")`. @param {string} model @param {string[]} rest */
export function modelPath(model, ...rest) {
  return ["/models", model, ...rest].map((part, i) => (i ? encodeURIComponent(part) : part)).join("/");
}

/** @param {string} path @param {Params} params @param {RequestInit} init */
async function call(path, params, init) {
  const address = new URL(path, location.origin);
  for (const [name, value] of Object.entries(params)) {
    if (value !== null && value !== undefined) address.searchParams.set(name, String(value));
  }
  const pass = token();
  const headers = { ...init.headers, ...(pass ? { Authorization: `Bearer ${pass}` } : {}) };
  let answer;
  try {
    answer = await fetch(address, { ...init, headers, cache: "no-store" });
  } catch (reason) {
    if (init.signal?.aborted) throw new Refusal(0, "aborted", "no longer wanted");
    throw new Refusal(0, "unreachable", "the board does not answer", { reason: String(reason) });
  }
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** @param {Response} answer */
async function json(answer) {
  if (answer.status === 204) return null;
  try {
    return await answer.json();
  } catch (reason) {
    throw new Refusal(0, "broken", "the answer broke off", { reason: String(reason) });
  }
}

/** @param {Response} answer */
async function refusalOf(answer) {
  const body = await answer.json().catch(() => null);
  const { code, message, detail } = body?.error ?? {};
  return new Refusal(answer.status, code ?? "unknown", message ?? `the board answered ${answer.status}`, detail);
}
