/** Links of a space and of a change request, of a page, and back from pages and files. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, refused } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { publishedSite } from "../SiteSteps.ts"
import { createCollection, createSpace, insertPage, openChangeRequest, publish, write } from "../Steps.ts"

const VersionContext = Schema.Union([
  Schema.Struct({ type: Schema.Literal("revision"), revision: Shapes.Revision }),
  Schema.Struct({ type: Schema.Literal("changeRequest"), changeRequest: Shapes.ChangeRequest })
])
const inSpace = { organization: Shapes.Organization, space: Shapes.Space, versionContext: VersionContext }

/** As the interface has them; a location of each kind says what it is of. */
const Location = Schema.Union([
  Schema.Struct({
    kind: Schema.Literal("page"),
    ...inSpace,
    page: Shapes.Page,
    internalLocation: Schema.optionalKey(
      Schema.Struct({
        type: Schema.Literals(["anchor", "node"]),
        anchor: Schema.optionalKey(Shapes.Text),
        node: Schema.optionalKey(Shapes.Text)
      })
    )
  }),
  Schema.Struct({ kind: Schema.Literal("file"), ...inSpace, file: Shapes.File }),
  Schema.Struct({
    kind: Schema.Literal("reusable-content"),
    ...inSpace,
    reusableContent: Schema.Struct({ id: Shapes.Id, title: Shapes.Text })
  }),
  Schema.Struct({ kind: Schema.Literal("url"), url: Shapes.Text }),
  Schema.Struct({ kind: Schema.Literal("space"), organization: Shapes.Organization, space: Shapes.Space }),
  Schema.Struct({
    kind: Schema.Literal("collection"),
    organization: Shapes.Organization,
    collection: Shapes.Collection
  }),
  Schema.Struct({ kind: Schema.Literal("user"), user: Shapes.User }),
  Schema.Struct({
    kind: Schema.Literal("openapi"),
    organization: Shapes.Organization,
    openAPISpec: Schema.Struct({ id: Shapes.Id, slug: Shapes.Text })
  })
])

const Link = Schema.Struct({
  ...Shapes.kind("link"),
  status: Schema.Literals(["ok", "broken", "in-app"]),
  relation: Schema.Literals(["reference", "dependsOn"]),
  ref: Schema.Struct({ kind: Shapes.Text }),
  targetReference: Schema.optionalKey(Location),
  locationReferences: Schema.Array(Location),
  locationCount: Shapes.Count
})

const LinkList = Schema.Struct({
  ...Shapes.listOf(Link).fields,
  stats: Schema.Struct({
    total: Shapes.Count,
    broken: Schema.Struct({ total: Shapes.Count, changeRequest: Schema.optionalKey(Shapes.Count) })
  })
})

const Backlink = Schema.Struct({
  ...Shapes.kind("file-backlink"),
  kind: Schema.Literal("file"),
  ...inSpace,
  file: Shapes.File,
  location: Location
})

const titles = (locations: ReadonlyArray<typeof Location.Type>) =>
  locations.map((each) => (each.kind === "page" ? each.page.title : each.kind)).sort()

/** `status kind` of each, sorted. */
const summary = ({ items }: typeof LinkList.Type) =>
  items.map(({ status, relation, ref }) => `${status} ${relation} ${ref.kind}`).sort()

