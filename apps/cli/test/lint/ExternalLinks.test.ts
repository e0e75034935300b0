/** URLs of other websites, requested from a real server that the guard allows in tests. */
import { createServer } from "node:http"
import { assert, describe, it } from "@effect/vitest"
import { NodeFetch } from "@lectern/services-node/fetch/NodeFetch"
import { Effect } from "effect"
import { folderOf } from "../dev/Folders.ts"
import * as FolderLint from "../../src/lint/FolderLint.ts"

interface Site {
  readonly url: string
  /** Requests so far: method and path. */
  readonly requests: ReadonlyArray<string>
}

/** A website on loopback. The first digits of a path are the status, `get` the method that finds the page. */
const website = Effect.acquireRelease(
  Effect.callback<Site & { readonly close: () => void }>((resume) => {
    const requests: Array<string> = []
    const server = createServer((request, response) => {
      requests.push(`${request.method} ${request.url}`)
      const isFound = request.url === "/get" && request.method === "GET"
      response.writeHead(isFound ? 200 : Number(/^\/(\d+)/.exec(request.url!)?.[1] ?? 404)).end()
    })
    server.listen(0, "127.0.0.1", () => {
      const { port } = server.address() as { readonly port: number }
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, requests, close: () => void server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)

const allowed = NodeFetch.layer({ allowedPrivateHosts: ["127.0.0.1"] })

describe("ExternalLinks", () => {
  it.live("reports URLs that don't exist at each position, and requests each URL once", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* website
      const line = `[a](${url}/200) [b](${url}/404#part) ![c](${url}/404)`
      const folder = folderOf({
        "README.md": `# Home\n\n${line}\n\n<${url}/500> [d](${url}/get)\n`,
        "a.md": `# A\n\n[a](${url}/200)\n\n<a href="${url}/410">b</a>\n\n[c](https://www.example.com/gone)\n`
      })
      const { problems, unchecked } = yield* FolderLint.run(folder, { external: allowed })
      assert.deepStrictEqual(
        problems.map(({ column, line, path, rule }) => [path, line, column, rule]),
        [
          ["README.md", 3, line.indexOf(`${url}/404#`) + 1, "broken-external-link"],
          ["README.md", 3, line.lastIndexOf(url) + 1, "broken-external-link"],
          ["a.md", 5, 10, "broken-external-link"]
        ]
      )
      assert.strictEqual(unchecked, 0)
      assert.deepStrictEqual(requests.toSorted(), [
        "GET /404",
        "GET /410",
        "GET /500",
        "GET /get",
        "HEAD /200",
        "HEAD /404",
        "HEAD /410",
        "HEAD /500",
        "HEAD /get"
      ])
    }).pipe(Effect.scoped)
  )

  it.live("leaves a host alone that asks for fewer requests, and says how many URLs were not checked", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* website
      const folder = folderOf({ "README.md": `# Home\n\n[a](${url}/429) [b](${url}/404) [c](${url}/410)\n` })
      const { problems, unchecked } = yield* FolderLint.run(folder, { external: allowed })
      assert.deepStrictEqual([problems, unchecked, requests], [[], 2, ["HEAD /429"]])
    }).pipe(Effect.scoped)
  )

  it.live("never requests private addresses, or anything without the option", () =>
    Effect.gen(function* () {
      const { requests, url } = yield* website
      const folder = folderOf({ "README.md": `# Home\n\n[a](${url}/404)\n` })
      const refused = yield* FolderLint.run(folder, { external: NodeFetch.layer() })
      const without = yield* FolderLint.run(folder)
      assert.deepStrictEqual([refused.problems, refused.unchecked, without.problems, requests], [[], 0, [], []])
      assert.isUndefined(without.unchecked)
    }).pipe(Effect.scoped)
  )
})
