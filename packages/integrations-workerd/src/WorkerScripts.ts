/**
 * Entry before the script of an integration in its process. It gives the script each event, and writes what
 * the script logs for that event to the standard output, line by line, so that the logs of a script that never
 * ends are known, too. The last line of an event says that the script is done with it, behind its answer too; of
 * one that has logged nothing and has nothing left to do a header of the answer says so. Every answer carries that header,
 * which tells it from those that `workerd` gives by itself.
 *
 * A line is JSON: the event, and a log, behind which stands whether the script has asked for more than it may; or the
 * event and the URL of a request that can carry no header; or the event alone.
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
import { maxLogBytes, maxLogs, maxSubrequests } from "@lectern/core/integration/IntegrationRuntime"
import { globals } from "./EntryGlobals.ts"
import { requests } from "./EventTexts.ts"
import { changedHeader, refusedHeader } from "./OutsideDoor.ts"
import { runHeader } from "./ProgramRuns.ts"
import { together, togetherHeader } from "./TogetherScript.ts"

/**
 * Header of every answer that the entry gives, to whichever kind of request. Its value is the event, which the script is
 * not told, so it can say nothing of the kind itself; and behind a space: `done` where the script is done with the event
 * and has logged nothing, which saves a line; `failed` where the entry itself has, or how many of several events in turn
 * the script was given.
 */
export const answeredHeader = "x-lectern-answered"

/**
 * Events of a request that are to be given in turn, as `EventTexts` lists them. They are `<run>.0`, `<run>.1` and so on.
 */
export const inTurnHeader = "x-lectern-in-turn"

/** How long one request goes on to give the events in it, in milliseconds. */
const turnsLast = 1_000

/** How many refusals of one event are told apart. */
const maxRefusals = 10

/** Longest URL of which a line says that an event opens it. */
const maxOpened = 1_024

