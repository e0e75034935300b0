/** Previews of change requests and of unpublished sites: who sees them, what of them, and for how long. */
import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import { Harness, has, onMemory, type Person } from "../../http/test/Harness.ts"
import {
  addSection,
  createSite,
  json,
  ofSite,
  patchSection,
  pathOfSite,
  publishSite
} from "../../http/test/SiteSteps.ts"
import { insertPage, openChangeRequest, spaceWith, write } from "../../http/test/Steps.ts"
import { type Answered, asking, hasStatus } from "./SiteHarness.ts"

type Ask = Effect.Success<typeof asking>

/** Asks the interface for the URL of a preview. */
const preview = Effect.fnUntraced(function* (site: string, query: Record<string, string> = {}, by: Person = "admin") {
  const { call } = yield* Harness
  return yield* call(by, "GET", `${yield* pathOfSite(site)}/publishing/preview?${new URLSearchParams(query)}`)
})

const previewUrl = (site: string, query?: Record<string, string>, by?: Person) =>
  preview(site, query, by).pipe(
    json(200),
    Effect.map(({ url }) => url as string)
  )

/** Opens a preview as a browser does, and goes on in it. */
const open = Effect.fnUntraced(function* (ask: Ask, url: string) {
  const first = yield* ask(url).pipe(hasStatus(307))
  const [cookie = ""] = first.headers.getSetCookie()
  const begin = new URL(first.headers.get("location")!, url).href
  assert.notInclude(begin, "token=")
  const go = (to: string) => ask(new URL(to, begin).href, { cookie: cookie.split(";")[0]! })
  return { cookie, begin, go }
})

/** Bytes that tell nothing of whether there is something. */
const told = ({ status, headers, text }: Answered, path: string) => ({
  status,
  headers: Object.fromEntries([...headers].filter(([name]) => name !== "x-request-id")),
  text: path === "" ? text : text.replaceAll(path, "…")
})

const isPreview = ({ status, headers }: Answered, name: string) => {
  assert.strictEqual(status, 200, name)
  assert.strictEqual(headers.get("x-robots-tag"), "noindex", name)
  assert.strictEqual(headers.get("cache-control"), "private, no-store", name)
}

const site = Effect.gen(function* () {
  const { space, idOf } = yield* spaceWith({ Home: "Published words", Guide: "[Home](/pages/none)" })
  const { id } = yield* createSite([space])
  const { id: changeRequest, number } = yield* openChangeRequest(space, { subject: "More <words>" })
  yield* write(space, changeRequest, [
    { operation: "update_page", page: idOf("Home"), document: { markdown: "Words to come" } },
    insertPage("Draft", "A page to come")
  ])
  return { id, space, changeRequest, number }
})

