/**
 * Real documentation through the running server: imported by the command, read over HTTP, written
 * back through a change request, which changes nothing. Skipped where the corpora are absent.
 */
import { existsSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert } from "@effect/vitest"
import { afterAll, describe, it } from "vitest"
import { cleanUp, lecternJson, type Server, serve, temporaryFolder } from "./LecternProcess.ts"

const corpus = resolve(import.meta.dirname, "../../../../shared/corpus")
const folders = ["brighter", "adobe-aep"]

if (!existsSync(corpus)) console.warn(`Skipped: there are no corpora at ${corpus}`)

afterAll(cleanUp)

interface Page {
  readonly id: string
  readonly type: string
  readonly pages?: ReadonlyArray<Page>
}

const documents = (pages: ReadonlyArray<Page>): ReadonlyArray<Page> =>
  pages.flatMap((page) => [...(page.type === "document" ? [page] : []), ...documents(page.pages ?? [])])

const ok = async (server: Server, method: string, path: string, body?: unknown) => {
  const answer = await server.call(method, path, body)
  assert.isBelow(answer.status, 300, `${method} ${path}: ${JSON.stringify(answer.body).slice(0, 500)}`)
  return answer.body
}

describe.skipIf(!existsSync(corpus))("the corpora", () => {
  it.each(folders)("%s: what is read is written back and changes nothing", async (folder) => {
    const data = temporaryFolder()
    const server = await serve(data)
    const { space } = await lecternJson(["import", join(corpus, folder), "--data", data])
    const at = `/v1/spaces/${space.id}`
    const { pages } = await ok(server, "GET", `${at}/content/pages`)
    const ids = documents(pages).map(({ id }) => id)
    assert.isAbove(ids.length, 100)

    const changeRequest = await ok(server, "POST", `${at}/change-requests`)
    const content = `${at}/change-requests/${changeRequest.id}/content`
    const before = new Map<string, unknown>()
    for (let start = 0; start < ids.length; start += 25) {
      const changes = await Promise.all(
        ids.slice(start, start + 25).map(async (id) => {
          before.set(id, (await ok(server, "GET", `${at}/content/page/${id}?format=document`)).document)
          const { markdown } = await ok(server, "GET", `${at}/content/page/${id}`)
          return { operation: "update_page", page: id, document: { markdown } }
        })
      )
      const after = await ok(server, "POST", content, { changes })
      assert.strictEqual(after.revision, changeRequest.revision, `the pages from ${start} on have changed`)
    }
    for (const id of ids.filter((_, i) => i % 10 === 0)) {
      assert.deepStrictEqual(
        (await ok(server, "GET", `${content}/page/${id}?format=document`)).document,
        before.get(id)
      )
    }
    await server.signal("SIGTERM")
  })
})
