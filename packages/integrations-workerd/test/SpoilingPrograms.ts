/**
 * Programs that change what their answers are given with: parts of the platform and the language that the entry has to
 * keep for itself (see `EntryGlobals`).
 */
import { IntegrationRuntime, RunFailed, bufferedRun } from "@lectern/core/integration/IntegrationRuntime"
import { Effect } from "effect"
import { programOf } from "./ProgramSteps.ts"

/** Parts of the platform that a program sets anew, where it is loaded or with its first event. */
export const setAnew = {
  Response: `globalThis.Response = class { constructor() { throw new Error("mine") } }`,
  Headers: `globalThis.Headers = class { get() { return null } }; Headers.prototype.get = () => null`,
  headers: `for (const name of ["get", "set", "delete"]) Headers.prototype[name] = () => { throw new Error("mine") }`,
  Request: `globalThis.Request = class {}`,
  FormData: `globalThis.FormData = undefined`,
  Promise: `globalThis.Promise = undefined`,
  JSON: `globalThis.JSON = undefined`,
  stringify: `JSON.stringify = () => "[[0]]"`,
  toJSON: `Array.prototype.toJSON = () => "mine"`,
  options: `Object.assign(Object.prototype, { status: 99, webSocket: 1, statusText: "mine", reader: {} })`,
  Date: `globalThis.Date = undefined`,
  URL: `globalThis.URL = undefined`,
  Object: `globalThis.Object = undefined`,
  console: `globalThis.console = undefined`,
  timers: `globalThis.setTimeout = globalThis.clearTimeout = undefined`
}

export const delivery = { event: "{}", environment: "{}" }

/** Comes of each way of asking where nothing is spoilt. */
export const saidWell = Array.from({ length: 6 }, () => [200, "fine", "said"])

/**
 * Events by themselves and two together, and what came of each: status and text, or why there is none. In
 * one process, or in one for each way, whose first event comes that way.
 */
export const eachWay = Effect.fnUntraced(function* (name: string, script: string, processes: "one" | "apart") {
  const runtime = yield* IntegrationRuntime
  const of = (way: string) => programOf(`${name}${processes === "one" ? "" : `-${way}`}`.toLowerCase(), script)
  const why = (failure: unknown) =>
    failure instanceof RunFailed ? [failure.reason, failure.message] : [String(failure)]
  const told = (way: string, ask: typeof runtime.runBuffered = bufferedRun(runtime)) =>
    Effect.gen(function* () {
      const { status, body, trace } = yield* ask!(of(way), delivery, 1024)
      if (body instanceof RunFailed) return why(body)
      const { logs } = yield* trace
      return [status, new TextDecoder().decode(body), ...logs.map(({ message }) => message.split("\n")[0])]
    }).pipe(Effect.catch((failure) => Effect.succeed(why(failure))))
  const alone = (way: string) => Effect.scoped(Effect.suspend(() => told(way, bufferedRun({ run: runtime.run }))))
  const pair = Effect.all([told("together"), told("together")], { concurrency: "unbounded" })
  return [yield* alone("alone"), yield* alone("alone"), ...(yield* pair), ...(yield* pair)]
})

export const script = (top: string, within: string) =>
  `let R = ((Answer) => (text) => new Answer(text))(Response), log = console.log; ${top};
   export default { async fetch(request) { ${within}; log("said"); return R("fine") } }`
