/**
 * Entry before the script of an integration in its process. It gives the script each event, and writes what
 * the script logs for that event to the standard output, line by line, so that the logs of a script that never
 * ends are known, too. The last line of an event says that the script is done with it, behind its answer too; of
 * one that has logged nothing and has nothing left to do a header of the answer says so.
 *
 * A line is JSON: the event, and a log, behind which stands whether the script has asked for more than it may;
 * or the event alone.
 *
 * Several events come in one request where they are to be given to the script in turn. Of each a line says what it was
 * answered with, and whether the script is done with it. That ends behind one of which the next should not know the
 * environment that was made for both: it has changed something through the interface, or all took more than a second.
 *
 * Several that are to be given to the script at once come in one request as well (see `TogetherScript`).
 *
 * A classic script (`v1`) is loaded as a CommonJS module, whose text is no module to the language: it listens
 * for `fetch` where a module has a function of that name.
 */
import { maxLogBytes, maxLogs } from "@lectern/core/integration/IntegrationRuntime"
import { requests } from "./EventTexts.ts"
import { changedHeader, refusedHeader } from "./OutsideDoor.ts"
import { together, togetherHeader } from "./TogetherScript.ts"

/** Which event a request is about. */
export const runHeader = "x-lectern-run"

/**
 * Header of an answer whose script is done with the event, and has logged nothing: it saves a line. Its value is the
 * event, which the script is not told, so it can say nothing of the kind itself.
 */
export const doneHeader = "x-lectern-done"

/**
 * Events of a request that are to be given in turn, as `EventTexts` lists them. They are `<run>.0`, `<run>.1` and so on,
 * and `doneHeader` of the answer says how many of them the script was given: `<run>.<count>`.
 */
export const inTurnHeader = "x-lectern-in-turn"

/** How long one request goes on to give the events in it, in milliseconds. */
const turnsLast = 1_000

/** How many refusals of one event are told apart. */
const maxRefusals = 10

/** Writes logs within their bounds, and what is no text in them as JSON. Nothing else can write to the output. */
const logging = `
const write = console.log.bind(console);
const fetchOutside = globalThis.fetch.bind(globalThis);
const now = Date.now.bind(Date);
const begun = (run) => ({ run, lines: 0, bytes: 0, refusals: new Set(), isFull: false, hasChanged: false });
const written = (value) => {
  if (typeof value === "string") return value;
  if (value instanceof Error) return value.stack ?? String(value);
  try { return JSON.stringify(value) ?? String(value); } catch { return String(value); }
};
const say = (log, level, message, isTooMuch) =>
  write(JSON.stringify([log.run, { level, message, timestamp: new Date().toISOString() }, isTooMuch]));
const note = (log, level, values) => {
  if (log === undefined || log.isFull) return;
  const message = values.map(written).join(" ");
  const left = ${maxLogBytes} - log.bytes;
  log.bytes += message.length;
  const hasRoom = ++log.lines <= ${maxLogs};
  // Of one that is too long all is kept that there is room for.
  if (hasRoom && (left > 0 || message === "")) say(log, level, message.slice(0, left), false);
  if (hasRoom && message.length <= left) return;
  log.isFull = true;
  say(log, "error", "It logs more than it may: ${maxLogs} lines, ${maxLogBytes / 1024} KiB", true);
};
const noteRefusal = (log, message) => {
  if (log === undefined || log.refusals.has(message) || log.refusals.size >= ${maxRefusals}) return;
  log.refusals.add(message);
  say(log, "error", message, true);
};
const isDone = (log) => write(JSON.stringify([log.run]));
const isAnswered = (log, status, isDone) => write(JSON.stringify([log.run, status, isDone]));
const listen = (current) => {
  for (const name of Object.getOwnPropertyNames(console))
    if (typeof console[name] === "function") console[name] = () => {};
  for (const [name, level] of [["debug", "debug"], ["trace", "debug"], ["log", "info"], ["info", "info"], ["dir", "info"], ["table", "info"], ["warn", "warn"], ["error", "error"]])
    console[name] = (...values) => note(current(), level, values);
  globalThis.fetch = async (...asked) => {
    const log = current();
    const answer = await fetchOutside(...asked);
    const refusal = answer.headers.get("${refusedHeader}");
    if (refusal !== null) noteRefusal(log, decodeURIComponent(refusal));
    if (log !== undefined && answer.headers.has("${changedHeader}")) log.hasChanged = true;
    return answer;
  };
};
const isQuiet = (log, waiting) => waiting.length + log.lines + log.refusals.size === 0;
const saysDone = (log, waiting, answer) => {
  if (!isQuiet(log, waiting)) return false;
  try {
    answer.headers.set("${doneHeader}", log.run);
    return true;
  } catch {
    return false;
  }
};
const allOf = async (waiting) => {
  for (let seen = 0; seen < waiting.length;) {
    const more = waiting.slice(seen);
    seen = waiting.length;
    await Promise.allSettled(more);
  }
};
const endOf = async (log, waiting) => {
  await allOf(waiting);
  isDone(log);
};
`

