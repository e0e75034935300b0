/** PDFs of a server that runs: made in its background, also where it is killed while it makes one. */
import { join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import { JobTable } from "@lectern/core/job/Job"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect } from "effect"
import { readPdf } from "../../../packages/services-node/test/PdfReading.ts"
import { begunServer, cleanUp, serve, type Server } from "./LecternProcess.ts"

afterEach(cleanUp)

/** A space with so many pages, of so many pieces of text each. */
const spaceWith = async (server: Server, pages: number, length: number): Promise<string> => {
  const created = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, { title: "Handbook" })
  assert.strictEqual(created.status, 201)
  const space = created.body.id as string
  const request = await server.call("POST", `/v1/spaces/${space}/change-requests`, {})
  const path = `/v1/spaces/${space}/change-requests/${request.body.id}`
  const changes = Array.from({ length: pages }, (_, i) => ({
    operation: "insert_page",
    title: `Page ${i}`,
    document: {
      markdown: "## Heading\n\nA paragraph of some words, with `code` in it.\n\n- one\n- two\n\n".repeat(length)
    }
  }))
  assert.strictEqual((await server.call("POST", `${path}/content`, { changes })).status, 200)
  assert.strictEqual((await server.call("POST", `${path}/merge`)).status, 200)
  return space
}

const urlOf = async (server: Server, space: string): Promise<string> => {
  const { status, body } = await server.call("GET", `/v1/spaces/${space}/pdf`)
  assert.strictEqual(status, 200)
  return server.url + new URL(body.url).pathname + new URL(body.url).search
}

/** Asks until it is made; tells how often it was not. */
const made = async (url: string) => {
  for (let waits = 0; ; waits++) {
    const response = await fetch(url)
    const bytes = new Uint8Array(await response.arrayBuffer())
    if (response.status === 200) return { waits, bytes, type: response.headers.get("content-type") }
    assert.strictEqual(response.status, 202)
    assert.match(response.headers.get("retry-after") ?? "", /^\d+$/)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

/** As if the time had passed in which a worker that is gone holds on to its jobs. */
const endLeases = async (data: string): Promise<number> => {
  const lectern = await SqliteLectern.open({ file: join(data, "lectern.db"), background: false })
  const running = { kind: "make-pdf", status: "running" } as const
  const ended = await lectern.run(
    Storage.use((storage) =>
      storage.repository(JobTable).update(running, { lease: { holder: "killed", number: 1, until: Timestamps.at(0) } })
    ).pipe(Effect.orDie)
  )
  await lectern.close()
  return ended
}

describe("A server with PDFs", () => {
  it("makes one in the background, and has it after a restart", async () => {
    const server = await begunServer()
    const space = await spaceWith(server, 3, 5)
    const { bytes, type } = await made(await urlOf(server, space))
    assert.strictEqual(type, "application/pdf")
    const { pages, outline } = await readPdf(bytes)
    assert.strictEqual(outline.length, 3)
    assert.include(pages.join("\n"), "A paragraph of some words")

    await server.signal("SIGTERM")
    const again = await serve(server.ready.data, { token: server.token })
    const after = await made(await urlOf(again, space))
    assert.strictEqual(after.waits, 0)
    assert.deepStrictEqual(after.bytes, bytes)
  })

  it("makes it in the end where the server was killed while it did", async () => {
    const server = await begunServer()
    const space = await spaceWith(server, 20, 30)
    const first = await urlOf(server, space)
    assert.strictEqual((await fetch(first)).status, 202)
    await server.signal("SIGKILL")
    // Where it was killed before its worker had begun, the job still waits.
    assert.isAtMost(await endLeases(server.ready.data), 1)

    const again = await serve(server.ready.data, { token: server.token })
    const { bytes } = await made(await urlOf(again, space))
    const { outline } = await readPdf(bytes)
    assert.strictEqual(outline.length, 20)
  })
})