/** Writes logs within their bounds, and what is no text in them as JSON. Nothing else can write to the output. */
const logging = `
const toConsole = console.log.bind(console);
const write = (line) => asConsoleNeeds(() => toConsole(line));
/** Fails where lines could not be written: what waits for one behind an answer would wait for long. */
const mayWrite = () => asConsoleNeeds(() => {});
// What it is made of is loaded with its first line, with whatever a script has set anew by then.
write("");
const fetchOutside = globalThis.fetch.bind(globalThis);
const begun = (run) => ({ run, lines: 0, bytes: 0, refusals: new Set(), opened: 0, thrown: undefined, isFull: false, hasChanged: false });
const written = (value) => {
  if (typeof value === "string") return value;
  try {
    if (value instanceof Error) return String(value.stack ?? value);
    try { return jsonOf(value) ?? String(value); } catch { return String(value); }
  } catch {
    return "What can't be written";
  }
};
// Lines are made of texts alone, whatever a script has made of how objects are written.
const say = (log, level, message, isTooMuch) =>
  write('["' + log.run + '",{"level":"' + level + '","message":' + jsonOf(message) + ',"timestamp":"' + timeIn(new Date()) + '"},' + isTooMuch + "]");
const note = (log, level, values) => {
  if (log === undefined || log.isFull) return;
  let message = "";
  for (let i = 0; i < values.length; i++) message += (i === 0 ? "" : " ") + written(values[i]);
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
/** Tells of a request that can carry no header, before it is made. No event has more to tell of than it may make. */
const noteOpened = (log, url) => {
  if (log === undefined || log.opened >= ${maxSubrequests}) return;
  const asked = textOf(url);
  if (asked.length > ${maxOpened}) return;
  log.opened++;
  write('["' + log.run + '",' + jsonOf(asked) + "]");
};
const isDone = (log) => write('["' + log.run + '"]');
const isAnswered = (log, status, isDone) => write('["' + log.run + '",' + status + "," + isDone + "]");
const listen = (current) => {
  for (const name of Object.getOwnPropertyNames(console))
    if (typeof console[name] === "function") console[name] = () => {};
  for (const [name, level] of [["debug", "debug"], ["trace", "debug"], ["log", "info"], ["info", "info"], ["dir", "info"], ["table", "info"], ["warn", "warn"], ["error", "error"]])
    console[name] = (...values) => note(current(), level, values);
  // It is told within the event that the promise was made for.
  globalThis.addEventListener("unhandledrejection", ({ reason }) => noteThrown(current(), reason));
  // Of what is thrown in one of these nobody is told.
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
    if (log !== undefined && headerIn(headersIn(answer), "${changedHeader}") !== null) log.hasChanged = true;
    return answer;
  };
};
const isQuiet = (log, waiting) => waiting.length + log.lines + log.refusals.size === 0;
/** An answer with our word in it: one that was fetched can't be changed, and is copied. */
const marked = (answer, mark) => {
  try {
    setHeader(headersIn(answer), "${answeredHeader}", mark);
    return answer;
  } catch {
    const copy = new Response(bodyIn(answer), bare({ status: statusIn(answer), statusText: answer.statusText, headers: headersIn(answer) }));
    setHeader(headersIn(copy), "${answeredHeader}", mark);
    return copy;
  }
};
/** Why what a script answered can't be given to whoever asked. */
const objectionTo = (answer) => {
  let status = 0;
  try { status = statusIn(answer); } catch {}
  // The platform makes one of 0 for an error.
  if (status === 0) return "It answered what is no response";
  if (socketIn(answer) !== null) return "It answered with a WebSocket, which nothing here has asked for";
  const body = bodyIn(answer);
  if (isRead(answer) || (body !== null && isLocked(body))) return "It answered with a body that was read already";
};
/** Logs what a script has thrown, once: a module that can't be loaded fails its event, and is a promise that nobody handles. */
const noteThrown = (log, error) => {
  if (log === undefined || (typeof error === "object" && error === log.thrown)) return;
  log.thrown = error;
  note(log, "error", [error]);
};
/** Waits for all that the script goes on with behind its answer. Nobody else learns why one of it failed. */
const restOf = async (log, waiting) => {
  for (let i = 0; i < waiting.length; i++) try { await waiting[i]; } catch (error) { noteThrown(log, error); }
};
const endOf = async (log, waiting) => {
  await restOf(log, waiting);
  isDone(log);
};
`

/** How a script is given a request, by what it is. */
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

/** Module that is asked in place of the script, which lies beside it as `script.js`. */
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
/** Status of an answer whose body nobody reads. */
const statusOf = (answer) => {
  // There is nothing to give up of one that was made of a text.
  if (!texts.has(answer)) try { quietly(bodyIn(answer)?.cancel(), () => {}); } catch {}
  return statusIn(answer);
};
const giveInTurn = async (run, events, request, headers, ctx) => {
  const until = now() + ${turnsLast};
  const given = eventsOf(events, await request.text(), request.url, headers);
  let count = 0;
  for (;;) {
    const log = begun(run + "." + count);
    const waiting = [];
    const status = statusOf(await giveIn(log, waiting, given[count].asked(), ctx));
    if (waiting.length > 0) {
      isAnswered(log, status, false);
      await restOf(log, waiting);
    }
    isAnswered(log, status, true);
    count++;
    if (count === given.length || log.hasChanged || now() > until) break;
  }
  return answerOf(null, 200, { "${answeredHeader}": run + " " + count });
};
${requests}
${together(answeredHeader)}
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
    const inTurn = headerIn(headers, "${inTurnHeader}");
    const atOnce = headerIn(headers, "${togetherHeader}");
    try {
      dropHeader(headers, "${runHeader}");
      if (inTurn === null && atOnce === null) return await giveOne(run, request, headers, ctx);
      dropHeader(headers, "${inTurnHeader}");
      dropHeader(headers, "${togetherHeader}");
      dropHeader(headers, "content-length");
      return inTurn === null
        ? await giveTogether(run, atOnce, request, headers, ctx)
        : await giveInTurn(run, inTurn, request, headers, ctx);
    } catch {
      return answerOf(null, 500, { "${answeredHeader}": run + " failed" });
    }
  }
};
`