const prepare = Effect.gen(function* () {
  const { users } = yield* Harness
  const other = yield* createSpace({ title: "Other" })
  const collection = yield* createCollection()
  const space = yield* createSpace({ title: "Links" })
  const { idOf, insertedFiles } = yield* publish(space.id, [
    { operation: "insert_files", files: [{ name: "notes.txt", ref: "notes", base64: btoa("Some notes") }] },
    {
      operation: "upsert_reusable_content",
      ref: "footer",
      title: "Footer",
      document: { markdown: "## Legal\n\n[back](/pages/target)" }
    },
    insertPage(
      "Source",
      [
        "[to the page](./target.md), [its part](/pages/target#part-one), [no part](/pages/target#gone)",
        "[a file](/files/notes), ![an image](/files/notes)",
        "[nowhere](./missing.md), [no page](/pages/unknown)",
        "[out](https://example.com/), [the app](http://127.0.0.1:4000/v1/orgs/x)",
        `[space](/spaces/${other.id}), [collection](/collections/${collection.id}), [who](/users/${users.edit})`,
        '{% include "/reusable-contents/footer" %}',
        "[legal](#legal), [illegal](#illegal)"
      ].join("\n\n"),
      { ref: "source" }
    ),
    insertPage("Target", "# Target\n\n## Part one\n\n[out](https://example.com/)", { ref: "target" })
  ])
  return {
    other: other.id,
    space: space.id,
    path: `/v1/spaces/${space.id}`,
    source: idOf("source"),
    target: idOf("target"),
    file: insertedFiles?.[0]?.id ?? ""
  }
})

const AtUrl = Schema.Struct({
  collection: Schema.optionalKey(Shapes.Collection),
  space: Schema.optionalKey(Shapes.Space),
  changeRequest: Schema.optionalKey(Shapes.ChangeRequest),
  page: Schema.optionalKey(Shapes.Page)
})

