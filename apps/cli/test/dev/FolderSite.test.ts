/** A folder as a site, without a server: what its pages contain after changes of the files. */
import { rmSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import * as SiteFetch from "@lectern/site/fetch"
import { Effect } from "effect"
import * as FolderSite from "../../src/dev/FolderSite.ts"
import { folderOf, write } from "./Folders.ts"

/** Opens a folder as a site. `text` returns the text of a page as the visitor reads it. */
const opened = Effect.fnUntraced(function* (options: FolderSite.FolderSiteOptions) {
  const site = yield* FolderSite.make(options)
  const respond = Effect.fnUntraced(function* (path: string) {
    const published = site.published()!
    const { fetch } = yield* SiteFetch.make({ site: published.site, at: "/" })
    const headers = published.token === undefined ? {} : { cookie: `lectern-visitor=${published.token}` }
    return yield* Effect.promise(async () => {
      const response = await fetch(new Request(new URL(path, "http://127.0.0.1:4000"), { headers }))
      return { status: response!.status, type: response!.headers.get("content-type"), text: await response!.text() }
    })
  })
  return { ...site, respond, text: (path: string) => Effect.map(respond(path), ({ text }) => text) }
})

const onSites = <A, E, R>(test: Effect.Effect<A, E, R>) => test.pipe(Effect.scoped, Effect.provide(FolderSite.layer))

const summary = "# Contents\n\n* [Home](README.md)\n* [Guide](guide.md)\n"
const home = "# Home\n\n[Guide](guide.md) ![](pictures/p.svg)\n"
const svg = (text: string) => `<svg xmlns="http://www.w3.org/2000/svg"><title>${text}</title></svg>`
const pictureUrl = (page: string) => /<img[^>]* src="([^"]+)"/.exec(page)![1]!.replaceAll("&amp;", "&")

describe("FolderSite", () => {
  it.live("follows new, changed, renamed and removed files, the table of contents and pictures", () =>
    Effect.gen(function* () {
      const folder = folderOf({
        "SUMMARY.md": summary,
        "README.md": home,
        "guide.md": "# Guide\n\nOne.\n",
        "pictures/p.svg": svg("One")
      })
      const { respond, text, update } = yield* opened({ folder })
      const first = yield* update
      assert.deepStrictEqual(first.problems, [])
      assert.strictEqual(first.pages, 2)
      assert.include(yield* text("/guide"), "One.")
      assert.deepStrictEqual((yield* update).changes, [])

      write(folder, { "guide.md": "# Guide\n\nTwo.\n", "pictures/p.svg": svg("Two") })
      assert.deepStrictEqual([...(yield* update).changes].sort(), ["guide.md", "pictures/p.svg"])
      assert.include(yield* text("/guide"), "Two.")
      assert.include(yield* text(pictureUrl(yield* text("/"))), "Two")

      write(folder, { "SUMMARY.md": summary.replace("[Guide]", "[The guide]"), "new.md": "# New\n" })
      yield* update
      assert.include(yield* text("/"), "The guide")
      assert.strictEqual((yield* respond("/new")).status, 200)

      rmSync(join(folder, "guide.md"))
      const removed = yield* update
      assert.deepStrictEqual(
        removed.problems.map(({ path, line }) => [path, line]),
        [
          ["README.md", 3],
          ["SUMMARY.md", 4]
        ]
      )
      assert.strictEqual((yield* respond("/guide")).status, 404)
      write(folder, { "guide.md": "# Guide\n\nThree.\n" })
      assert.deepStrictEqual((yield* update).problems, [])
      assert.include(yield* text("/guide"), "Three.")
      assert.include(yield* text("/"), 'href="/guide"')
    }).pipe(onSites)
  )

  it.live("has the tree and the first page of a large folder before all other pages", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 101 }, (_, i) => `page-${i}`)
      const pages = names.map((name) => [`${name}.md`, `---\nicon: star\n---\n\n# The ${name}\n\nText of ${name}.\n`])
      const folder = folderOf({ "README.md": home, ...Object.fromEntries(pages) })
      const { prepare, text, update } = yield* opened({ folder })
      assert.isTrue(yield* prepare)
      assert.include(yield* text("/"), "<h1>Home</h1>")
      assert.include(yield* text("/"), "The page-100")
      assert.notInclude(yield* text("/page-7"), "Text of page-7.")
      const { changes, problems } = yield* update
      assert.lengthOf(changes, 102)
      assert.lengthOf(problems, 2)
      assert.include(yield* text("/page-7"), "Text of page-7.")
    }).pipe(onSites)
  )

  it.live("leaves out drafts, or shows them as other pages, in every kind of navigation", () =>
    Effect.gen(function* () {
      const pages = {
        "README.md": "# Home\n\n[Draft](draft.md)\n",
        "draft.md": "---\ndraft: true # not yet\n---\n\n# The draft\n",
        "old.md": '---\n"published": false\n---\n\n# The old page\n',
        "no.md": "---\ndraft: false\n---\n\n# No draft\n\ndraft: true\n"
      }
      const navigations = [
        {},
        { "SUMMARY.md": "# Contents\n\n* [Home](README.md)\n* [Draft](draft.md)\n* [Old](old.md)\n* [No](no.md)\n" },
        { "mkdocs.yml": "docs_dir: .\nnav:\n  - README.md\n  - draft.md\n  - old.md\n  - no.md\n" }
      ]
      for (const navigation of navigations) {
        const folder = folderOf({ ...pages, ...navigation })
        for (const drafts of ["omitted", "shown"] as const) {
          const { respond, text, update } = yield* opened({ folder, drafts })
          assert.deepStrictEqual((yield* update).problems, [])
          const isShown = drafts === "shown"
          for (const path of ["draft", "old"]) {
            assert.strictEqual((yield* respond(`/${path}`)).status, isShown ? 200 : 404)
            assert.strictEqual((yield* text("/")).includes(`href="/${path}"`), isShown)
          }
          assert.include(yield* text("/"), 'href="/no"')
          write(folder, { "draft.md": "# The draft\n" })
          yield* update
          assert.include(yield* text("/"), 'href="/draft"')
          write(folder, { "draft.md": pages["draft.md"] })
        }
      }
    }).pipe(onSites)
  )

  it.live("shows what its visitor may see", () =>
    Effect.gen(function* () {
      const page = (plan: string) => `---\nif: visitor.claims.plan == "${plan}"\n---\n\n# For ${plan}\n`
      const folder = folderOf({ "README.md": "# Home\n", "pro.md": page("pro"), "free.md": page("free") })
      const { respond, update } = yield* opened({ folder, claims: { plan: "pro" } })
      yield* update
      assert.strictEqual((yield* respond("/pro")).status, 200)
      assert.strictEqual((yield* respond("/free")).status, 404)
    }).pipe(onSites)
  )
})
