/**
 * Entry script of an integration's process, which loads the script of the integration. The entry passes each event to the
 * script and writes the logs of the event to standard output, line by line, so that the logs of a script in an endless loop
 * are available, too. The last line of an event reports that the script has finished it, including work after its response.
 * If the script has logged nothing and has finished, a header of the response reports that instead. All responses of the
 * entry have this marker header, which distinguishes them from responses of `workerd` itself.
 *
 * A line is a JSON array that starts with the event:
 *
 * - event, log, true if the script exceeded a limit
 * - event, URL of a request that can't have headers
 * - event: the script has finished
 *
 * A request may contain several concurrent events (see `BatchScript`).
 *
 * A classic script (`v1`) is loaded as a CommonJS module. It adds a listener for `fetch` instead of exporting a function.
 */
import { maxLogBytes, maxLogs, maxSubrequests } from "@lectern/core/integration/IntegrationRuntime"
import { globals } from "./EntryGlobals.ts"
import { requests } from "./EventTexts.ts"
import { refusedHeader } from "./OutboundProxy.ts"
import { runHeader } from "./ProgramRuns.ts"
import { batchScript, batchHeader } from "./BatchScript.ts"

/**
 * Marker header of all responses of the entry. The value is the id of the event, which is secret from the script, so that
 * the script can't forge the header. After a space follows a state: `done` = the script has finished and logged nothing;
 * `failed` = the entry has failed.
 */
export const markerHeader = "x-lectern-answered"

/** Maximum number of different refusals that are logged for one event. */
const maxRefusals = 10

/** Maximum length of a URL in a line. */
const maxOpened = 1_024

/** Code that writes logs within their limits. Values that are not text are written as JSON. The script can't write lines. */
const logging = `
const toConsole = console.log.bind(console);
const write = (line) => asConsoleNeeds(() => toConsole(line));
/** Throws if lines can't be written, since work after the response would wait for its last line until the timeout. */
const mayWrite = () => asConsoleNeeds(() => {});
// The console loads its parts with the first line. That must happen before a script changes built-in objects.
write("");
const fetchOutside = globalThis.fetch.bind(globalThis);
const begun = (run) => ({ run, lines: 0, bytes: 0, refusals: new Set(), opened: 0, thrown: undefined, isFull: false });
const written = (value) => {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return String(value.stack ?? value);
    try { return jsonOf(value) ?? String(value); } catch { return String(value); }
  } catch {
    return "What can't be written";
  }
};
// Lines are built from texts only, so that changed prototypes have no effect.
const say = (log, level, message, isTooMuch) =>
  write('["' + log.run + '",{"level":"' + level + '","message":' + jsonOf(message) + ',"timestamp":"' + timeIn(new Date()) + '"},' + isTooMuch + "]");
const note = (log, level, values) => {
  if (log === undefined || log.isFull) return;
  let message = "";
  for (let i = 0; i < values.length; i++) message += (i === 0 ? "" : " ") + written(values[i]);
  const left = ${maxLogBytes} - log.bytes;
  log.bytes += message.length;
  const hasRoom = ++log.lines <= ${maxLogs};
  // A message that is too long is cut off at the limit.
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
/** Reports a request that can't have headers, before it is sent. Limited by the number of requests of an event. */
const noteOpened = (log, url) => {
  if (log === undefined || log.opened >= ${maxSubrequests}) return;
  const asked = textOf(url);
  if (asked.length > ${maxOpened}) return;
  log.opened++;
  write('["' + log.run + '",' + jsonOf(asked) + "]");
};
const isDone = (log) => write('["' + log.run + '"]');
const listen = (current) => {
  for (const name of Object.getOwnPropertyNames(console))
    if (typeof console[name] === "function") console[name] = () => {};
  for (const [name, level] of [["debug", "debug"], ["trace", "debug"], ["log", "info"], ["info", "info"], ["dir", "info"], ["table", "info"], ["warn", "warn"], ["error", "error"]])
    console[name] = (...values) => note(current(), level, values);
  // The handler runs in the context of the event that created the promise.
  globalThis.addEventListener("unhandledrejection", ({ reason }) => noteThrown(current(), reason));
  // The platform does not report errors in these callbacks.
  for (const name of ["setTimeout", "setInterval", "queueMicrotask"]) {
    const begin = globalThis[name].bind(globalThis);
    globalThis[name] = (act, after, ...values) => {
      const noted = () => {
        try {
          return apply(act, undefined, values);
        } catch (error) {
          noteThrown(current(), error);
          throw error;
        }
      };
      return begin(typeof act === "function" ? noted : act, after);
    };
  }
  for (const name of ["EventSource", "WebSocket"]) {
    const opened = globalThis[name];
    globalThis[name] = new Proxy(opened, bare({
      construct: (target, values, made) => {
        noteOpened(current(), values[0]);
        return construct(target, values, made);
      }
    }));
    opened.prototype.constructor = globalThis[name];
  }
  globalThis.fetch = async (...asked) => {
    const log = current();
    const request = new Request(...asked);
    if (log !== undefined) setHeader(headersOfRequest(request), "${runHeader}", log.run);
    const answer = await fetchOutside(request);
    const refusal = headerIn(headersIn(answer), "${refusedHeader}");
    if (refusal !== null) noteRefusal(log, decoded(refusal));
    return answer;
  };
};
const isQuiet = (log, waiting) => waiting.length + log.lines + log.refusals.size === 0;
/** Returns a response with the marker header. A fetched response is immutable, so it is copied. */
const marked = (answer, mark) => {
  try {
    setHeader(headersIn(answer), "${markerHeader}", mark);
    return answer;
  } catch {
    const copy = new Response(bodyIn(answer), bare({ status: statusIn(answer), statusText: answer.statusText, headers: headersIn(answer) }));
    setHeader(headersIn(copy), "${markerHeader}", mark);
    return copy;
  }
};
/** Returns the reason why the value that a script returned can't be sent, or undefined. */
const objectionTo = (answer) => {
  let status = 0;
  try { status = statusIn(answer); } catch {}
  // Status 0 is Response.error().
  if (status === 0) return "It answered what is no response";
  if (socketIn(answer) !== null) return "It answered with a WebSocket, which nothing here has asked for";
  const body = bodyIn(answer);
  if (isRead(answer) || (body !== null && isLocked(body))) return "It answered with a body that was read already";
};
/** Logs an error of the script once. A module that can't be loaded is both an error of the event and an unhandled rejection. */
const noteThrown = (log, error) => {
  if (log === undefined || (typeof error === "object" && error === log.thrown)) return;
  log.thrown = error;
  note(log, "error", [error]);
};
/** Waits for all work of the script after its response, and logs its errors. */
const endOf = async (log, waiting) => {
  for (let i = 0; i < waiting.length; i++) try { await waiting[i]; } catch (error) { noteThrown(log, error); }
  isDone(log);
};
`