export const linkOperations = (it: Vitest.MethodsNonLive<Harness>) => {
  it.effect("shows how a URL is embedded, and asks nobody for it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const Embed = Schema.Struct({ type: Schema.Literal("link"), title: Shapes.Text, site: Shapes.Text })
      const of = (url: string) => call("read", "GET", `/v1/spaces/${id}/embed?url=${encodeURIComponent(url)}`)
      for (const [url, title] of [
        ["https://www.example.com/a%20b/%C3%A9/?c=d#e", "example.com/a b/é"],
        ["http://example.com:81", "example.com"],
        ["https://example.com/%E0%A4%A", "example.com/%E0%A4%A"]
      ] as const) {
        const shown = { type: "link", title, site: "example.com" } as const
        assert.deepStrictEqual(yield* of(url).pipe(answers(200, Embed)), shown)
        const anywhere = call("outsider", "GET", `/v1/urls/embed?url=${encodeURIComponent(url)}`)
        assert.deepStrictEqual(yield* anywhere.pipe(answers(200, Embed)), shown)
      }
      // The embed of a known provider is a frame, built only from the matching parts of the URL.
      const Rich = Schema.Struct({ ...Embed.fields, type: Schema.Literal("rich"), html: Shapes.Text })
      for (const [url, source] of [
        [
          "https://www.youtube.com/watch?v=abc_DEF-123&t=42s",
          "https://www.youtube-nocookie.com/embed/abc_DEF-123?start=42"
        ],
        ["https://youtu.be/abc_DEF-123?x=%22%3E%3Cscript%3E", "https://www.youtube-nocookie.com/embed/abc_DEF-123"],
        ["https://vimeo.com/123456", "https://player.vimeo.com/video/123456?dnt=1"]
      ] as const) {
        const { html } = yield* of(url).pipe(answers(200, Rich))
        assert.include(html, ` src="${source}"`)
        assert.match(html, /^<iframe( [a-z]+="[^"<>]*"| allowfullscreen)+><\/iframe>$/)
      }
      yield* call("read", "GET", "/v1/urls/embed?url=x").pipe(refused(400))
      for (const wrong of ["", "x", "javascript:alert(1)", "ftp://example.com/", `https://x.com/${"x".repeat(2048)}`]) {
        yield* of(wrong).pipe(refused(400))
      }
      yield* call("read", "GET", `/v1/spaces/${id}/embed`).pipe(refused(400))
      yield* call("outsider", "GET", `/v1/spaces/${id}/embed?url=https://x.com`).pipe(refused(404))
    })
  )

  it.effect("lists the links of a space with their status, targets and places", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path, source, target } = yield* prepare
      const all = yield* call("read", "GET", `${path}/links`).pipe(answers(200, LinkList))
      assert.deepStrictEqual(summary(all), [
        "broken reference anchor",
        "broken reference anchor",
        "broken reference page",
        "broken reference url",
        "in-app reference url",
        "ok dependsOn file",
        "ok dependsOn reusable-content",
        "ok reference anchor",
        "ok reference anchor",
        "ok reference collection",
        "ok reference file",
        "ok reference page",
        "ok reference space",
        "ok reference url",
        "ok reference user"
      ])
      assert.deepStrictEqual(all.stats, { total: 15, broken: { total: 4 } })
      assert.strictEqual(all.count, 15)

      const out = all.items.find(({ targetReference: to }) => to?.kind === "url" && to.url === "https://example.com/")
      assert.deepStrictEqual(titles(out!.locationReferences), ["Source", "Target"])
      assert.strictEqual(out!.locationCount, 2)
      const page = all.items.find(({ targetReference: to, ref }) => ref.kind === "page" && to?.kind === "page")
      assert.deepInclude(page!.targetReference, { kind: "page" })
      assert.deepStrictEqual(titles(page!.locationReferences), ["Source", "reusable-content"])

      for (const [status, count] of [
        ["ok", 10],
        ["broken", 4],
        ["in-app", 1]
      ] as const) {
        const some = yield* call("read", "GET", `${path}/links?status=${status}`).pipe(answers(200, LinkList))
        assert.deepStrictEqual([some.count, some.items.length, some.stats], [count, count, all.stats])
      }
      const pages: Array<typeof Link.Type> = []
      for (let next = `${path}/links?limit=4`; next !== "";) {
        const some = yield* call("read", "GET", next).pipe(answers(200, LinkList))
        pages.push(...some.items)
        next = some.next === undefined ? "" : `${path}/links?limit=4&page=${some.next.page}`
        assert.isAtMost(some.items.length, 4)
      }
      assert.deepStrictEqual(pages, all.items)
      for (const query of ["status=bad", "status=", "limit=0", "limit=1001", "page=", `page=${"x".repeat(5000)}`]) {
        yield* call("read", "GET", `${path}/links?${query}`).pipe(refused(400))
      }

      const ofPage = yield* call("read", "GET", `${path}/content/page/${target}/links`).pipe(answers(200, LinkList))
      assert.deepStrictEqual(summary(ofPage), ["ok reference url"])
      const broken = yield* call("read", "GET", `${path}/content/page/${source}/links?status=broken`).pipe(
        answers(200, LinkList)
      )
      assert.deepStrictEqual([broken.count, broken.stats], [4, { total: 15, broken: { total: 4 } }])
      yield* call("read", "GET", `${path}/content/page/none/links`).pipe(refused(404))
    })
  )

  it.effect("follows pages that are renamed and moved, and tells what a merge would break", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, path, source, target, file } = yield* prepare
      yield* publish(space, [
        insertPage("Parent", "", { ref: "parent" }),
        { operation: "update_page", page: target, title: "Renamed", slug: "renamed", into: "parent" }
      ])
      const moved = yield* call("read", "GET", `${path}/links`).pipe(answers(200, LinkList))
      assert.deepStrictEqual(moved.stats, { total: 15, broken: { total: 4 } })
      const back = yield* call("read", "GET", `${path}/content/page/${target}/backlinks`).pipe(
        answers(200, Shapes.listOf(Location))
      )
      assert.deepStrictEqual(titles(back.items), ["Source", "reusable-content"])
      const from = back.items.find(({ kind }) => kind === "page")
      assert.deepInclude(from, { kind: "page" })
      assert.strictEqual(from!.kind === "page" ? from!.internalLocation?.type : "", "node")

      const { id } = yield* openChangeRequest(space)
      yield* write(space, id, [
        { operation: "delete_page", page: target },
        insertPage("New", "[gone](/pages/unknown), [there](/pages/gone2)")
      ])
      const request = `${path}/change-requests/${id}`
      const wouldBe = yield* call("read", "GET", `${request}/links`).pipe(answers(200, LinkList))
      // The page and its heading, a page that never was, and one more place that leads to another.
      assert.deepStrictEqual(wouldBe.stats, { total: 16, broken: { total: 7, changeRequest: 4 } })
      const page = yield* call("read", "GET", `${request}/content/page/${source}/links`).pipe(answers(200, LinkList))
      assert.deepStrictEqual(page.stats, { total: 15, broken: { total: 6, changeRequest: 2 } })
      yield* call("read", "GET", `${request}/content/page/${source}/backlinks`).pipe(
        answers(200, Shapes.listOf(Location))
      )
      const files = yield* call("read", "GET", `${request}/content/files/${file}/backlinks`).pipe(
        answers(200, Shapes.listOf(Backlink))
      )
      assert.strictEqual(files.items[0]?.versionContext.type, "changeRequest")
      assert.deepStrictEqual(
        (yield* call("read", "GET", `${path}/links`).pipe(answers(200, LinkList))).stats,
        moved.stats
      )
    })
  )

  it.effect("tells where a file is used", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path, file } = yield* prepare
      const { items, count } = yield* call("read", "GET", `${path}/content/files/${file}/backlinks`).pipe(
        answers(200, Shapes.listOf(Backlink))
      )
      assert.strictEqual(count, 1)
      assert.strictEqual(items[0]?.file.id, file)
      assert.deepStrictEqual(titles([items[0]!.location]), ["Source"])
      const version = items[0]?.versionContext
      assert.strictEqual(version?.type, "revision")
      if (version?.type === "revision") assert.deepInclude(version.revision.mergedFrom, { status: "merged" })
      yield* call("read", "GET", `${path}/content/files/none/backlinks`).pipe(refused(404))
    })
  )

  it.effect("knows the files that the cells of a table name by their ids", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, path, file } = yield* prepare
      const table = (id: string) =>
        `<table><thead><tr><th data-type="files">Files</th></tr></thead>` +
        `<tbody><tr><td><a href="/files/${id}">x</a></td></tr></tbody></table>`
      yield* publish(space, [insertPage("Table", table(file)), insertPage("Wrong", table("none"))])
      const back = yield* call("read", "GET", `${path}/content/files/${file}/backlinks`).pipe(
        answers(200, Shapes.listOf(Backlink))
      )
      assert.deepStrictEqual(titles(back.items.map(({ location }) => location)), ["Source", "Table"])
      const { items } = yield* call("read", "GET", `${path}/links?status=broken`).pipe(answers(200, LinkList))
      const files = items.filter(({ ref }) => ref.kind === "file")
      assert.deepStrictEqual(
        files.map(({ locationReferences }) => titles(locationReferences)),
        [["Wrong"]]
      )
    })
  )

  it.effect("tells nothing of what the reader may not see", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { path, other } = yield* prepare
      const seen = yield* call("read", "GET", `${path}/links`).pipe(answers(200, LinkList))
      yield* call("admin", "PATCH", `/v1/spaces/${other}`, { defaultLevel: null }).pipe(answers(200, Shapes.Space))
      const unseen = yield* call("read", "GET", `${path}/links`).pipe(answers(200, LinkList))
      assert.strictEqual(unseen.stats.broken.total, seen.stats.broken.total + 1)
      const link = unseen.items.find(({ ref }) => ref.kind === "space")
      assert.strictEqual(link?.status, "broken")
      assert.isUndefined(link?.targetReference)
      const admin = yield* call("admin", "GET", `${path}/links`).pipe(answers(200, LinkList))
      assert.deepStrictEqual(admin.stats, seen.stats)
    })
  )

  it.effect("keeps URLs of its own by id, and links by path to pages that come later in the batch", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, path, target, other } = yield* prepare
      const app = "http://127.0.0.1:4000/v1/spaces"
      const { idOf } = yield* publish(space, [
        insertPage(
          "Early",
          `[later](./later.md#there), [page](${app}/${space}/content/page/${target}), [space](${app}/${other}), [gone](${app}/${space}/content/page/none)`
        ),
        insertPage("Later", "## There")
      ])
      const { markdown } = yield* call("read", "GET", `${path}/content/page/${idOf("Early")}`).pipe(
        answers(200, Shapes.Page)
      )
      assert.include(markdown, `(/pages/${idOf("Later")}#there)`)
      assert.include(markdown, `(/pages/${target})`)
      assert.include(markdown, `(/spaces/${other})`)
      const links = yield* call("read", "GET", `${path}/content/page/${idOf("Early")}/links`).pipe(
        answers(200, LinkList)
      )
      assert.deepStrictEqual(summary(links), [
        "in-app reference url",
        "ok reference anchor",
        "ok reference page",
        "ok reference space"
      ])
    })
  )

  it.effect("keeps URLs of published sites by id, as far as the writer may see what they lead to", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, path, target, other } = yield* prepare
      const elsewhere = yield* publish(other, [insertPage("Elsewhere", "## Part")])
      const base = Effect.fnUntraced(function* (of: string) {
        const { basename } = yield* publishedSite([of])
        return `http://127.0.0.1:4000/sites/${basename}`
      })
      const [own, others] = [yield* base(space), yield* base(other)]
      const { idOf } = yield* publish(space, [
        insertPage(
          "Copied",
          `[own](${own}/target#part-one), [other](${others}/elsewhere), [asks](${own}/target?q=1), [none](${own}/none)\n\n` +
            `[Target](${own}/target), [in capitals](${own.replace("http:", "HTTP:")}/target)`
        )
      ])
      const copied = `${path}/content/page/${idOf("Copied")}`
      const { markdown } = yield* call("read", "GET", copied).pipe(answers(200, Shapes.Page))
      assert.include(markdown, `(/pages/${target}#part-one)`)
      assert.include(markdown, `(/spaces/${other}/pages/${elsewhere.idOf("Elsewhere")})`)
      assert.include(markdown, `(${own}/target?q=1)`)
      assert.include(markdown, `(${own}/none)`)
      assert.include(markdown, `[Target](/pages/${target}), [in capitals](/pages/${target})`)
      const links = yield* call("read", "GET", `${copied}/links`).pipe(answers(200, LinkList))
      assert.deepStrictEqual(links.stats, { total: 5, broken: { total: 0 } })
    })
  )

  it.effect("tells what the URL of a resource leads to, to who may see it", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space, urls } = yield* createSpace()
      const { idOf, revision } = yield* publish(space, [insertPage("Page")])
      const draft = yield* openChangeRequest(space)
      const collection = yield* createCollection()
      const find = (url: string, by: "read" | "admin" | "outsider" = "read") =>
        call(by, "GET", `/v1/urls/content?url=${encodeURIComponent(url)}`)
      const found = (url: string) => find(url).pipe(answers(200, AtUrl))
      const page = yield* call("read", "GET", `/v1/spaces/${space}/content/page/${idOf("Page")}`).pipe(
        answers(200, Shapes.Page)
      )

      assert.strictEqual((yield* found(collection.urls.app)).collection?.id, collection.id)
      const atSpace = yield* found(`${urls.app}?from=mail#top`)
      assert.deepStrictEqual([Object.keys(atSpace), atSpace.space?.id], [["space"], space])
      assert.strictEqual((yield* found(`${urls.app}/content`)).space?.id, space)
      assert.strictEqual((yield* found(page.urls.app)).page?.id, page.id)
      assert.strictEqual((yield* found(`${urls.app}/revisions/${revision}/page/${page.id}`)).page?.id, page.id)
      const inDraft = yield* found(`${draft.urls.app}/content/page/${page.id}`)
      assert.deepStrictEqual([inDraft.changeRequest?.id, inDraft.page?.id], [draft.id, page.id])

      for (const url of [
        "https://example.com",
        `https://example.com/v1/spaces/${space}`,
        `${urls.app}x`,
        `${urls.app}/content/page/unknown`,
        `${urls.app}/change-requests/99`,
        `${urls.app}/revisions/unknown`,
        `${urls.app}/../..`,
        "http://127.0.0.1:4000/v1/user"
      ]) {
        yield* find(url).pipe(refused(404))
      }
      for (const url of ["", "nothing", "javascript:1", `https://example.com/${"x".repeat(2048)}`]) {
        yield* find(url).pipe(refused(400))
      }
      yield* find(urls.app, "outsider").pipe(refused(404))
    })
  )
}
