/**
 * Hostile content of web servers and repositories, imported by a server that runs: each comes as harmless
 * content or is refused with a sentence, nothing is half stored, and the server answers others all the while.
 */
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { belowTitle } from "../../../packages/core/test/content/BelowTitle.ts"
import { gitServer, hasGit } from "../../../packages/services-node/test/GitServer.ts"
import { claiming, zip } from "../../../packages/services-node/test/ZipFiles.ts"
import { begunServer, cleanUp, type Server } from "./LecternProcess.ts"

interface Reply {
  readonly type?: string
  readonly status?: number
  readonly location?: string
  readonly body?: string | Uint8Array
}

const html = (content: string): Reply => ({ type: "text/html", body: `<title>Page</title><main>${content}</main>` })
const markdown = (body: string): Reply => ({ type: "text/markdown", body })
const archive = (...entries: Parameters<typeof zip>[0]): Reply => ({ type: "application/zip", body: zip(entries) })
const page = { path: "a.md", bytes: "# A\n" }

const oneLine = "word ".repeat(200_000).trim()
const quotes = `${">".repeat(10_000)} deep`
const tags = `${'{% tabs %}{% tab title="x" %}'.repeat(2_000)}end`
const brackets = `${"[".repeat(50_000)}end`
const scripts = `<h1>Page</h1><p>Before</p><script>alert(1)</script><p onclick="alert(2)">After
  <a href="javascript:alert(3)">link</a> <a href=" java\nscript:alert(4)">other</a></p><iframe src="/x"></iframe>`

/** Every site is a folder of one server; all of them ask for robots.txt at its root. */
const replies: Readonly<Record<string, Reply>> = {
  "/robots.txt": { body: "User-agent: Lectern\nDisallow: /forbidden/\n" },
  "/loop/": { status: 302, location: "/loop/again" },
  "/loop/again": { status: 302, location: "/loop/" },
  "/longer": { status: 302, location: "/longer/longer" },
  "/forbidden/": html("<p>Secret</p>"),
  "/maps/": { ...html('<h1>Maps</h1><p>Text of it.</p><a href="/maps/two">Two</a>') },
  "/maps/two": html("<h1>Two</h1><p>Text of it.</p>"),
  "/sitemap.xml": {
    type: "application/xml",
    body: "<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap><sitemap><loc>/sitemap2.xml</loc></sitemap></sitemapindex>"
  },
  "/sitemap2.xml": {
    type: "application/xml",
    body: "<sitemapindex><sitemap><loc>/sitemap.xml</loc></sitemap></sitemapindex>"
  },
  "/scripts.html": html(scripts),
  "/deep.html": html(`${"<blockquote>".repeat(10_000)}deep`),
  "/line.html": html(`<p>${oneLine}</p>`),
  "/line.md": markdown(oneLine),
  "/quotes.md": markdown(quotes),
  "/tags.md": markdown(tags),
  "/brackets.md": markdown(brackets),
  "/links.md": markdown("[a](javascript:alert\\(1\\)) <script>alert(2)</script> ![b](data:text/html,x)\n"),
  "/nothing.md": markdown(""),
  "/binary.md": { type: "text/markdown", body: Uint8Array.from({ length: 4096 }, (_, i) => (i * 7) % 256) },
  "/out.zip": archive(page, { path: "../../etc/cron.d/x.md", bytes: "out" }),
  "/absolute.zip": archive(page, { path: "/etc/x.md", bytes: "out" }),
  "/link.zip": archive(page, { path: "passwd.md", bytes: "/etc/passwd", mode: 0o120777 }),
  "/bomb.zip": archive(page, ...Array.from({ length: 20 }, (_, i) => ({ path: `${i}.md`, bytes: "0".repeat(4e6) }))),
  "/lies.zip": archive({ path: "a.md", bytes: "0".repeat(4e6), claims: 10 }),
  "/entries.zip": { type: "application/zip", body: claiming(zip([page]), 200_001) },
  "/hostile.zip": archive(
    { path: "line.md", bytes: oneLine },
    { path: "quotes.md", bytes: quotes },
    { path: "tags.md", bytes: tags }
  ),
  "/latin.zip": archive({ path: "a.md", bytes: Buffer.from("# A\n\nUn caf\u00e9 noir\n", "latin1") }),
  "/text.zip": { type: "application/zip", body: "no archive" },
  "/cut.zip": { type: "application/zip", body: zip([page]).subarray(0, 40) },
  "/text.docx": { type: "application/octet-stream", body: "no document" },
  "/folder.docx": archive(page)
}

