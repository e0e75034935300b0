/**
 * Steps of tests of integrations that ask for too much: one program that does as it is told, and the outcome
 * of each event.
 */
import { assert } from "@effect/vitest"
import type { Answer, Server } from "./LecternProcess.ts"
import { publish } from "./PublishedProgram.ts"

export const name = "hostile"

/** Does what the properties of a render, a task, or the address of a request say. */
const script = `
  const asked = event.type === "ui_render" ? event.props : event.type === "task" ? event.task : event.type === "fetch" ? Object.fromEntries(new URL(event.request.url).searchParams) : {}
  const drawn = () => Response.json({ type: "complete" })
  if (asked.do !== undefined) console.log("began", asked.do)
  const kept = []
  switch (asked.do) {
    case "loop": for (;;) {}
    case "heap": for (;;) kept.push(new Array(1e5).fill(Math.random()))
    case "memory": for (let i = 0; i < 200; i++) { kept.push(new Uint8Array(1e7).fill(1)); await scheduler.wait(1) } return drawn()
    case "logs": for (let i = 0; i < 100000; i++) console.log("line", i); return drawn()
    case "requests":
      for (let i = 0; i < 10000; i += 100) await Promise.all(Array.from({ length: 100 }, () => fetch(asked.url).then((r) => r.text())))
      return drawn()
    case "reach": await (await fetch(asked.url)).text(); return drawn()
    case "gigabyte": {
      const part = new Uint8Array(1024 * 1024); let left = 1024
      return new Response(new ReadableStream({ pull: (controller) => { if (left-- > 0) controller.enqueue(part.slice()); else controller.close() } }))
    }
    case "html": return new Response("<p>Hello</p>", { headers: { "content-type": "text/html" } })
    default: return drawn()
  }`

export const publishHostile = (server: Server): Promise<string> => publish(server, name, script, [])

export const render = (server: Server, props: Record<string, unknown>): Promise<Answer> =>
  server.call("POST", `/v1/integrations/${name}/render`, {
    componentId: "any",
    props,
    context: { type: "document", spaceId: server.ready.space.id, editable: false, theme: "light" }
  })

/** The events of a type that are done, the newest first. */
const eventsOf = async (server: Server, type: string): Promise<ReadonlyArray<any>> => {
  const { body } = await server.call("GET", `/v1/integrations/${name}/events?limit=1000`)
  return body.items.filter(({ payload }: any) => payload.type === type)
}

/** Record of the next event of a type, once it is done, of which `cause` is the cause. */
export const traced = async (server: Server, type: string, cause: () => Promise<unknown>) => {
  const before = (await eventsOf(server, type)).length
  await cause()
  for (;;) {
    const events = await eventsOf(server, type)
    if (events.length === before) continue
    const { body } = await server.call("GET", `/v1/integrations/${name}/events/${events[0].id}`)
    return body as { event: any; trace: { logs: ReadonlyArray<{ level: string; message: string }> } }
  }
}

/** Has failed, with what it logged before, and the reason behind that. */
export const assertFailed = ({ event, trace }: Awaited<ReturnType<typeof traced>>, why: RegExp): void => {
  assert.strictEqual(event.status, "failed", JSON.stringify(trace).slice(0, 500))
  assert.match(trace.logs[0]?.message ?? "", /^began /)
  const { level, message } = trace.logs.at(-1)!
  assert.strictEqual(level, "error")
  assert.match(message, why)
}
