/** Everything that programs read of sites. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { has, onMemory } from "../../http/test/Harness.ts"
import {
  createShareLink,
  createSite,
  goodToken,
  ofSite,
  patchSite,
  publishedSite,
  publishSite,
  addSection
} from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish, spaceWith } from "../../http/test/Steps.ts"
import { prefersMarkdown } from "../src/machine-readable/ContentNegotiation.ts"
import * as TextParts from "../src/machine-readable/TextParts.ts"
import * as Sitemap from "../src/machine-readable/Sitemap.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

const group = (title: string) => ({ operation: "insert_page", type: "group", title, ref: title })

const markdown = { accept: "text/markdown" }

describe("Accept", () => {
  for (const [accept, wanted] of [
    [undefined, false],
    ["*/*", false],
    ["text/html,application/xhtml+xml,*/*;q=0.8", false],
    ["text/markdown", true],
    ["text/markdown, text/html, */*", true],
    ["text/html, text/markdown", false],
    ["text/html;q=0.5, text/markdown", true],
    ["text/markdown;q=0.5, */*", false],
    ["text/markdown;q=0", false],
    [`text/markdown,${"x,".repeat(1000)}`, false]
  ] as const) {
    it(`${String(accept).slice(0, 60)} ${wanted ? "prefers" : "does not prefer"} Markdown`, () => {
      assert.strictEqual(prefersMarkdown(accept), wanted)
    })
  }
})

describe("Parts", () => {
  it("hold all of a text, each within its length, and part it in front of headings", () => {
    const text = Array.from({ length: 50 }, (_, i) => `## Heading ${i}\n\n${"word ".repeat(20)}`).join("\n\n")
    const parts = Array.from(TextParts.split(text, 1_000))
    assert.isTrue(parts.every((part) => part.length <= 1_000 && part.startsWith("## ")))
    assert.strictEqual(parts.join("\n\n").replace(/\s+/g, ""), text.replace(/\s+/g, ""))
  })

  it("leave blocks of code whole where they can, and part what has no place to part at", () => {
    const code = `\`\`\`\n${"# not a heading\n\n".repeat(30)}\`\`\``
    const parts = Array.from(TextParts.split(`${"a ".repeat(300)}\n\n${code}\n\nend`, 1_000))
    assert.isTrue(parts.some((part) => part.includes(code)))
    const emoji = Array.from(TextParts.split("😀".repeat(1_000), 999))
    assert.isTrue(emoji.every((part) => part.length <= 999 && part.isWellFormed()))
    assert.strictEqual(emoji.join(""), "😀".repeat(1_000))
  })
})

describe("Sitemap", () => {
  it("is nested above 50,000 pages, and holds up nobody meanwhile", async () => {
    const entries = Array.from({ length: 50_001 }, (_, i) => ({
      url: `https://x.example/${i}&`,
      updatedAt: "2026-01-01"
    }))
    let turns = 0
    const others = Effect.forever(Effect.map(Effect.yieldNow, () => void turns++))
    const files = await Effect.runPromise(Effect.race(Sitemap.files(entries, "https://x.example/"), others))
    const [whole = "", , second] = files.map((pieces) => pieces.join(""))
    assert.isAbove(turns, 2)
    assert.match(whole, /<sitemapindex/)
    assert.include(whole, "<loc>https://x.example/sitemap-2.xml</loc>")
    assert.include(second ?? "", "<loc>https://x.example/50000&amp;</loc>")
    assert.lengthOf(files, 3)
  })

  it("has several below 50,000 pages where their URLs are long, since a sitemap has at most 50 MB", async () => {
    const entries = Array.from({ length: 30_000 }, (_, i) => ({
      url: `https://x.example/${"%E6%BC%A2".repeat(200)}${i}`,
      updatedAt: "2026-01-01T00:00:00.000Z"
    }))
    const files = await Effect.runPromise(Sitemap.files(entries, "https://x.example/"))
    const [whole, ...parts] = files.map((pieces) => pieces.join(""))
    assert.include(whole, "<loc>https://x.example/sitemap-2.xml</loc>")
    assert.isTrue(parts.every((text) => Buffer.byteLength(text) <= 50_000_000))
    assert.strictEqual(parts.join("").split("<url>").length - 1, entries.length)
    assert.lengthOf(parts, 2)
  })
})