/** How a script is given a request, by what it is. */
const givers = {
  v2: `
const give = async (...given) => (await load()).default.fetch(...given);
`,
  v1: `
const listeners = [];
const add = globalThis.addEventListener.bind(globalThis);
globalThis.addEventListener = (type, listener, options) =>
  type === "fetch" ? void listeners.push(listener) : add(type, listener, options);
const give = async (request, env, context) => {
  await load();
  let answered;
  const event = Object.assign(new Event("fetch"), { ...context, request, respondWith: (answer) => { answered ??= answer; } });
  for (const listener of listeners) if (answered === undefined) listener(event);
  return (await answered) ?? new Response(null, { status: 404 });
};
`
}

/** Module that is asked in place of the script, which lies beside it as `script.js`. */
export const entry = (runtime: "v1" | "v2") => `
import { AsyncLocalStorage } from "node:async_hooks";
const store = new AsyncLocalStorage();
${logging}
listen(() => store.getStore());
let loaded;
const load = async () => (loaded ??= await import("script.js"));
${givers[runtime]}
const giveIn = (log, waiting, request, ctx) => store.run(log, async () => {
  try {
    return await give(request, {}, {
      waitUntil: (promise) => { waiting.push(promise); ctx.waitUntil(promise); },
      passThroughOnException: () => {}
    });
  } catch (error) {
    note(log, "error", [error]);
    return new Response(null, { status: 500, headers: { "x-lectern-uncaught": "1" } });
  }
});
/** Status of an answer whose body nobody reads. */
const statusOf = (log, answer) => {
  if (!(answer instanceof Response)) {
    note(log, "error", ["It answered what is no response"]);
    return 500;
  }
  // There is nothing to give up of one that was made of a text.
  if (!texts.has(answer)) try { answer.body?.cancel().catch(() => {}); } catch {}
  return answer.status;
};
const giveInTurn = async (run, events, request, headers, ctx) => {
  const until = now() + ${turnsLast};
  const given = eventsOf(events, await request.text(), request.url, headers);
  let count = 0;
  for (;;) {
    const log = begun(run + "." + count);
    const waiting = [];
    const answer = await giveIn(log, waiting, given[count].asked(), ctx);
    const status = statusOf(log, answer);
    if (waiting.length > 0) {
      isAnswered(log, status, false);
      await allOf(waiting);
    }
    isAnswered(log, status, true);
    count++;
    if (count === given.length || log.hasChanged || now() > until) break;
  }
  return new Response(null, { headers: { "${doneHeader}": run + "." + count } });
};
${requests}
${together(doneHeader)}
export default {
  fetch: async (request, env, ctx) => {
    const headers = new Headers(request.headers);
    const [run, inTurn, atOnce] = ["${runHeader}", "${inTurnHeader}", "${togetherHeader}"].map((name) => headers.get(name));
    headers.delete("${runHeader}");
    if (inTurn !== null || atOnce !== null) {
      for (const name of ["${inTurnHeader}", "${togetherHeader}", "content-length"]) headers.delete(name);
      return inTurn === null
        ? giveTogether(run, atOnce, request, headers, ctx)
        : giveInTurn(run, inTurn, request, headers, ctx);
    }
    const log = begun(run);
    const waiting = [];
    const answer = await giveIn(log, waiting, new Request(request, { headers }), ctx);
    if (!saysDone(log, waiting, answer)) ctx.waitUntil(endOf(log, waiting));
    return answer;
  }
};
`
