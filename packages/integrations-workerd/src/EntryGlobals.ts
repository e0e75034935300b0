/**
 * Part of the entry (see `WorkerScripts`) that saves built-in objects before the script is loaded. A script that replaces
 * `Response`, `Promise` or `JSON`, as polyfills do, does not change how the entry responds and logs.
 *
 * Limit: methods of arrays, strings and sets are shared with the script. If a script breaks them, the entry fails and
 * reports the failure in its marker, or sends a response without a marker (see `EventResponse`). The console of `workerd` would
 * silently write nothing, so the methods that it needs are restored for each line.
 */
export const globals = `
const { Array, ArrayBuffer, Date, Error, Event, FormData, Headers, Number, Object, Proxy, Reflect, Request, Response, Set, String, TextEncoder, TransformStream, TypeError, Uint8Array, WeakMap } = globalThis;
const { apply, construct } = Reflect;
const toText = String;
const decoded = globalThis.decodeURIComponent;
const setTimer = globalThis.setTimeout.bind(globalThis);
const clearTimer = globalThis.clearTimeout.bind(globalThis);
const jsonOf = globalThis.JSON.stringify;
const promiseWithResolvers = globalThis.Promise.withResolvers.bind(globalThis.Promise);
const methodOf = Function.prototype.bind.bind(Function.prototype.call);
const getterOf = ({ prototype }, name) => {
  const owner = Object.hasOwn(prototype, name) ? prototype : Object.getPrototypeOf(prototype);
  return methodOf(Object.getOwnPropertyDescriptor(owner, name).get);
};
const headerIn = methodOf(Headers.prototype.get);
const setHeader = methodOf(Headers.prototype.set);
const dropHeader = methodOf(Headers.prototype.delete);
const timeIn = methodOf(Date.prototype.toISOString);
const headersOfRequest = getterOf(Request, "headers");
const statusIn = getterOf(Response, "status");
const headersIn = getterOf(Response, "headers");
const bodyIn = getterOf(Response, "body");
const isRead = getterOf(Response, "bodyUsed");
const socketIn = getterOf(Response, "webSocket");
const isLocked = getterOf(ReadableStream, "locked");
const resolvedPromise = globalThis.Promise.resolve.bind(globalThis.Promise);
const define = Object.defineProperty;
const ownIn = Object.getOwnPropertyDescriptor;
const quietly = methodOf(globalThis.Promise.prototype.catch);
/** Returns options without a prototype, so that properties of Object.prototype have no effect. */
const bare = (options) => ({ __proto__: null, ...options });
/** Built-in methods that the console needs to write a text. A long test verifies the list. */
const ofConsole = [[Array.prototype, "pop"], [Array.prototype, Symbol.iterator], [Object.getPrototypeOf([][Symbol.iterator]()), "next"]]
  .map(([of, name]) => ({ of, name, value: of[name] }));
/** Runs a function with the original methods of the console, starting at an index of the list. */
const asConsoleNeeds = (act, at = 0) => {
  if (at === ofConsole.length) return act();
  const { of, name, value } = ofConsole[at];
  if (of[name] === value) return asConsoleNeeds(act, at + 1);
  const own = ownIn(of, name);
  define(of, name, bare({ value, writable: true, configurable: true }));
  try {
    return asConsoleNeeds(act, at + 1);
  } finally {
    if (own === undefined) delete of[name];
    else define(of, name, bare(own));
  }
};
/** Returns a response of the entry itself. \`headers\` is an object. */
const entryResponse = (body, status, headers) => new Response(body, bare({ status, headers: bare(headers) }));
`
