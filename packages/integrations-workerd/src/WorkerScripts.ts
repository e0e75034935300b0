/**
 * What stands before the script of an integration in its process: it gives the script each event, keeps
 * what the script logs for that event, and tells the logs once the script is done, behind its answer too:
 * those of events that end together in one go.
 *
 * A module runs beside it, each event with logs of its own. A classic script (`v1`) shares one global
 * object with it, so that what is logged belongs to the event that came last.
 */
import { maxLogBytes, maxLogs } from "@lectern/core/integration/IntegrationRuntime"

/** How many events are told of at once. */
export const maxTold = 100

/** Which event a request is about, and where its logs go. */
export const runHeader = "x-lectern-run"

/** Keeps logs within their bounds, and writes what is no text as JSON. */
const logging = `
const kept = () => ({ lines: [], bytes: 0 });
const written = (value) => {
  if (typeof value === "string") return value;
  if (value instanceof Error) return value.stack ?? String(value);
  try { return JSON.stringify(value) ?? String(value); } catch { return String(value); }
};
const note = (log, level, values) => {
  if (log === undefined || log.lines.length >= ${maxLogs} || log.bytes >= ${maxLogBytes}) return;
  const message = values.map(written).join(" ").slice(0, ${maxLogBytes} - log.bytes);
  log.bytes += message.length;
  log.lines.push({ level, message, timestamp: new Date().toISOString() });
};
const listen = (current) => {
  for (const [name, level] of [["debug", "debug"], ["log", "info"], ["info", "info"], ["warn", "warn"], ["error", "error"]])
    console[name] = (...values) => note(current(), level, values);
};
const ended = [];
let tellingUntil = 0;
const tellEnded = async (host) => {
  while (ended.length > 0) {
    tellingUntil = Date.now() + 1000;
    const told = JSON.stringify(ended.splice(0, ${maxTold}));
    await host.fetch("http://host/", { method: "POST", body: told }).catch(() => {});
  }
  tellingUntil = 0;
};
const tell = async (host, run, log, waiting) => {
  for (let seen = 0; seen < waiting.length;) {
    const more = waiting.slice(seen);
    seen = waiting.length;
    await Promise.allSettled(more);
  }
  ended.push([run, log.lines]);
  // While one tells, what ends meanwhile waits for it: it may be cut off, and then another does.
  if (Date.now() > tellingUntil) await tellEnded(host);
};
`

/** The entry of a module: `script.js` beside it. */
export const moduleEntry = `
import { AsyncLocalStorage } from "node:async_hooks";
const store = new AsyncLocalStorage();
${logging}
listen(() => store.getStore());
let loaded;
export default {
  fetch: (request, env, ctx) => {
    const log = kept();
    const waiting = [];
    const run = request.headers.get("${runHeader}");
    return store.run(log, async () => {
      try {
        loaded ??= await import("script.js");
        const headers = new Headers(request.headers);
        headers.delete("${runHeader}");
        return await loaded.default.fetch(new Request(request, { headers }), {}, {
          waitUntil: (promise) => { waiting.push(promise); ctx.waitUntil(promise); },
          passThroughOnException: () => {}
        });
      } catch (error) {
        note(log, "error", [error]);
        return new Response(null, { status: 500, headers: { "x-lectern-uncaught": "1" } });
      } finally {
        ctx.waitUntil(tell(env.host, run, log, waiting));
      }
    });
  }
};
`

/** What comes before a classic script, which listens for `fetch` itself. */
export const classicEntry = `
(() => {
${logging}
let current;
listen(() => current);
const add = globalThis.addEventListener.bind(globalThis);
const outside = globalThis.host;
delete globalThis.host;
globalThis.addEventListener = (type, listener, options) => {
  if (type !== "fetch") return add(type, listener, options);
  add("fetch", (event) => {
    const log = (current = kept());
    const waiting = [];
    const run = event.request.headers.get("${runHeader}");
    let answered;
    const given = {
      request: event.request,
      waitUntil: (promise) => { waiting.push(promise); event.waitUntil(promise); },
      passThroughOnException: () => {},
      respondWith: (response) => { answered = Promise.resolve(response); }
    };
    const failed = (error) => {
      note(log, "error", [error]);
      return new Response(null, { status: 500, headers: { "x-lectern-uncaught": "1" } });
    };
    try { listener(given); } catch (error) { answered = Promise.resolve(failed(error)); }
    const response = (answered ?? Promise.resolve(new Response(null, { status: 404 }))).catch(failed);
    event.waitUntil(response.then(() => tell(outside, run, log, waiting)));
    event.respondWith(response);
  });
};
})();
`