/** Code that passes a request to the script, by type of script. */
const givers = {
  v2: `
const give = async (request, env, context) => await (await load()).default.fetch(request, env, context);
`,
  v1: `
const listeners = [];
const assign = Object.assign;
const add = globalThis.addEventListener.bind(globalThis);
globalThis.addEventListener = (type, listener, options) =>
  type === "fetch" ? void listeners.push(listener) : add(type, listener, options);
const give = async (request, env, context) => {
  await load();
  let answered;
  const event = assign(new Event("fetch"), { ...context, request, respondWith: (answer) => { answered ??= answer; } });
  for (const listener of listeners) if (answered === undefined) listener(event);
  return (await answered) ?? answerOf(null, 404);
};
`
}

/** Returns the entry module. It imports the script of the integration as `script.js`. */
export const entry = (runtime: "v1" | "v2") => `
import { AsyncLocalStorage } from "node:async_hooks";
${globals}
const store = new AsyncLocalStorage();
const within = store.run.bind(store);
${logging}
listen(store.getStore.bind(store));
let loaded;
const load = async () => (loaded ??= await import("script.js"));
${givers[runtime]}
const giveIn = (log, waiting, request, ctx) => within(log, async () => {
  try {
    const answer = await give(request, {}, {
      waitUntil: (promise) => { waiting.push(promise); ctx.waitUntil(promise); },
      passThroughOnException: () => {}
    });
    const objection = objectionTo(answer);
    if (objection === undefined) return answer;
    note(log, "error", [objection]);
  } catch (error) {
    noteThrown(log, error);
  }
  return answerOf(null, 500, { "x-lectern-uncaught": "1" });
});
${requests}
${batchScript(markerHeader)}
const giveOne = async (run, request, headers, ctx) => {
  const log = begun(run);
  const waiting = [];
  const answer = await giveIn(log, waiting, new Request(request, bare({ headers })), ctx);
  const isDone = isQuiet(log, waiting);
  if (!isDone) {
    mayWrite();
    ctx.waitUntil(endOf(log, waiting));
  }
  return marked(answer, isDone ? run + " done" : run);
};
export default {
  fetch: async (request, env, ctx) => {
    const headers = new Headers(headersOfRequest(request));
    const run = headerIn(headers, "${runHeader}");
    const atOnce = headerIn(headers, "${batchHeader}");
    try {
      dropHeader(headers, "${runHeader}");
      if (atOnce === null) return await giveOne(run, request, headers, ctx);
      dropHeader(headers, "${batchHeader}");
      dropHeader(headers, "content-length");
      return await giveTogether(run, atOnce, request, headers, ctx);
    } catch {
      return answerOf(null, 500, { "${markerHeader}": run + " failed" });
    }
  }
};
`
