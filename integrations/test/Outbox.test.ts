import { afterEach, assert, beforeEach, describe, it, vi } from "@effect/vitest"
import type { RequestContext } from "../runtime/Integration.ts"
import { outbox } from "../runtime/Outbox.ts"

const receiver = "https://receiver.example/"
const at = Date.parse("2030-01-01T00:00:00Z")

/**
 * Sends a message to a receiver with these responses. Returns the number of requests, and the delays of the scheduled
 * tasks.
 */
const sent = async (answers: ReadonlyArray<() => Response>) => {
  const left = [...answers]
  const tasks: Array<{ readonly schedule: number; readonly task: { readonly tried: number } }> = []
  let asked = 0
  vi.stubGlobal("fetch", async (to: Request | string, init?: RequestInit) => {
    if (typeof to === "string") {
      tasks.push(JSON.parse(String(init?.body)))
      return new Response(null, { status: 204 })
    }
    asked++
    return left.shift()!()
  })
  let work: Promise<unknown> = Promise.resolve()
  const environment = {
    apiEndpoint: "https://lectern.example",
    apiTokens: { integration: "t" },
    integration: { name: "one" },
    installation: { id: "i", configuration: {} }
  }
  const asking = {
    environment,
    waitUntil: (promise: Promise<unknown>) => void (work = promise)
  } as unknown as RequestContext
  outbox(() => new Request(receiver, { method: "POST", body: "{}" })).send(asking, {})
  await vi.runAllTimersAsync()
  await work
  return { asked, schedules: tasks.map(({ schedule }) => schedule) }
}

const answer = (status: number, retryAfter?: string) => () =>
  new Response("", { status, headers: retryAfter === undefined ? {} : { "retry-after": retryAfter } })

describe("An outbox", () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: at })
    vi.spyOn(console, "warn").mockImplementation(() => {})
  })

  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
    vi.restoreAllMocks()
  })

  it("tries once more at once, and then puts off", async () => {
    assert.deepStrictEqual(await sent([answer(200)]), { asked: 1, schedules: [] })
    assert.deepStrictEqual(await sent([answer(503), answer(200)]), { asked: 2, schedules: [] })
    assert.deepStrictEqual(await sent([answer(503), answer(429)]), { asked: 2, schedules: [15] })
    assert.deepStrictEqual(await sent([answer(410)]), { asked: 1, schedules: [] })
  })

  it("comes back no sooner than it is told to, and within a day", async () => {
    assert.deepStrictEqual(await sent([answer(429, "120")]), { asked: 1, schedules: [120] })
    assert.deepStrictEqual(await sent([answer(429, "5")]), { asked: 1, schedules: [15] })
    assert.deepStrictEqual(await sent([answer(503, "Tue, 01 Jan 2030 00:10:00 GMT")]), { asked: 1, schedules: [600] })
    assert.deepStrictEqual(await sent([answer(429, "9999999999")]), { asked: 1, schedules: [24 * 3600] })
    assert.deepStrictEqual(await sent([answer(503), answer(429, "90")]), { asked: 2, schedules: [90] })
    for (const none of ["", "soon", "-5", "0", "1e9"]) {
      assert.deepStrictEqual(await sent([answer(429, none), answer(200)]), { asked: 2, schedules: [] }, none)
    }
  })
})
