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
const newLog = (run) => ({ run, lines: 0, bytes: 0, refusals: new Set(), opened: 0, thrown: undefined, isFull: false });
const textOfValue = (value) => {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return String(value.stack ?? value);
    try { return jsonOf(value) ?? String(value); } catch { return String(value); }
  } catch {
    return "What can't be written";
  }
};
// Lines are built from texts only, so that changed prototypes have no effect.
const writeLog = (log, level, message, isTooMuch) =>
  write('["' + log.run + '",{"level":"' + level + '","message":' + jsonOf(message) + ',"timestamp":"' + timeIn(new Date()) + '"},' + isTooMuch + "]");
const logValues = (log, level, values) => {
  if (log === undefined || log.isFull) return;
  let message = "";
  for (let i = 0; i < values.length; i++) message += (i === 0 ? "" : " ") + textOfValue(values[i]);
  const left = ${maxLogBytes} - log.bytes;
  log.bytes += message.length;
  const hasRoom = ++log.lines <= ${maxLogs};
  // A message that is too long is cut off at the limit.
  if (hasRoom && (left > 0 || message === "")) writeLog(log, level, message.slice(0, left), false);
  if (hasRoom && message.length <= left) return;
  log.isFull = true;
  writeLog(log, "error", "The program exceeded the log limit of ${maxLogs} lines and ${maxLogBytes / 1024} KiB", true);
};
const logRefusal = (log, message) => {
  if (log === undefined || log.refusals.has(message) || log.refusals.size >= ${maxRefusals}) return;
  log.refusals.add(message);
  writeLog(log, "error", message, true);
};
/** Reports a request that can't have headers, before it is sent. Limited by the number of requests of an event. */
const logOpened = (log, url) => {
  if (log === undefined || log.opened >= ${maxSubrequests}) return;
  const urlText = toText(url);
  if (urlText.length > ${maxOpened}) return;
  log.opened++;
  write('["' + log.run + '",' + jsonOf(urlText) + "]");
};
const isDone = (log) => write('["' + log.run + '"]');
const listen = (current) => {
  for (const name of Object.getOwnPropertyNames(console))
    if (typeof console[name] === "function") console[name] = () => {};
  for (const [name, level] of [["debug", "debug"], ["trace", "debug"], ["log", "info"], ["info", "info"], ["dir", "info"], ["table", "info"], ["warn", "warn"], ["error", "error"]])
    console[name] = (...values) => logValues(current(), level, values);
  // The handler runs in the context of the event that created the promise.
  globalThis.addEventListener("unhandledrejection", ({ reason }) => logThrown(current(), reason));
  // The platform does not report errors in these callbacks.
  for (const name of ["setTimeout", "setInterval", "queueMicrotask"]) {
    const begin = globalThis[name].bind(globalThis);
    globalThis[name] = (act, after, ...values) => {
      const noted = () => {
        try {
          return apply(act, undefined, values);
        } catch (error) {
          logThrown(current(), error);
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
        logOpened(current(), values[0]);
        return construct(target, values, made);
      }
    }));
    opened.prototype.constructor = globalThis[name];
  }
  globalThis.fetch = async (...fetchArguments) => {
    const log = current();
    const request = new Request(...fetchArguments);
    if (log !== undefined) setHeader(headersOfRequest(request), "${runHeader}", log.run);
    const response = await fetchOutside(request);
    const refusal = headerIn(headersIn(response), "${refusedHeader}");
    if (refusal !== null) logRefusal(log, decoded(refusal));
    return response;
  };
};
const isQuiet = (log, waiting) => waiting.length + log.lines + log.refusals.size === 0;
/** Returns a response with the marker header. A fetched response is immutable, so it is copied. */
const withMarker = (response, marker) => {
  try {
    setHeader(headersIn(response), "${markerHeader}", marker);
    return response;
  } catch {
    const copy = new Response(bodyIn(response), bare({ status: statusIn(response), statusText: response.statusText, headers: headersIn(response) }));
    setHeader(headersIn(copy), "${markerHeader}", marker);
    return copy;
  }
};
/** Returns the reason why the value that a script returned can't be sent, or undefined. */
const rejectionReason = (response) => {
  let status = 0;
  try { status = statusIn(response); } catch {}
  // Status 0 is Response.error().
  if (status === 0) return "The program returned no response that can be sent";
  if (socketIn(response) !== null) return "The program returned a WebSocket, but the request was not an upgrade";
  const body = bodyIn(response);
  if (isRead(response) || (body !== null && isLocked(body))) return "The program returned a response whose body was already read";
};
/** Logs an error of the script once. A module that can't be loaded is both an error of the event and an unhandled rejection. */
const logThrown = (log, error) => {
  if (log === undefined || (typeof error === "object" && error === log.thrown)) return;
  log.thrown = error;
  logValues(log, "error", [error]);
};
/** Waits for all work of the script after its response, and logs its errors. */
const endOf = async (log, waiting) => {
  for (let i = 0; i < waiting.length; i++) try { await waiting[i]; } catch (error) { logThrown(log, error); }
  isDone(log);
};
`

/** Code that passes a request to the script, by type of script. */
const callScriptByRuntime = {
  v2: `
