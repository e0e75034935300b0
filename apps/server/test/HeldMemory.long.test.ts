/**
 * Tests the memory that a server retains after visitors have read many pages: data of finished requests is released.
 */
import { once } from "node:events"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { HeapUse } from "../../../bench/HeapTaker.ts"
import { serving } from "../../../packages/services-node/test/Servers.ts"
import { zip } from "../../../packages/services-node/test/ZipFiles.ts"
import { begunServer, cleanUp, type Server } from "./LecternProcess.ts"
import { ok, Site } from "./PublishedSites.ts"

afterEach(cleanUp)

const mebibyte = 1024 * 1024
const spaceCount = 10
const pagesOfSpace = 100
/** Maximum heap growth after ten imports and 1,000 page reads, in bytes: bounded caches, and loaded rendering code. */
const most = 90 * mebibyte

/** Returns a few KB of Markdown with many blocks and cells. The opened document takes about 100 times that memory. */
const page = (space: number, number: number): string => {
  const row = (n: number) =>
    `| ${n} | *a* \`${space}\` | **b** ${number} | [c](page-${(number + 1) % pagesOfSpace}.md) |\n`
  const table = `| A | B | C | D |\n| - | - | - | - |\n${Array.from({ length: 60 }, (_, n) => row(n)).join("")}`
  const list = Array.from({ length: 40 }, (_, n) => `* Item *${n}* of **page** ${number} in ${space}\n`).join("")
  return `# Page ${number}\n\n${table}\n\n## List\n\n${list}`
}

const heapOf = async ({ child }: Server): Promise<HeapUse> => {
  const answer = once(child, "message")
  child.send({})
  return (await answer)[0] as HeapUse
}

describe("The heap of a server", () => {
  it.live("holds nothing of the pages that visitors have read", () =>
    Effect.gen(function* () {
      const archives = Array.from({ length: spaceCount }, (_, space) =>
        zip(
          Array.from({ length: pagesOfSpace }, (_, n) => ({ path: `page-${n}.md`, bytes: Buffer.from(page(space, n)) }))
        )
      )
      const web = yield* serving(({ url }, response) => void response.end(archives[Number(url?.slice(1))]))
      yield* Effect.promise(async () => {
        const server = await begunServer({
          env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1", LECTERN_RATE_LIMIT: "0" },
          loaded: new URL("../../../bench/HeapTaker.ts", import.meta.url).href
        })
        const organization: string = server.ready.organization.id
        const before = await heapOf(server)
        const urls: Array<string> = []
        for (let n = 0; n < spaceCount; n++) {
          const space = await ok(server, "POST", `/v1/orgs/${organization}/spaces`, { title: `Space ${n}` })
          await ok(server, "POST", `/v1/spaces/${space.id}/content/import`, { url: `${web.url}/${n}`, source: "zip" })
          const site = await Site.make(server, organization, { title: `Site ${n}`, spaces: [space.id] })
          const published = await site.call("POST", "/publish")
          const base = new URL(published.urls.published).pathname
          for (let page = 0; page < pagesOfSpace; page++) urls.push(`${base}page-${page}`)
        }
        const left = urls.values()
        const reader = async () => {
          for (const url of left) {
            const response = await fetch(server.url + url, { headers: { accept: "text/html" } })
            await response.arrayBuffer()
            assert.strictEqual(response.status, 200, url)
          }
        }
        await Promise.all(Array.from({ length: 4 }, reader))
        const after = await heapOf(server)
        assert.isBelow((after.heap - before.heap) / mebibyte, most / mebibyte)
      })
    }).pipe(Effect.scoped)
  )
})
