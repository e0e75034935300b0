/** A program that does with each event what that says, and how several are given to it in one go. */
import { type EventResult, IntegrationRuntime, type Program } from "@lectern/core/integration/IntegrationRuntime"
import { Effect, Result } from "effect"
import { programOf } from "./ProgramSteps.ts"

/** Handles an event as `event.do` says. */
const script = `
globalThis.told = []
const loop = () => { for (;;) {} }
const never = () => new Promise(() => {})
const heap = () => { const kept = []; for (;;) kept.push(new Array(1e5).fill(Math.random())) }
const ask = async ({ url, times = 1, method = "GET" }) => {
  for (let i = 0; i < times; i++) await (await fetch(url, { method })).text()
}
export default { async fetch(request, env, ctx) {
  const form = await request.formData()
  const event = JSON.parse(form.get("event"))
  const environment = JSON.parse(form.get("environment"))
  globalThis.told.push(event.n)
  if (event.says) console.log(event.says, environment.n)
  if (event.do === "loop") loop()
  if (event.do === "never") await never()
  if (event.do === "wait") await scheduler.wait(3_600_000)
  if (event.do === "heap") heap()
  if (event.do === "slow") await scheduler.wait(600)
  if (event.do === "ask") await ask(event)
  if (event.do === "throw") throw new Error("no luck")
  if (event.do === "nothing") return undefined
  if (event.do === "stream") return new Response(new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(1024)) }))
  if (event.do === "later") ctx.waitUntil((async () => {
    await scheduler.wait(30)
    console.warn("later")
    ctx.waitUntil(scheduler.wait(10).then(() => console.log("last", String(globalThis.told.at(-1) === event.n))))
  })())
  // Behind the line that says it is done, and before the answer goes.
  const loopAfter = (turns) => turns === 0 ? loop() : queueMicrotask(() => loopAfter(turns - 1))
  if (event.do === "keep") loopAfter(100)
  if (event.do === "keep") return undefined
  if (event.do === "told") console.log(globalThis.told.join())
  return new Response("answered", { status: event.status ?? 200 })
} }`

export const program = (name: string, runtime: "v1" | "v2" = "v2") =>
  programOf(
    name,
    runtime === "v2"
      ? script
      : `addEventListener("fetch", (event) => event.respondWith((async () => {
           const form = await event.request.formData()
           console.log(form.get("event"))
           return new Response()
         })()))`,
    { runtime }
  )

interface Event {
  readonly do?: string
  readonly [name: string]: unknown
}

export const deliveriesOf = (events: ReadonlyArray<Event>) =>
  events.map((event, n) => ({ event: JSON.stringify({ n, ...event }), environment: JSON.stringify({ n }) }))

/** Gives events to a program: all that is heard of them, and why no more is. */
export const inTurn = Effect.fnUntraced(function* (wanted: Program, events: ReadonlyArray<Event>) {
  const { runBatch } = yield* IntegrationRuntime
  const heard: Array<EventResult> = []
  const ended = yield* Effect.result(runBatch!(wanted, deliveriesOf(events), (answer) => heard.push(answer)))
  return { heard, failure: Result.isFailure(ended) ? ended.failure : undefined }
})

export const seen = ({ status, logs, exceededLimit }: EventResult) => ({
  status,
  exceededLimit,
  logs: logs.map(({ level, message }) => [level, message.split("\n")[0]])
})
