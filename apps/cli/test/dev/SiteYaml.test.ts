/** Folders with a `site.yaml`: sections, variants, links between them, and changes of the file. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as SiteFetch from "@lectern/site/fetch"
import { Effect } from "effect"
import * as FolderSite from "../../src/dev/FolderSite.ts"
import * as FolderLint from "../../src/lint/FolderLint.ts"
import { folderOf, write } from "./Folders.ts"

const opened = Effect.fnUntraced(function* (folder: string) {
  const site = yield* FolderSite.make({ folder })
  const respond = Effect.fnUntraced(function* (path: string) {
    const { fetch } = yield* SiteFetch.make({ site: site.published()!.site, at: "/" })
    return yield* Effect.promise(async () => {
      const response = await fetch(new Request(new URL(path, "http://127.0.0.1:4000")))
      return { status: response!.status, location: response!.headers.get("location"), text: await response!.text() }
    })
  })
  return { ...site, respond, text: (path: string) => Effect.map(respond(path), ({ text }) => text) }
})

const onSites = <A, E, R>(test: Effect.Effect<A, E, R>) => test.pipe(Effect.scoped, Effect.provide(FolderSite.layer))

/** A link to another part is absolute. */
const linkTo = (path: string) => `href="http://127.0.0.1:4000${path}"`

const linesOf = ({ problems }: Pick<FolderSite.Update, "problems">) =>
  problems.map(({ path, line, message }) => `${path}:${line}: ${message}`)

const siteYaml = `title: Acme
sections:
  - title: Guide
    icon: book
    folder: guide
  - title: Reference
    sections:
      - title: API
        variants:
          - title: Version 2
            folder: api/v2
            path: v2
          - title: Version 1
            folder: api/v1
            path: v1
            customization:
              announcement: { enabled: true, message: Version 1 is old, style: info }
      - title: Blog
        folder: .
customization:
  styling:
    primaryColor: { light: "#0a7a4b", dark: "#7ee2b8" }
  header:
    links:
      - title: Install
        to: guide/install.md#1-linux
        links: []
redirects:
  - source: /setup
    destination: guide/install.md
  - source: /reference/*
    destination: api/v2
`

const files = {
  "site.yaml": siteYaml,
  "README.md": "# Blog\n\n[Install](guide/install.md)\n",
  "guide/SUMMARY.md": "# Contents\n\n* [Start](README.md)\n* [Install](install.md)\n",
  "guide/README.md": "# Start\n\n[API](../api/v2/README.md) [Old](../api/v1/pages/old.md) ![](../pictures/p.svg)\n",
  "guide/install.md": "# Install\n\n## 1. Linux\n\nRun it.\n",
  "api/v1/.gitbook.yaml": "root: ./pages\n",
  "api/v1/pages/README.md": "# Version 1\n\n[Install](../../../guide/install.md#1-linux)\n",
  "api/v1/pages/old.md": "# Old\n",
  "api/v1/unlisted.md": "# Outside of the root\n",
  "api/v2/README.md": "# Version 2\n",
  "pictures/p.svg": `<svg xmlns="http://www.w3.org/2000/svg"/>`
}