onMemory("A preview", (it) => {
  it.effect("shows a change request, published or not, and says so", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { id, number } = yield* site
      for (const isPublished of [false, true]) {
        if (isPublished) yield* publishSite(id)
        const { cookie, begin, go } = yield* open(ask, yield* previewUrl(id, { target: `/~/changes/${number}/` }))
        const { pathname } = new URL(begin)
        assert.match(pathname, /\/sites\/[\w-]+\/~\/changes\/2\/$/)
        assert.match(cookie, /^lectern-preview=[\w.-]+; /)
        for (const attribute of [`Path=${pathname}`, "HttpOnly", "SameSite=Lax", "Max-Age=3600"])
          assert.include(cookie, attribute)
        const front = yield* go(begin)
        isPreview(front, "front")
        assert.include(front.text, "Words to come")
        assert.notInclude(front.text, "Published words")
        assert.match(front.text, /<aside class="preview"[^]*#2[^]*More &lt;words&gt;/)
        assert.include(front.text, `<meta name="robots" content="noindex">`)
        const back = /<aside class="preview"[^]*?<\/aside>/.exec(front.text)![0].includes(`class="back"`)
        assert.strictEqual(back, isPublished)
        const draft = yield* go("draft")
        isPreview(draft, "draft")
        assert.include(draft.text, "A page to come")
        // Links stay in the preview: every link to a page of the site does.
        const links = [...front.text.matchAll(/<a [^>]*href="(\/[^"]*)"/g)].map(([, href]) => href!)
        const out = links.filter((href) => !href.startsWith(pathname) && !href.startsWith("#"))
        assert.deepStrictEqual([...new Set(out)], [])
        assert.isAbove(links.length, 2)
        isPreview(yield* go("~search?q=words"), "search")
        isPreview(yield* go("draft.md"), "Markdown")
        isPreview(yield* go("llms.txt"), "llms.txt")
        const live = pathname.replace("~/changes/2/", "")
        yield* ask(new URL(`${live}draft`, begin).href).pipe(hasStatus(404))
      }
    })
  )

  it.effect("shows an unpublished site as it would be, to who may see it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { id } = yield* site
      const { begin, go } = yield* open(ask, yield* previewUrl(id))
      assert.match(begin, /\/~\/preview\/$/)
      const front = yield* go(begin)
      isPreview(front, "front")
      assert.include(front.text, "Published words")
      const missing = yield* go("nothing-there").pipe(hasStatus(404))
      assert.strictEqual(missing.headers.get("x-robots-tag"), "noindex")
      for (const by of ["outsider"] as const) yield* preview(id, {}, by).pipe(has(404))
      yield* preview(id, {}, "nobody").pipe(has(401))
      yield* previewUrl(id, {}, "read")
    })
  )

  it.effect("is nothing without its token, and answers as where there is none", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { id, number } = yield* site
      const other = yield* site
      const target = `/~/changes/${number}/`
      const url = new URL(yield* previewUrl(id, { target }))
      const { go, cookie } = yield* open(ask, url.href)
      const path = url.pathname
      const token = url.searchParams.get("token")!
      const none = told(yield* ask(`${url.origin}/sites/no-such-site/`).pipe(hasStatus(404)), "")
      const forged = `${token.slice(0, -4)}AAAA`
      const asked: Record<string, [string, Record<string, string>]> = {
        "without anything": [path, {}],
        "with a forged token": [`${path}?token=${forged}`, {}],
        "with a forged cookie": [path, { cookie: `lectern-preview=${forged}` }],
        "of another change request": [path.replace("/2/", "/1/"), { cookie: cookie.split(";")[0]! }],
        "of the site itself": [path.replace("~/changes/2/", "~/preview/"), { cookie: cookie.split(";")[0]! }],
        live: [path.replace("~/changes/2/", ""), { cookie: cookie.split(";")[0]! }],
        "of another site": [
          new URL(yield* previewUrl(other.id, { target })).pathname,
          { cookie: cookie.split(";")[0]! }
        ]
      }
      for (const [name, [to, headers]] of Object.entries(asked))
        assert.deepStrictEqual(told(yield* ask(url.origin + to, headers), ""), none, name)
      yield* publishSite(id)
      // A site that is read answers for itself, and the same for what is there and what is not.
      const seen = told(yield* ask(url.origin + path).pipe(hasStatus(404)), "~/changes/2/")
      const unseen = told(yield* ask(`${url.origin}${path.replace("/2/", "/7/")}`).pipe(hasStatus(404)), "~/changes/7/")
      assert.deepStrictEqual(seen, unseen)
      isPreview(yield* go(path), "still")
    })
  )

  it.effect("ends after an hour, and with what its viewer may see", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { call, organization, users } = yield* Harness
      const { id, number } = yield* site
      const target = `/~/changes/${number}/`
      const url = yield* previewUrl(id, { target }, "comment")
      const { begin, go } = yield* open(ask, url)
      yield* TestClock.adjust(Duration.minutes(59))
      isPreview(yield* go(begin), "after 59 minutes")
      yield* TestClock.adjust(Duration.minutes(1))
      yield* go(begin).pipe(hasStatus(404))
      yield* ask(url).pipe(hasStatus(404))

      const next = yield* open(ask, yield* previewUrl(id, { target }, "comment"))
      isPreview(yield* next.go(next.begin), "renewed")
      yield* call("admin", "DELETE", `/v1/orgs/${organization}/members/${users.comment}`).pipe(has(204))
      yield* next.go(next.begin).pipe(hasStatus(404))
    })
  )

  it.effect("holds what its viewer may see of it alone, with the claims that it was made for", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const { call } = yield* Harness
      const { id } = yield* site
      const hidden = (yield* spaceWith({ Secrets: "Of few" })).space
      const adaptive = (yield* spaceWith({ Extras: "For some" })).space
      yield* addSection(id, (yield* spaceWith({ Calls: "To all" })).space, "Reference")
      yield* addSection(id, hidden, "Hidden")
      const extra = yield* addSection(id, adaptive, "Extra")
      yield* patchSection(id, extra.id, { condition: 'visitor.claims.plan == "pro"' })
      yield* call("admin", "PATCH", `/v1/spaces/${hidden}`, { defaultLevel: null }).pipe(has(200))
      const shown = Effect.fnUntraced(function* (by: Person, query: Record<string, string>) {
        const { begin, go } = yield* open(ask, yield* previewUrl(id, query, by))
        const { text } = yield* go(begin).pipe(hasStatus(200))
        const sections = ["Reference", "Hidden", "Extra"].filter((title) => text.includes(`>${title}<`))
        return { sections, go, text }
      })
      assert.deepStrictEqual((yield* shown("admin", {})).sections, ["Reference", "Hidden"])
      const reader = yield* shown("read", { claims: "(plan:pro)" })
      assert.deepStrictEqual(reader.sections, ["Reference", "Extra"])
      yield* reader.go("hidden/").pipe(hasStatus(404))
      isPreview(yield* reader.go("extra/"), "extra")
      assert.match(reader.text, /href="[^"]*\/~\/preview\/extra\/"/)
    })
  )

  it.effect("is refused in a sentence where what it is to show is not there", () =>
    Effect.gen(function* () {
      const { id } = yield* site
      const other = yield* site
      for (const [query, status] of [
        [{ target: "/~/changes/99/" }, 404],
        [{ target: `/~/changes/${other.changeRequest}/` }, 404],
        [{ siteSpace: "none" }, 404],
        [{ target: "https://elsewhere.example/" }, 400],
        [{ target: "guide" }, 400],
        [{ claims: "(" }, 400],
        [{ claims: "!(a,b)" }, 400],
        [{ claims: `(${"a".repeat(5_000)}:b)` }, 400]
      ] as const)
        yield* preview(id, query).pipe(has(status))
      const deep = yield* previewUrl(id, { target: "/guide", claims: "(__proto__:(a:b),plan:pro)" })
      assert.include(deep, "/~/preview/guide?token=")
      yield* ofSite(id, "PATCH", "", { visibility: "share-link" }).pipe(has(200))
      yield* previewUrl(id)
    })
  )
})