let site: HttpServer
let origin: string
let server: Server

beforeAll(async () => {
  site = createServer(({ url = "/" }, response) => {
    const { type = "text/plain", status = 200, location, body = "" } = replies[url] ?? { status: 404 }
    // A redirect that is another one every time.
    const next = url.startsWith("/longer") ? `${url}/longer` : location
    response
      .writeHead(next === undefined ? status : 302, {
        "content-type": type,
        ...(next !== undefined && { location: next })
      })
      .end(body)
  })
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening))
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  server = await begunServer({ env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } })
})
afterAll(async () => {
  site.close()
  await cleanUp()
})

const newSpace = async (): Promise<string> => {
  const { body } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, { title: "Docs" })
  return `/v1/spaces/${body.id}`
}

/** Result of a promise, with others answered at the same time. */
const beside = async <A>(space: string, work: Promise<A>): Promise<A> => {
  assert.strictEqual((await server.call("GET", space)).status, 200)
  return await work
}

/** The texts of a space's pages, by their titles. */
const textsOf = async (space: string): Promise<Record<string, string>> => {
  const { pages } = (await server.call("GET", `${space}/content/pages`)).body
  const flat = (nodes: ReadonlyArray<any>): ReadonlyArray<any> =>
    nodes.flatMap((one) => [one, ...flat(one.pages ?? [])])
  const texts: Record<string, string> = {}
  for (const { id, title } of flat(pages)) {
    texts[title] = belowTitle((await server.call("GET", `${space}/content/page/${id}?format=markdown`)).body.markdown)
  }
  return texts
}

const letters = (text: string): string => text.replace(/[^A-Za-z]/g, "")

describe("A server that imports what strangers wrote", () => {
  it.each([
    ["website", "/loop/", /redirect/],
    ["website", "/longer", /redirect/],
    ["markdown", "/loop/", /redirect/],
    ["website", "/forbidden/", /robots\.txt/],
    ["zip", "/out.zip", /leads out of it/],
    ["zip", "/absolute.zip", /leads out of it/],
    ["zip", "/bomb.zip", /unpacks to more than/],
    ["zip", "/lies.zip", /damaged/],
    ["zip", "/entries.zip", /200001 entries/],
    ["zip", "/text.zip", /no ZIP archive/],
    ["zip", "/cut.zip", /no ZIP archive/],
    ["docx", "/text.docx", /./],
    ["docx", "/folder.docx", /./],
    ["markdown", "/none.md", /404/]
  ])("refuses %s %s with a sentence, and stores nothing", async (source, path, sentence) => {
    const space = await newSpace()
    const { revision } = (await server.call("GET", space)).body
    const importing = server.call("POST", `${space}/content/import`, { source, url: origin + path })
    const { status, body } = await beside(space, importing)
    assert.strictEqual(status, 400, JSON.stringify(body))
    assert.match(body.error.message, sentence)
    assert.strictEqual((await server.call("GET", space)).body.revision, revision)
    assert.deepStrictEqual(await textsOf(space), {})
  })

  it.each([
    ["markdown", "/line.md", letters(oneLine)],
    ["markdown", "/quotes.md", "deep"],
    ["markdown", "/tags.md", "end"],
    ["markdown", "/brackets.md", "end"],
    ["html", "/line.html", letters(oneLine)],
    ["html", "/scripts.html", "After"],
    ["html", "/deep.html", "deep"],
    ["markdown", "/binary.md", ""],
    ["zip", "/link.zip", ""],
    ["zip", "/hostile.zip", letters(oneLine)],
    ["zip", "/latin.zip", "Uncafnoir"],
    ["website", "/maps/", "Textofit"]
  ])("imports %s %s as harmless content", async (source, path, said) => {
    const space = await newSpace()
    const importing = server.call("POST", `${space}/content/import`, { source, url: origin + path })
    const { status, body } = await beside(space, importing)
    assert.strictEqual(status, 201, JSON.stringify(body))
    const texts = await textsOf(space)
    const all = Object.values(texts).join("\n")
    assert.isTrue(letters(all).includes(said), all.slice(0, 500))
    for (const harm of ["root:", "<script", "onclick", "javascript:", "<iframe"])
      assert.isFalse(all.includes(harm), harm)
  })
})