describe("site.yaml", () => {
  it.live("makes sections and variants of folders, with links between them, customization and redirects", () =>
    Effect.gen(function* () {
      const folder = folderOf(files)
      const { respond, text, update } = yield* opened(folder)
      const first = yield* update
      assert.deepStrictEqual(linesOf(first), [])
      assert.strictEqual(first.pages, 6)

      const home = yield* text("/")
      assert.include(home, "<h1>Start</h1>")
      for (const title of ["Acme", "Guide", "Reference", "API", "Blog"]) assert.include(home, title)
      assert.include(home, linkTo("/api/"))
      assert.include(home, linkTo("/api/v1/old"))
      assert.include(home, 'href="/install#id-1.-linux"')
      assert.include(home.toLowerCase(), "#0a7a4b")
      assert.match(home, /<img[^>]* src="/)
      assert.include(yield* text("/api/"), "Version 1")
      const old = yield* text("/api/v1/")
      assert.include(old, linkTo("/install#id-1.-linux"))
      assert.include(old, "Version 1 is old")
      assert.notInclude(home, "Version 1 is old")
      assert.include(yield* text("/blog/"), linkTo("/install"))
      assert.strictEqual((yield* respond("/blog/install")).status, 404)
      assert.strictEqual((yield* respond("/setup")).location, "/install")
      assert.strictEqual((yield* respond("/reference/x")).location, "/api/")
    }).pipe(onSites)
  )

  it.live("follows changes of the file and of pages that other parts link to", () =>
    Effect.gen(function* () {
      const folder = folderOf(files)
      const { parts, published, respond, text, update } = yield* opened(folder)
      yield* update
      const { site } = published()!
      const spaces = parts().map(({ space }) => space)

      // A page that another part links to moves.
      write(folder, { "api/v1/pages/gone.md": "# Gone\n" })
      write(folder, { "guide/README.md": "# Start\n\n[Gone](../api/v1/pages/gone.md)\n" })
      assert.deepStrictEqual(linesOf(yield* update), [])
      assert.include(yield* text("/"), linkTo("/api/v1/gone"))
      assert.strictEqual(published()!.site, site)
      rmSync(join(folder, "api/v1/pages/gone.md"))
      assert.deepStrictEqual(linesOf(yield* update), [
        "guide/README.md:3: A link leads to nothing in the folder: ../api/v1/pages/gone.md"
      ])
      write(folder, { "guide/README.md": "# Start\n" })

      write(folder, {
        "site.yaml": siteYaml.replace("title: Guide", "title: Handbook").replace("title: Blog", "title: News")
      })
      assert.deepStrictEqual(linesOf(yield* update), [])
      assert.include(yield* text("/"), "Handbook")
      assert.strictEqual((yield* respond("/news/")).status, 200)
      assert.strictEqual((yield* respond("/blog/")).status, 404)
      assert.deepStrictEqual(
        parts().map(({ space }) => space),
        spaces
      )

      rmSync(join(folder, "site.yaml"))
      yield* update
      assert.include(yield* text("/"), "<h1>Blog</h1>")
      assert.strictEqual((yield* respond("/guide/install")).status, 200)
    }).pipe(onSites)
  )

  it.live("is reported with positions if it is invalid, and the last valid version stays", () =>
    Effect.gen(function* () {
      const folder = folderOf({ "site.yaml": siteYaml, "guide/README.md": "# Start\n" })
      const { text, update } = yield* opened(folder)
      const missing = yield* update
      assert.deepStrictEqual(linesOf(missing), [
        "site.yaml:11: There is no folder api/v2",
        "site.yaml:14: There is no folder api/v1",
        "site.yaml:26: A link leads to no page: there is no guide/install.md#1-linux",
        "site.yaml:30: A redirect leads to no page: there is no guide/install.md"
      ])
      write(folder, { "site.yaml": siteYaml.replace("sections:", "sectoins:").replace("icon:", "ikon:") })
      assert.deepStrictEqual(linesOf(yield* update), ["site.yaml:2: sectoins: Unknown field: did you mean sections?"])
      assert.include(yield* text("/"), "Guide")
      write(folder, {
        "site.yaml": "sections:\n  - title: One\n    folder: guide\n  - title: One\n    folder: .\n    path: one\n"
      })
      const taken = linesOf(yield* update)
      assert.lengthOf(taken, 1)
      assert.match(taken[0]!, /^site\.yaml:4: /)
    }).pipe(onSites)
  )

  it.live("takes groups of one table of contents as sections", () =>
    Effect.gen(function* () {
      const folder = folderOf({
        "site.yaml": `sections:
  - title: Use
    groups: ["", Guides]
  - title: Run
    groups: [Servers, Nothing]
`,
        "SUMMARY.md":
          "# Contents\n\n* [Home](README.md)\n\n## Guides\n\n* [Write](guides/write.md)\n\n## Servers\n\n* [Run](run.md)\n\n## Unknown\n\n* [Other](other.md)\n",
        "README.md": "# Home\n\n[Run](run.md#start) [None](run.md#none)\n",
        "guides/write.md": "# Write\n",
        "run.md": "# Run\n\n## Start\n\n[Home](README.md)\n",
        "other.md": "# Other\n"
      })
      const site = yield* opened(folder)
      const first = yield* site.update
      assert.deepStrictEqual(linesOf(first), ['site.yaml:5: The navigation has no group "Nothing"'])
      assert.include(yield* site.text("/"), linkTo("/run/run/#start"))
      assert.include(yield* site.text("/run/run/"), linkTo("/"))
      assert.strictEqual((yield* site.respond("/guides/write")).status, 200)
      assert.strictEqual((yield* site.respond("/unknown/other")).status, 200)
      // A link to a heading of another part is checked too.
      const problems = yield* FolderLint.make(folder, site)(first)
      assert.deepStrictEqual(linesOf({ problems }), [
        "README.md:3: The anchor of a link names no heading: run.md#none",
        'site.yaml:5: The navigation has no group "Nothing"'
      ])
    }).pipe(onSites)
  )
})
