/** Tests pages, sections and redirects whose paths equal files that a site serves itself. */
import { assert, describe, it } from "@effect/vitest"
import * as Slug from "@lectern/core/content/pages/Slug"
import { slugOfPath } from "@lectern/exchange/import/KeyedPages"
import * as ServedNames from "@lectern/core/site/ServedNames"
import { Effect } from "effect"
import { Harness, has, onMemory } from "../../http/test/Harness.ts"
import { addSection, createSite, json, ofSite, publishedSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, openChangeRequest, publish } from "../../http/test/Steps.ts"
import { tryItPath } from "../src/api/TryIt.ts"
import { blockPath } from "../src/contentkit/BlockForm.ts"
import { pdfPath } from "../src/page/PageActions.ts"
import { feedbackPath } from "../src/page/Feedback.ts"
import { signOffPath } from "../src/page/Footer.ts"
import { searchPath } from "../src/page/SearchBox.ts"
import { consentPath } from "../src/page/SiteScripts.ts"
import type { ResolvedUrl } from "../src/reading/SitePages.ts"
import { asNoPage } from "../src/server/SitePaths.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const names = ["robots.txt", "sitemap.xml", "Sitemap-12.XML", "llms.txt", "llms-full.txt", "favicon.ico", ".well-known"]

describe("Served names", () => {
  for (const name of [...names, "~search", "~lectern", "index.md", "Node.md", "feed.atom", "logo.png"]) {
    it(`${name} becomes another slug, of a title and of a file`, () => {
      for (const slug of [Slug.fromTitle(name), slugOfPath(`${name}.md`, "")]) {
        assert.isFalse(ServedNames.isServed([slug]), slug)
        assert.isFalse(ServedNames.isReserved(slug), slug)
        assert.match(slug, /^[\p{L}\d-]+$/u)
      }
    })
  }

  it("leave other names as they are", () => {
    for (const name of ["node.js", "v1.2", ".net", "robots", "c++", "sitemap.html", "index"]) {
      assert.strictEqual(ServedNames.avoided(name), name)
      assert.isFalse(ServedNames.isServed([name]))
    }
  })

  it("are those of all paths that a site has of its own", () => {
    for (const path of [
      feedbackPath,
      searchPath,
      pdfPath,
      tryItPath,
      blockPath,
      consentPath,
      signOffPath,
      "~lectern"
    ]) {
      assert.isTrue(ServedNames.isReserved(path), path)
    }
    assert.isFalse(ServedNames.isReserved("~others"))
  })

  it("count at the root where the file is there alone, and below pages where each has one", () => {
    assert.isFalse(ServedNames.isServed(["guide", "robots.txt"]))
    assert.isTrue(ServedNames.isServed(["guide", "llms.txt"]))
    assert.isTrue(ServedNames.isServed(["guide", "node.md"]))
  })

  it("win over a page that has one from before", () => {
    const found = {
      type: "page",
      published: { pathname: "/robots.txt", page: "p" },
      site: {}
    } as unknown as ResolvedUrl
    const at = (path: string) => asNoPage(found, new URL(path, "https://docs.example"))
    assert.deepStrictEqual(at("/robots.txt")?.published, { pathname: "/robots.txt" } as never)
    assert.isUndefined(at("/robots.txt/"))
  })
})

onMemory("Names that a site serves", (it) => {
  it.effect("are refused where a caller chooses one", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const space = yield* createSpace({ title: "Docs" })
      const { id } = yield* openChangeRequest(space.id)
      const site = yield* createSite([space.id])
      const { id: section } = yield* addSection(site.id, (yield* createSpace({ title: "More" })).id, "More")
      for (const name of [...names.map((one) => one.toLowerCase()), "~search"]) {
        const changes = [{ ...insertPage("Page"), slug: name }]
        yield* call("admin", "POST", `/v1/spaces/${space.id}/change-requests/${id}/content`, { changes }).pipe(has(400))
        yield* ofSite(site.id, "PATCH", `/sections/${section}`, { path: name }).pipe(has(400))
        const destination = { kind: "external", url: "https://example.com/" }
        yield* ofSite(site.id, "POST", "/redirects", { source: `/${name}`, destination }).pipe(has(400))
      }
    })
  )

  it.effect("stay files of the site, and each page of such a name is read at another URL", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [
        insertPage("Front", "The front"),
        insertPage("Node", "The page node"),
        ...names.map((name) => insertPage(name, `The page ${name}`)),
        ...["node.md", "lone.md", "index", "index.md", "node.png", "node.atom"].map((slug) => ({
          ...insertPage(`As ${slug}`, `The page ${slug}`),
          slug
        })),
        insertPage("Last", "The last")
      ])
      const { urls } = yield* publishedSite([space.id])
      const base = urls.published ?? ""
      const map = yield* ask(`${base}sitemap.xml`).pipe(hasStatus(200))
      const listed = Array.from(map.text.matchAll(/<loc>([^<]*)/g), ([, url]) => url!)
      assert.strictEqual(listed.length, 3 + names.length + 6)
      const titles = new Set<string>()
      for (const url of listed) {
        const { text } = yield* ask(url).pipe(hasStatus(200))
        assert.include(text, `<link rel="canonical" href="${url}">`)
        titles.add(/<h1[^>]*>([^<]*)/.exec(text)![1]!)
        const [, form = ""] = /type="text\/markdown" href="([^"]*)"/.exec(text) ?? []
        const title = /<h1[^>]*>([^<]*)/.exec(text)![1]!
        assert.include((yield* ask(form).pipe(hasStatus(200))).text, `# ${title}\n`, form)
      }
      assert.strictEqual(titles.size, listed.length)
      assert.match((yield* ask(`${base}robots.txt`)).text, /^User-agent/)
      assert.match((yield* ask(`${base}llms.txt`)).text, /^# /)
      assert.include((yield* ask(`${base}index.md`)).text, "The front")
      assert.include((yield* ask(`${base}node.md`)).text, "The page node\n")
      assert.strictEqual(
        (yield* ask(`${base}lone.md`).pipe(hasStatus(308))).headers.get("location"),
        new URL(`${base}lone.md/`).pathname
      )
      assert.include((yield* ask(`${base}lone.md/`).pipe(hasStatus(200))).text, "The page lone.md")
      assert.include((yield* ask(`${base}lone.md.md`).pipe(hasStatus(200))).text, "The page lone.md")
    })
  )

  it.effect("are not led away by redirects with a `*`", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [insertPage("Front", "The front"), insertPage("Node", "The page")])
      const { id, urls } = yield* publishedSite([space.id])
      const base = urls.published ?? ""
      const destination = { kind: "external", url: "https://example.com/" }
      for (const source of ["/r*", "/s*", "/l*", "/i*", "/n*", "/g*"]) {
        yield* ofSite(id, "POST", "/redirects", { source, destination }).pipe(json(201))
      }
      for (const name of ["robots.txt", "sitemap.xml", "llms.txt", "llms-full.txt", "index.md", "node.md"]) {
        yield* ask(base + name).pipe(hasStatus(200))
      }
      for (const name of ["gone.md", "gone", "node/robots.txt"]) yield* ask(base + name).pipe(hasStatus(307))
    })
  )
})