describe("A server with what strangers linked to", () => {
  it("keeps links that run something as text of the author, and tells that they are broken", async () => {
    const space = await newSpace()
    const url = `${origin}/links.md`
    const { status } = await server.call("POST", `${space}/content/import`, { source: "markdown", url })
    assert.strictEqual(status, 201)
    const { items } = (await server.call("GET", `${space}/links`)).body
    const running = items.filter((item: unknown) => JSON.stringify(item).includes("javascript:"))
    assert.strictEqual(running.length, 1)
    assert.include(JSON.stringify(running[0]), '"broken"')
  })
})

describe.skipIf(!hasGit)("A server that imports what strangers pushed", () => {
  const ref = "refs/heads/main"

  const over = async (space: string): Promise<any> => {
    for (;;) {
      const { operation } = (await server.call("GET", `${space}/git/info`)).body
      if (operation.state !== "running") return operation
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }

  it.live("takes what is harmless of a repository, and tells of the rest", () =>
    Effect.gen(function* () {
      const git = yield* gitServer()
      git.init("docs.git")
      const files = [
        { name: "README.md", content: "# Home\n\n[a](javascript:alert\\(1\\))\n" },
        { name: "line.md", content: `# Line\n\n${oneLine}\n` },
        { name: "quotes.md", content: quotes },
        { name: "tags.md", content: tags },
        { name: "passwd.md", mode: "120000", content: "../../../../etc/passwd" },
        { name: "absolute.md", mode: "120000", content: "/etc/passwd" },
        { name: "itself.md", mode: "120000", content: "itself.md" }
      ]
      git.commitTree("docs.git", git.tree("docs.git", files))
      yield* Effect.promise(async () => {
        const space = await newSpace()
        const url = git.urlOf("docs.git")
        assert.strictEqual((await server.call("POST", `${space}/git/import`, { url, ref })).status, 204)
        const operation = await over(space)
        assert.strictEqual(operation.state, "success", operation.error)
        assert.includeMembers(
          operation.problems.map(({ path }: { path: string }) => path),
          ["absolute.md", "itself.md", "passwd.md"]
        )
        const texts = await textsOf(space)
        assert.isTrue(letters(texts["Line"]!).includes(letters(oneLine)))
        assert.isFalse(JSON.stringify(texts).includes("root:"))
        // It comes out as it came in.
        git.init("copy.git")
        const copy = { url: git.urlOf("copy.git"), ref, commitMessage: "Copy" }
        assert.strictEqual((await server.call("POST", `${space}/git/export`, copy)).status, 204)
        assert.strictEqual((await over(space)).state, "success")
        for (const { name, content, mode } of files) {
          if (mode === undefined) assert.strictEqual(git.files("copy.git")[name], content)
        }
      })
    })
  )

  it.live("refuses a host that redirects for ever, and a repository with too large a file", () =>
    Effect.gen(function* () {
      const git = yield* gitServer()
      git.init("docs.git")
      git.commit("docs.git", { "README.md": "# Home\n", "zeros.bin": Buffer.alloc(65 * 1024 * 1024) })
      yield* Effect.promise(async () => {
        const space = await newSpace()
        const { revision } = (await server.call("GET", space)).body
        for (const [url, sentence] of [
          [`${origin}/longer`, /redirects too often/],
          [git.urlOf("docs.git"), /a file of more than 64 MiB/]
        ] as const) {
          assert.strictEqual((await server.call("POST", `${space}/git/import`, { url, ref })).status, 204)
          const { state, error } = await over(space)
          assert.strictEqual(state, "failure")
          assert.match(error, sentence)
        }
        assert.strictEqual((await server.call("GET", space)).body.revision, revision)
      })
    })
  )
})
