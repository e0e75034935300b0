/**
 * Work that takes long holds up nobody, bodies that are hard to read first of all: a server that computes them
 * takes much of the processor, and its answering thread little of that at once. Both are measured within a
 * real server, so the speed of the machine, and its other work, count for nothing.
 */
import { once } from "node:events"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { description as describedAt } from "@lectern/http/description/Description"
import { Effect } from "effect"
import type { Held } from "../../../bench/LoopTimer.ts"
import { begunServer, cleanUp, type Server } from "./LecternProcess.ts"

const MiB = 1024 * 1024

/** Texts that take a parser long, or much memory. */
const attacks: Readonly<Record<string, string>> = {
  "line breaks": "\n".repeat(4_190_000),
  paragraphs: "a\n\n".repeat(43_000),
  items: "- a\n\n\n".repeat(43_000),
  footnotes: Array.from({ length: 20_000 }, (_, n) => `[^${n}]\n\n[^${n}]: a\n\n`).join(""),
  "line breaks of HTML": "a<br>".repeat((2 * MiB) / 5),
  brackets: "[".repeat(2 * MiB),
  backslashes: "\\".repeat(2 * MiB),
  "less-than signs": "<".repeat(2 * MiB),
  "wide characters": "‹".repeat(4_000_000)
}

describe("Bodies that are hard to read", () => {
  let server: Server
  let space: string

  beforeAll(async () => {
    server = await begunServer({ loaded: new URL("../../../bench/LoopTimer.ts", import.meta.url).href })
    const { organization } = server.ready
    const made = await server.call("POST", `/v1/orgs/${organization.id}/spaces`, { title: "Attacked" })
    space = `/v1/spaces/${made.body.id}`
    // The first has the thread begin.
    await attack("Some *words*.\n\n".repeat(10_000))
  })
  afterAll(cleanUp)

  const told = async (message: "start" | "stop") => {
    const answer = once(server.child, "message")
    server.child.send(message)
    return (await answer)[0] as unknown
  }

  const attack = async (markdown: string) => {
    const { body } = await server.call("POST", `${space}/change-requests`, {})
    const change = { operation: "insert_page", title: "Page", document: { markdown } }
    return server.call("POST", `${space}/change-requests/${body.id}/content`, { changes: [change] })
  }

  /** Asks for something cheap until the work is done, and holds the server to what it may be held up. */
  const measured = async <A>(work: () => Promise<A>): Promise<A> => {
    await told("start")
    const worked = { isDone: false }
    const working = work().finally(() => (worked.isDone = true))
    while (!worked.isDone) assert.strictEqual((await server.call("GET", "/healthz")).status, 200)
    const result = await working
    const { longest, total } = (await told("stop")) as Held
    assert.isBelow(longest, total / 4)
    return result
  }

  it("hold up nobody, and neither does the description of the interface", async () => {
    const ask = (path: string) => measured(async () => (await fetch(server.url + path)).text())
    const description = JSON.parse(await ask("/openapi.json"))
    assert.deepStrictEqual(description, JSON.parse(JSON.stringify(await Effect.runPromise(describedAt(server.url)))))
    assert.include(await ask("/docs/spaces"), "/v1/spaces/<b>{spaceId}</b>")
  })

  for (const [name, markdown] of Object.entries(attacks)) {
    it(`hold up nobody: ${name}`, async () => {
      const { status } = await measured(() => attack(markdown))
      assert.include([200, 400, 413], status)
    })
  }
})
