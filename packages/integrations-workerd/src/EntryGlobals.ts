/**
 * Part of the entry (see `WorkerScripts`) that takes what it needs of the language and the platform before the script is
 * loaded: a script that sets `Response`, `Promise` or `JSON` anew, as libraries do that stand in for them, changes what
 * it goes by itself, and not what its events are answered and logged with.
 *
 * Limit: methods of arrays, texts and sets are the script's as well. Where it has spoilt those, the entry fails, and
 * says so in place of an answer, or nothing that carries its mark (see `Answered`). The console of `workerd` would write
 * nothing then, and say nothing: what it needs is put back for each line.
 */
export const globals = `
const { Array, ArrayBuffer, Date, Error, Event, FormData, Headers, Number, Object, Proxy, Reflect, Request, Response, Set, String, TextEncoder, TransformStream, TypeError, Uint8Array, WeakMap } = globalThis;
const { apply, construct } = Reflect;
const textOf = String;
const decoded = globalThis.decodeURIComponent;
const later = globalThis.setTimeout.bind(globalThis);
const never = globalThis.clearTimeout.bind(globalThis);
const jsonOf = globalThis.JSON.stringify;
const now = Date.now;
const settling = globalThis.Promise.withResolvers.bind(globalThis.Promise);
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
const settled = globalThis.Promise.resolve.bind(globalThis.Promise);
const define = Object.defineProperty;
const ownIn = Object.getOwnPropertyDescriptor;
const quietly = methodOf(globalThis.Promise.prototype.catch);
/** Options that whatever stands in the prototype of all objects says nothing in. */
const bare = (options) => ({ __proto__: null, ...options });
/** All of the language that the console writes a text with, as a long test finds. */
const ofConsole = [[Array.prototype, "pop"], [Array.prototype, Symbol.iterator], [Object.getPrototypeOf([][Symbol.iterator]()), "next"]]
  .map(([of, name]) => ({ of, name, value: of[name] }));
/** Does this with the language as the console needs it, from the part of this number on. */
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
/** An answer of the entry itself; \`headers\` is an object. */
const answerOf = (body, status, headers) => new Response(body, bare({ status, headers: bare(headers) }));
`