onMemory("Files for machines", (it) => {
  it.effect("are there for each page, as Markdown with links that hold anywhere", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space, idOf } = yield* spaceWith({ Start: "Hello" })
      yield* publish(space, [
        insertPage("Guide", `See [start](/pages/${idOf("Start")}) and [there](./other).\n\n## More\n\nText`, {
          description: "How to begin"
        })
      ])
      const { urls } = yield* publishedSite([space])
      const base = urls.published ?? ""
      const page = yield* ask(`${base}guide.md`).pipe(hasStatus(200))
      assert.strictEqual(page.headers.get("content-type"), "text/markdown; charset=utf-8")
      assert.strictEqual(page.headers.get("vary"), "Accept, Cookie")
      assert.strictEqual(page.headers.get("x-robots-tag"), "noindex")
      assert.strictEqual(page.headers.get("link"), `<${base}guide>; rel="canonical"`)
      assert.strictEqual(
        page.text,
        `> For a list of all pages, see [llms.txt](${base}llms.txt).\n\n# Guide\n\nHow to begin\n\nSee [start](${base}) and [there](${base}other).\n\n## More\n\nText\n`
      )
      assert.strictEqual((yield* ask(`${base}guide`, markdown)).text, page.text)
      const html = yield* ask(`${base}guide`).pipe(hasStatus(200))
      assert.include(html.text, `<link rel="alternate" type="text/markdown" href="${base}guide.md">`)
      assert.match(html.headers.get("vary") ?? "", /accept/i)
      yield* publish(space, [insertPage("Raw", "Some <img src=x onerror=alert(1)>\n\n<script>alert(1)</script>")])
      assert.notMatch((yield* ask(`${base}raw.md`).pipe(hasStatus(200))).text, /(?<!\\)<(?:img|script)/)
      for (const front of ["index.md", "start.md"]) {
        const { text } = yield* ask(base + front).pipe(hasStatus(200))
        assert.include(text, "# Start\n\nHello")
      }
    })
  )

  it.effect("list all pages by their Markdown, and nothing that is hidden or left out of search", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [
        insertPage("Start [1]", "One"),
        group("Guides"),
        insertPage("Secret", "Two", { hidden: true }),
        insertPage("Unlisted", "Three", { noIndex: true }),
        insertPage("Robotless", "Four", { noRobotsIndex: true })
      ])
      const { urls } = yield* publishedSite([space.id], { title: "Acme" })
      const base = urls.published ?? ""
      const index = yield* ask(`${base}llms.txt`).pipe(hasStatus(200))
      assert.match(index.text, /^# Acme\n\n/)
      assert.include(index.text, `- [Start \\[1\\]](${base}index.md)`)
      assert.include(index.text, `- [Robotless](${base}robotless.md)`)
      assert.notMatch(index.text, /Secret|Unlisted/)
      const sitemap = yield* ask(`${base}sitemap.xml`).pipe(hasStatus(200))
      assert.include(sitemap.text, `<loc>${base}</loc>`)
      assert.include(sitemap.text, `<loc>${base}unlisted</loc>`)
      assert.notMatch(sitemap.text, /secret|robotless/)
      const full = yield* ask(`${base}llms-full.txt`).pipe(hasStatus(200))
      assert.match(full.text, /One[^]*Four/)
      assert.notMatch(full.text, /Two|Three/)
      const robots = yield* ask(`${base}robots.txt`).pipe(hasStatus(200))
      assert.include(robots.text, `Sitemap: ${base}sitemap.xml`)
      for (const none of ["sitemap-0.xml", "sitemap-1.xml", "sitemap-2.xml", "sitemap-pages.xml"])
        yield* ask(`${base}${none}`).pipe(hasStatus(404))
      yield* ask(`${base}llms.txt?part=2`).pipe(hasStatus(404))
    })
  )

  it.effect("are in parts where they are long", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const long = Array.from({ length: 1_500 }, (_, i) => `## Heading ${i}\n\n${"word ".repeat(10)}`).join("\n\n")
      const { space } = yield* spaceWith({ Start: "Hello", Long: long })
      const base = (yield* publishedSite([space])).urls.published ?? ""
      const first = yield* ask(`${base}long.md`).pipe(hasStatus(200))
      assert.isAtMost(first.text.length, 50_000)
      const next = /This page goes on: (\S+)/.exec(first.text)?.[1] ?? ""
      const second = yield* ask(next).pipe(hasStatus(200))
      assert.isAtMost(second.text.length, 50_000)
      assert.include(second.text, `long.md?part=3`)
      yield* ask(`${base}long.md?part=9`).pipe(hasStatus(404))
    })
  )

  it.effect("nest lists of many pages by their groups", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      const description = "What a page is about, in some more words than are needed. ".repeat(8)
      const { idOf } = yield* publish(space.id, [insertPage("Start"), group("Many")])
      for (let from = 0; from < 150; from += 50) {
        const pages = Array.from({ length: 50 }, (_, i) => `Page ${from + i}`)
        yield* publish(
          space.id,
          pages.map((title) => insertPage(title, "", { description, into: idOf("Many") }))
        )
      }
      const base = (yield* publishedSite([space.id])).urls.published ?? ""
      const index = yield* ask(`${base}llms.txt`).pipe(hasStatus(200))
      assert.isAtMost(index.text.length, 50_000)
      assert.include(index.text, `(${base}many/llms.txt)`)
      const below = yield* ask(`${base}many/llms.txt`).pipe(hasStatus(200))
      assert.isAtMost(below.text.length, 50_000)
      assert.include(below.text, `(${base}many/page-0.md)`)
      assert.include((yield* ask(`${base}many/llms.txt?part=2`)).text, `(${base}many/page-149.md)`)
    })
  )

  it.effect("are of a space where they stand below it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const guides = yield* spaceWith({ Start: "Hello" })
      const api = yield* spaceWith({ Calls: "Ring", Keys: "Jingle" })
      const site = yield* createSite([guides.space])
      const older = yield* spaceWith({ Old: "Gone by" })
      yield* addSection(site.id, older.space, "Guides")
      const section = yield* addSection(site.id, api.space, "API")
      const base = (yield* publishSite(site.id)).urls.published ?? ""
      const whole = yield* ask(`${base}llms.txt`).pipe(hasStatus(200))
      assert.include(whole.text, `(${base}${section.path}/keys.md)`)
      assert.include(whole.text, "/llms.txt)")
      assert.notInclude(whole.text, "old.md")
      const own = yield* ask(`${base}${section.path}/llms.txt`).pipe(hasStatus(200))
      assert.notInclude(own.text, "Start")
      assert.include((yield* ask(`${base}${section.path}/llms-full.txt`)).text, "Jingle")
      yield* ask(`${base}${section.path}/sitemap.xml`).pipe(hasStatus(404))
    })
  )

  it.effect("are of the whole site where a page is called like the default section", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      const { idOf } = yield* publish(space.id, [insertPage("Start", "Hello"), group("Guides")])
      yield* publish(space.id, [insertPage("Install", "Run it", { into: idOf("Guides") })])
      const api = yield* spaceWith({ Calls: "Ring" })
      const site = yield* createSite([])
      yield* addSection(site.id, space.id, "Guides")
      const section = yield* addSection(site.id, api.space, "API")
      const base = (yield* publishSite(site.id)).urls.published ?? ""
      const robots = yield* ask(`${base}robots.txt`).pipe(hasStatus(200))
      assert.include(robots.text, `Sitemap: ${base}sitemap.xml`)
      const sitemap = yield* ask(`${base}sitemap.xml`).pipe(hasStatus(200))
      assert.include(sitemap.text, `<loc>${base}guides/guides/install</loc>`)
      assert.include(sitemap.text, `<loc>${base}${section.path}/</loc>`)
      assert.include((yield* ask(`${base}llms.txt`).pipe(hasStatus(200))).text, `(${base}${section.path}/index.md)`)
      const own = yield* ask(`${base}guides/llms.txt`).pipe(hasStatus(200))
      assert.include(own.text, `(${base}guides/guides/install.md)`)
      assert.notInclude(own.text, `${base}${section.path}/`)
      for (const none of ["robots.txt", "sitemap.xml"]) yield* ask(`${base}guides/${none}`).pipe(hasStatus(404))
    })
  )

  it.effect("hold nothing for those who may not read the site, and are named by who has its link", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: "Hello", Guide: "Words" })
      const site = yield* createSite([space])
      yield* patchSite(site.id, { visibility: "share-link" })
      yield* publishSite(site.id)
      const { url, key } = yield* createShareLink(site.id)
      const base = url.slice(0, -key.length - 1)
      for (const path of ["", "guide.md", "llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt", "guide.atom"]) {
        const answer = yield* ask(base + path, markdown).pipe(hasStatus(404))
        assert.notMatch(answer.text, /Hello|Words|Guide/)
      }
      const index = yield* ask(`${base}${key}/llms.txt`).pipe(hasStatus(200))
      assert.include(index.text, `(${base}${key}/guide.md)`)
      assert.include((yield* ask(`${base}${key}/guide.md`).pipe(hasStatus(200))).text, "Words")
      yield* ask(`${base}${key}/sitemap.xml`).pipe(hasStatus(404))
      assert.notInclude((yield* ask(`${base}${key}/robots.txt`).pipe(hasStatus(200))).text, "Sitemap")
    })
  )

  it.effect("tell what is new as Atom, and lead on from where a page was", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space, idOf } = yield* spaceWith({
        Start: "Hello",
        News: `{% updates format="full" %}\n{% update date="2026-03-01" %}\n## First & < b\n\nA [link](./start)\n{% endupdate %}\n\n{% update date="2026-04-02" tags="fix" %}\nText\n{% endupdate %}\n{% endupdates %}`
      })
      const base = (yield* publishedSite([space])).urls.published ?? ""
      const html = yield* ask(`${base}news`)
      assert.include(html.text, `<link rel="alternate" type="application/atom+xml" href="${base}news.atom"`)
      const feed = yield* ask(`${base}news.atom`).pipe(hasStatus(200))
      assert.strictEqual(feed.headers.get("content-type"), "application/atom+xml; charset=utf-8")
      assert.match(feed.text, /<updated>2026-04-02T00:00:00Z<\/updated>[^]*update-2026-04-02[^]*First &amp; &lt; b/)
      assert.include(feed.text, `&lt;a href=&quot;${base}`)
      // Readers of feeds know no page that a part of a URL belongs to.
      assert.notInclude(feed.text, "href=&quot;#")
      yield* ask(`${base}start.atom`).pipe(hasStatus(404))
      yield* publish(space, [{ operation: "update_page", page: idOf("News"), slug: "changes" }])
      const moved = yield* ask(`${base}news.md`).pipe(hasStatus(307))
      assert.strictEqual(moved.headers.get("location"), `${base}changes.md`)
    })
  )

  it.effect("are tagged by what they hold, and sent once to who has them", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      const { idOf } = yield* publish(space.id, [insertPage("Start", "First"), insertPage("Guide", "Words")])
      const { id, urls } = yield* publishedSite([space.id])
      const base = urls.published!
      const paths = ["guide.md", "llms.txt", "llms-full.txt", "sitemap.xml", "robots.txt"]
      const tags = new Map<string, string>()
      for (const path of paths) {
        const first = yield* ask(base + path).pipe(hasStatus(200))
        const etag = first.headers.get("etag")!
        tags.set(path, etag)
        assert.strictEqual(first.headers.get("cache-control"), "public, no-cache", path)
        assert.match(first.headers.get("vary")!, /Accept, Cookie/, path)
        const same = yield* ask(base + path, { "if-none-match": `W/${etag.replace(/"$/, '-gzip"')}` }).pipe(
          hasStatus(304)
        )
        assert.strictEqual(same.text, "", path)
        assert.strictEqual(same.headers.has("content-type"), false, path)
      }
      yield* publish(space.id, [
        { operation: "update_page", page: idOf("Guide"), document: { markdown: "Other words" }, title: "Guides" }
      ])
      const changed: Array<string> = []
      for (const path of paths) {
        const { status } = yield* ask(base + path, { "if-none-match": tags.get(path)! })
        if (status === 200) changed.push(path)
      }
      assert.deepStrictEqual(changed, ["guide.md", "llms.txt", "llms-full.txt"])
      yield* ofSite(id, "PATCH", "", { visibility: "share-link" }).pipe(has(200))
      yield* ask(`${base}llms.txt`, { "if-none-match": tags.get("robots.txt")! }).pipe(hasStatus(404))
    })
  )

  it.effect("of a missing page name those that may be meant", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: "Hello", "Install on Linux": "Steps" })
      const site = yield* publishedSite([space])
      const base = site.urls.published ?? ""
      for (const path of ["guides/install-linux.md", "guides/install-linux"]) {
        const answer = yield* ask(base + path, markdown).pipe(hasStatus(404))
        assert.include(answer.text, `- [Install on Linux](${base}install-on-linux.md)`)
      }
      const html = yield* ask(`${base}guides/install-linux`).pipe(hasStatus(404))
      assert.match(html.headers.get("content-type") ?? "", /html/)
      yield* ofSite(site.id, "POST", "/unpublish")
      yield* ask(`${base}index.md`).pipe(hasStatus(404))
    })
  )

  it.effect("stand at the root of a host of the site's own, and are named by where a proxy shows them", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { space } = yield* spaceWith({ Start: "Hello", Guide: "Words" })
      const site = yield* publishedSite([space])
      const base = site.urls.published ?? ""
      yield* patchSite(site.id, { hostname: "docs.acme.example.com" })
      const own = "https://docs.acme.example.com/"
      assert.include((yield* ask(`${own}llms.txt`).pipe(hasStatus(200))).text, `(${own}guide.md)`)
      assert.include((yield* ask(`${own}robots.txt`).pipe(hasStatus(200))).text, `Sitemap: ${own}sitemap.xml`)
      assert.include((yield* ask(`${own}sitemap.xml`).pipe(hasStatus(200))).text, `<loc>${own}guide</loc>`)
      assert.include((yield* ask(`${own}guide.md`).pipe(hasStatus(200))).text, "Words")
      yield* patchSite(site.id, { hostname: null, proxy: "example.com/the/docs" })
      const proxied = yield* ask(`${base}guide.md`).pipe(hasStatus(200))
      assert.strictEqual(proxied.headers.get("link"), `<https://example.com/the/docs/guide>; rel="canonical"`)
      assert.include((yield* ask(`${base}llms.txt`)).text, "(https://example.com/the/docs/guide.md)")
    })
  )

  it.effect("hold for a visitor what its claims show, and nothing for who has not signed on", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [
        insertPage("Start", "Hello"),
        insertPage("Inside", "For staff", { condition: `visitor.claims.staff == true` })
      ])
      const site = yield* createSite([space.id])
      yield* patchSite(site.id, { visibility: "visitor-auth" })
      const base = (yield* publishSite(site.id)).urls.published ?? ""
      const of = (jwt: string) => ({ cookie: `lectern-visitor=${jwt}` })
      const staff = of(yield* goodToken(site.id, { staff: true }))
      const guest = of(yield* goodToken(site.id, {}))
      for (const path of ["llms.txt", "llms-full.txt", "inside.md", "start.md", "robots.txt"]) {
        const answer = yield* ask(base + path)
        assert.isTrue(answer.status >= 300, `${path} ${answer.status}`)
        assert.notMatch(answer.text, /Hello|staff/)
      }
      assert.include((yield* ask(`${base}llms.txt`, staff).pipe(hasStatus(200))).text, "inside.md")
      assert.include((yield* ask(`${base}inside.md`, staff).pipe(hasStatus(200))).text, "For staff")
      assert.include((yield* ask(`${base}llms-full.txt`, staff)).text, "For staff")
      assert.notInclude((yield* ask(`${base}llms.txt`, guest).pipe(hasStatus(200))).text, "inside")
      assert.notInclude((yield* ask(`${base}llms-full.txt`, guest)).text, "For staff")
      yield* ask(`${base}inside.md`, guest).pipe(hasStatus(404))
      const suggested = yield* ask(`${base}insides.md`, { ...guest, ...markdown }).pipe(hasStatus(404))
      assert.notInclude(suggested.text, "Inside")
    })
  )
})