const callScript = async (request, env, context) => await (await load()).default.fetch(request, env, context);
`,
  v1: `
const listeners = [];
const assign = Object.assign;
const add = globalThis.addEventListener.bind(globalThis);
globalThis.addEventListener = (type, listener, options) =>
  type === "fetch" ? void listeners.push(listener) : add(type, listener, options);
const callScript = async (request, env, context) => {
  await load();
  let firstResponse;
  const event = assign(new Event("fetch"), { ...context, request, respondWith: (response) => { firstResponse ??= response; } });
  for (const listener of listeners) if (firstResponse === undefined) listener(event);
  return (await firstResponse) ?? entryResponse(null, 404);
};
`
}

/** Returns the entry module. It imports the script of the integration as `script.js`. */
export const entry = (runtime: "v1" | "v2") => `
import { AsyncLocalStorage } from "node:async_hooks";
${globals}
const store = new AsyncLocalStorage();
const runInLog = store.run.bind(store);
${logging}
listen(store.getStore.bind(store));
let loaded;
const load = async () => (loaded ??= await import("script.js"));
${callScriptByRuntime[runtime]}
const callScriptIn = (log, waiting, request, ctx) => runInLog(log, async () => {
  try {
    const response = await callScript(request, {}, {
      waitUntil: (promise) => { waiting.push(promise); ctx.waitUntil(promise); },
      passThroughOnException: () => {}
    });
    const reason = rejectionReason(response);
    if (reason === undefined) return response;
    logValues(log, "error", [reason]);
  } catch (error) {
    logThrown(log, error);
  }
  return entryResponse(null, 500, { "x-lectern-uncaught": "1" });
});
${requests}
${batchScript(markerHeader)}
const handleOne = async (run, request, headers, ctx) => {
  const log = newLog(run);
  const waiting = [];
  const response = await callScriptIn(log, waiting, new Request(request, bare({ headers })), ctx);
  const isDone = isQuiet(log, waiting);
  if (!isDone) {
    mayWrite();
    ctx.waitUntil(endOf(log, waiting));
  }
  return withMarker(response, isDone ? run + " done" : run);
};
export default {
  fetch: async (request, env, ctx) => {
    const headers = new Headers(headersOfRequest(request));
    const run = headerIn(headers, "${runHeader}");
    const listedEvents = headerIn(headers, "${batchHeader}");
    try {
      dropHeader(headers, "${runHeader}");
      if (listedEvents === null) return await handleOne(run, request, headers, ctx);
      dropHeader(headers, "${batchHeader}");
      dropHeader(headers, "content-length");
      return await handleBatch(run, listedEvents, request, headers, ctx);
    } catch {
      return entryResponse(null, 500, { "${markerHeader}": run + " failed" });
    }
  }
};
`
