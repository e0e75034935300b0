/**
 * Pages that are computed from a spec: where they are seen, that they follow the spec without a
 * write to the space, and that a spec comes out to nobody who may not see it.
 */
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, onEachAdapter, type Person, refused } from "./Harness.ts"
import { createSpec, ofSpecs, processed } from "./OpenApiSteps.ts"
import { isNoPage, createSite, publishSite, reading, resolve } from "./SiteSteps.ts"
import { createSpace, getSpace, insertPage, merge, openChangeRequest, publish, write } from "./Steps.ts"

interface Keyed {
  readonly type: string
  readonly key: string
}

interface Page {
  readonly id: string
  readonly type: string
  readonly title: string
  readonly path: string
  readonly slug: string
  readonly pages?: ReadonlyArray<Page>
  readonly computed?: { readonly type: string; readonly props: Readonly<Record<string, unknown>> }
  readonly computedSeed?: string
  readonly markdown?: string
  readonly document?: { readonly nodes: ReadonlyArray<{ readonly type: string; readonly data?: unknown }> }
}

const specWith = (...operations: ReadonlyArray<string>): string =>
  JSON.stringify({
    openapi: "3.1.0",
    info: { title: "Zoo", version: "1", description: "All about the zoo." },
    tags: [{ name: "animals", description: "Who lives here." }],
    paths: Object.fromEntries(
      operations.map((summary) => [
        `/${summary.toLowerCase().replaceAll(" ", "-")}`,
        { get: { tags: ["animals"], summary, responses: { "200": { description: "Fine" } } } }
      ])
    ),
    components: { schemas: { Animal: { type: "object", properties: { name: { type: "string" } } } } }
  })

const sourceOf = (spec: string, props: Record<string, unknown> = { models: true }) => ({
  type: "builtin:openapi",
  dependencies: { spec: { ref: { kind: "openapi", spec } } },
  props
})

const insertComputed = (spec: string, props?: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  operation: "insert_page",
  type: "computed",
  title: "API",
  ref: "API",
  computed: sourceOf(spec, props),
  ...more
})

const get = Effect.fnUntraced(function* (path: string, by: Person = "read") {
  const { call } = yield* Harness
  return yield* call(by, "GET", `/v1/spaces/${path}`).pipe(has(200))
})
const read = (path: string, by?: Person) => Effect.map(get(path, by), ({ text }) => JSON.parse(text) as Page)
const treeOf = (path: string, by?: Person) =>
  Effect.map(get(path, by), ({ text }) => (JSON.parse(text) as { readonly pages: ReadonlyArray<Page> }).pages)

const titles = (pages: ReadonlyArray<Page> = []): ReadonlyArray<unknown> =>
  pages.map(({ title, pages }) => (pages === undefined || pages.length === 0 ? title : [title, titles(pages)]))

/** A processed spec, and a space with a page that stands for it. */
const makeSpace = Effect.fnUntraced(function* (slug: string, props?: Record<string, unknown>) {
  const spec = yield* createSpec(slug, specWith("List animals", "Feed all"))
  yield* processed(spec.id)
  const { id: space } = yield* createSpace({ title: "Zoo" })
  const { idOf } = yield* publish(space, [insertPage("Before"), insertComputed(slug, props), insertPage("After")])
  return { spec: spec.id, slug, space, api: idOf("API") }
})

const refresh = Effect.fnUntraced(function* (slug: string, text: string) {
  const { id } = yield* ofSpecs("PUT", `/${slug}`, { source: { text } }).pipe(
    answers(200, Schema.Struct({ id: Schema.String }))
  )
  yield* processed(id)
})

onEachAdapter("Computed pages", (it) => {
  it.effect("stand in the tree where the page stands that they are built for, and are read like others", () =>
    Effect.gen(function* () {
      const { space, api } = yield* makeSpace("zoo")
      const pages = yield* treeOf(`${space}/content/pages`)
      assert.deepStrictEqual(titles(pages), ["Before", ["API", ["animals", "Models"]], "After"])
      assert.deepStrictEqual(yield* treeOf(`${space}/content`), pages)
      const [, about] = pages
      assert.deepInclude(about, { id: api, type: "document", path: "api", computedSeed: api })
      assert.deepStrictEqual(about!.computed!.props, { doc: "info", page: "API" })
      const [animals, models] = about!.pages!
      assert.deepInclude(animals, { type: "document", path: "api/animals" })
      assert.deepStrictEqual(animals!.computed!.props, { doc: "operations", page: "animals" })
      assert.include((yield* read(`${space}/content/page/${api}`)).markdown!, "All about the zoo.")
      const { markdown } = yield* read(`${space}/content/page/${animals!.id}`)
      for (const said of ["Who lives here.", "## List animals", "`GET /feed-all`"]) assert.include(markdown!, said)
      const { document, path } = yield* read(`${space}/content/page/${models!.id}?format=document&evaluated=true`)
      assert.strictEqual(path, "api/models")
      assert.deepInclude(document!.nodes[1], {
        type: "openapi-schemas",
        data: { ref: { kind: "openapi", spec: "zoo" }, schemas: ["Animal"], grouped: false }
      })
      const { call } = yield* Harness
      for (const none of [`${api}~none`, `${animals!.id}0`, "none~none", "~"]) {
        yield* call("read", "GET", `/v1/spaces/${space}/content/page/${none}`).pipe(refused(404))
      }
    })
  )

  it.effect(
    "are left out where nothing is to be computed, and the page that stands for them is as it was written",
    () =>
      Effect.gen(function* () {
        const { space, api } = yield* makeSpace("plain", { models: false, grouping: "by-operation" })
        assert.deepStrictEqual(titles(yield* treeOf(`${space}/content/pages`)), [
          "Before",
          ["API", [["animals", ["List animals", "Feed all"]]]],
          "After"
        ])
        for (const path of [`${space}/content/pages?computed=false`, `${space}/content?computed=false`]) {
          const [, page] = yield* treeOf(path)
          assert.deepInclude(page, {
            id: api,
            type: "computed",
            computed: sourceOf("plain", { models: false, grouping: "by-operation" })
          })
          assert.notProperty(page, "pages")
        }
        const page = yield* read(`${space}/content/page/${api}?computed=false`)
        assert.strictEqual(page.type, "computed")
        assert.notProperty(page, "markdown")
      })
  )

  it.effect("are answered of a source alone, to who may edit what it would stand in", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, slug, api } = yield* makeSpace("alone")
      const [, about] = yield* treeOf(`${space}/content/pages`)
      const compute = (what: "revision" | "document", by: Person, source: unknown, seed: string) =>
        call(by, "POST", `/v1/spaces/${space}/content/computed/${what}`, { source, seed })
      const shown = yield* compute("revision", "read", sourceOf(slug), api).pipe(has(200))
      assert.deepStrictEqual(JSON.parse(shown.text), { pages: about!.pages, files: [], reusableContents: [] })
      const { computed, computedSeed } = about!.pages![0]!
      const read = yield* compute("document", "read", computed, computedSeed!).pipe(has(200))
      assert.include(read.text, "Who lives here.")
      const other = sourceOf(slug, { models: false, grouping: "by-operation" })
      yield* compute("revision", "read", other, api).pipe(refused(403))
      const { pages } = JSON.parse((yield* compute("revision", "edit", other, api).pipe(has(200))).text)
      assert.deepStrictEqual(titles(pages), [["animals", ["List animals", "Feed all"]]])
      const missing = yield* compute("document", "edit", sourceOf("none", { doc: "models" }), "x").pipe(has(200))
      assert.include(missing.text, "is missing")
      yield* compute("document", "edit", sourceOf(slug), "x").pipe(refused(400))
      yield* compute("document", "outsider", computed, computedSeed!).pipe(refused(404))
    })
  )

  it.effect("follow their spec without a write to the space", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, slug, api } = yield* makeSpace("follows")
      const { revision } = yield* getSpace(space)
      const path = `/v1/spaces/${space}/content/pages`
      const etag = (yield* call("read", "GET", path)).headers.get("etag")!
      yield* call("read", "GET", path, undefined, { "if-none-match": etag }).pipe(has(304))
      const [animals] = (yield* treeOf(`${space}/content/pages`))[1]!.pages!
      yield* refresh(slug, specWith("List animals", "Adopt one"))
      yield* call("read", "GET", path, undefined, { "if-none-match": etag }).pipe(has(200))
      const { markdown } = yield* read(`${space}/content/page/${animals!.id}`)
      assert.include(markdown!, "Adopt one")
      assert.notInclude(markdown!, "Feed all")
      assert.strictEqual((yield* getSpace(space)).revision, revision)
      // A spec that can't be read any more leaves the last version.
      yield* refresh(slug, "<html>")
      assert.include((yield* read(`${space}/content/page/${animals!.id}`)).markdown!, "Adopt one")
      // One that is gone leaves a page that says so.
      yield* ofSpecs("DELETE", `/${slug}`).pipe(has(204))
      assert.deepStrictEqual(titles(yield* treeOf(`${space}/content/pages`)), ["Before", "API", "After"])
      assert.include((yield* read(`${space}/content/page/${api}`)).markdown!, "is missing")
      yield* call("read", "GET", `/v1/spaces/${space}/content/page/${animals!.id}`).pipe(refused(404))
      yield* createSpec(slug, specWith("Back again"))
      assert.include((yield* read(`${space}/content/page/${api}`)).markdown!, "no version yet")
    })
  )

  it.effect("a single document is computed too, and ends being so", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, slug } = yield* makeSpace("single")
      const { id } = yield* openChangeRequest(space)
      const props = { doc: "operation", page: "/feed-all", method: "get" }
      const { idOf } = yield* write(space, id, [
        { operation: "insert_page", title: "Feeding", ref: "p", computed: sourceOf(slug, props) }
      ])
      const page = `${space}/change-requests/${id}/content/page/${idOf("p")}`
      const shown = yield* read(page)
      assert.deepStrictEqual(shown.computed, sourceOf(slug, props))
      assert.include(shown.markdown!, "`GET /feed-all`")
      assert.strictEqual((yield* read(`${page}?computed=false`)).markdown, "# Feeding\n")
      yield* write(space, id, [
        { operation: "update_page", page: idOf("p"), computed: sourceOf(slug, { doc: "models" }) }
      ])
      assert.include((yield* read(page)).markdown!, "## Animal")
      yield* write(space, id, [
        { operation: "update_page", page: idOf("p"), computed: null, document: { markdown: "By hand" } }
      ])
      assert.strictEqual((yield* read(page)).markdown!.trim(), "# Feeding\n\nBy hand")
      yield* merge(space, id)
      yield* call("read", "GET", `/v1/spaces/${space}/content/page/${idOf("p")}`).pipe(has(200))
    })
  )

  it.effect("are found by what the spec says, beside the pages of the space, as it says it now", () =>
    Effect.gen(function* () {
      const { space, slug } = yield* makeSpace("found")
      yield* publish(space, [insertPage("Feeding times", "We feed them at noon."), insertPage("Quiet", "At night.")])
      const search = (query: string) =>
        Effect.map(get(`${space}/search?query=${query}&limit=1000`), ({ text }) => {
          const { items, count } = JSON.parse(text) as {
            readonly items: ReadonlyArray<{
              readonly title: string
              readonly path: string
              readonly sections: ReadonlyArray<{ readonly title: string }>
            }>
            readonly count: number
          }
          assert.lengthOf(items, count)
          return items
        })
      assert.deepStrictEqual(
        (yield* search("fee")).map(({ title }) => title),
        ["Feeding times", "animals"]
      )
      const [found] = yield* search("feed%20all")
      assert.strictEqual(found!.path, "api/animals")
      assert.include(
        found!.sections.map(({ title }) => title),
        "Feed all"
      )
      assert.deepStrictEqual(
        (yield* search("animals")).map(({ path }) => path),
        ["api/animals", "api/models"]
      )
      assert.strictEqual((yield* search("all%20about%20the%20zoo"))[0]!.path, "api")
      // By its title and by its text: once.
      yield* publish(space, [
        { operation: "insert_page", title: "Models of the zoo", computed: sourceOf(slug, { doc: "models" }) }
      ])
      assert.deepStrictEqual(
        (yield* search("zoo")).map(({ path }) => path),
        ["models-of-the-zoo", "api"]
      )
      assert.deepStrictEqual((yield* search("animal")).map(({ path }) => path).sort(), [
        "api/animals",
        "api/models",
        "models-of-the-zoo"
      ])
      assert.deepStrictEqual(yield* search("adopt"), [])
      yield* refresh(slug, specWith("Adopt one"))
      assert.lengthOf(yield* search("adopt"), 1)
      assert.deepStrictEqual(
        (yield* search("feed")).map(({ title }) => title),
        ["Feeding times"]
      )
      yield* ofSpecs("DELETE", `/${slug}`).pipe(has(204))
      assert.deepStrictEqual(yield* search("adopt"), [])
    })
  )

  it.effect("are commented on like others, and what is said of a block stays by what it was said of", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, slug, api } = yield* makeSpace("discussed")
      const [animals, models] = (yield* treeOf(`${space}/content/pages`))[1]!.pages!
      const comments = `/v1/spaces/${space}/comments`
      const post = (about: object, by: Person = "comment") =>
        call(by, "POST", comments, { body: { markdown: "Really?" }, ...about })
      const { document } = yield* read(`${space}/content/page/${animals!.id}?format=document`)
      const keyed = document!.nodes as ReadonlyArray<Keyed>
      const { key: heading, ...said } = keyed.find(({ type }) => type === "heading-1")!
      assert.deepInclude(said as object, { data: {}, meta: { id: "list-animals" } })
      const targetOf = (text: string) =>
        (JSON.parse(text) as { readonly id: string; readonly target: Record<string, Record<string, unknown>> }).target
      const onPage = targetOf((yield* post({ page: animals!.id }).pipe(has(200))).text)
      assert.deepInclude(onPage["page"], { id: animals!.id, title: "animals", path: "api/animals", outdated: false })
      const onBlock = targetOf((yield* post({ page: animals!.id, node: heading }).pipe(has(200))).text)
      assert.deepStrictEqual(onBlock["node"], { id: heading, preview: "List animals" })
      yield* post({ page: api }).pipe(has(200))
      for (const wrong of [
        { page: `${animals!.id}0` },
        { page: animals!.id, node: "none" },
        { page: models!.id, tableCell: { record: "r", definition: "d" } }
      ]) {
        yield* post(wrong).pipe(refused(400))
      }
      yield* post({ page: animals!.id }, "read").pipe(refused(403))

      const outdated = Effect.fnUntraced(function* (query = "") {
        const { text } = yield* call("read", "GET", `${comments}?order=asc${query}`).pipe(has(200))
        const { items } = JSON.parse(text) as { readonly items: ReadonlyArray<{ readonly target: object }> }
        return items.map(({ target }) => {
          const { page, node } = target as {
            readonly page: { readonly title: string; readonly outdated: boolean }
            readonly node?: { readonly preview: string }
          }
          return [page.title, page.outdated, ...(node === undefined ? [] : [node.preview])]
        })
      })
      const three = [
        ["animals", false],
        ["animals", false, "List animals"],
        ["API", false]
      ]
      assert.deepStrictEqual(yield* outdated(), three)
      assert.deepStrictEqual(yield* outdated(`&targetPage=${animals!.id}`), three.slice(0, 2))
      // Another operation stands where the first one did.
      yield* refresh(slug, specWith("Adopt one", "List animals"))
      assert.deepStrictEqual(yield* outdated(), [
        ["animals", false],
        ["animals", true, "List animals"],
        ["API", false]
      ])
      yield* ofSpecs("DELETE", `/${slug}`).pipe(has(204))
      assert.deepStrictEqual(yield* outdated(), [
        ["animals", true],
        ["animals", true, "List animals"],
        ["API", false]
      ])
    })
  )

  it.effect("tells renderers under which names they may keep what is read", () =>
    Effect.gen(function* () {
      const { organization } = yield* Harness
      const { space } = yield* makeSpace("tagged")
      const { id: other } = yield* createSpace()
      const tags = (path: string) => Effect.map(get(path), ({ headers }) => headers.get("x-gitbook-cache-tag"))
      const { revision } = JSON.parse((yield* get(space)).text)
      for (const path of [`${space}/content`, `${space}/revisions/${revision}`, `${space}/content/path/before`]) {
        assert.strictEqual(yield* tags(path), `space:${space},organization:${organization}:openapi:tagged`)
      }
      assert.strictEqual(yield* tags(`${other}/content`), `space:${other}`)
      assert.strictEqual(yield* tags(other), `space:${other}`)
    })
  )

  it.effect("a private spec comes out to members alone, a public one to visitors too", () =>
    Effect.gen(function* () {
      const { space, slug, api } = yield* makeSpace("secret")
      const { id } = yield* createSite([space])
      const { basename } = yield* publishSite(id)
      const url = `http://127.0.0.1:4000/sites/${basename}/`
      const { apiToken } = yield* resolve(url)
      const member = yield* treeOf(`${space}/content/pages`)
      const [animals] = member[1]!.pages!
      const visit = (path: string) => reading(apiToken, `/spaces/${space}/content${path}`)
      const hidden = yield* visit("/pages").pipe(has(200))
      assert.notInclude(hidden.text, "animals")
      const found = yield* reading(apiToken, `/spaces/${space}/search?query=feed`).pipe(has(200))
      assert.deepStrictEqual(JSON.parse(found.text).items, [])
      const notice = yield* visit(`/page/${api}`).pipe(has(200))
      assert.include(notice.text, "is missing")
      assert.notInclude(notice.text, "All about")
      yield* visit(`/page/${animals!.id}`).pipe(refused(404))
      const place = `${url}api/animals`
      assert.strictEqual((yield* resolve(`${url}api`)).page, api)
      yield* isNoPage(place)

      yield* ofSpecs("PATCH", `/${slug}`, { visibility: "public" }).pipe(has(200))
      assert.include((yield* visit("/pages")).text, "api/animals")
      assert.include((yield* visit(`/page/${animals!.id}`).pipe(has(200))).text, "List animals")
      assert.strictEqual((yield* resolve(place)).page, animals!.id)
      yield* refresh(slug, JSON.stringify({ openapi: "3.1.0", info: { title: "x", version: "1" }, paths: {} }))
      yield* isNoPage(place)
    })
  )

  it.effect("tells the writer of a page that it shows a private spec", () =>
    Effect.gen(function* () {
      const { space, slug, api } = yield* makeSpace("warned")
      const { id } = yield* openChangeRequest(space)
      const block = `{% openapi-operation spec="${slug}" path="/animals" method="get" %}\n[warned](https://example.com)\n{% endopenapi-operation %}`
      const written = yield* write(space, id, [
        insertPage("Shows", block),
        insertPage("Links", `[the spec](/openapi/${slug})`),
        { operation: "update_page", page: api, title: "Reference" }
      ])
      assert.deepStrictEqual(
        written.warnings?.map(({ page }) => page),
        [written.idOf("Shows"), api]
      )
      assert.include(written.warnings![0]!.message, `The spec ${slug} is private`)
      yield* ofSpecs("PATCH", `/${slug}`, { visibility: "public" }).pipe(has(200))
      assert.isUndefined((yield* write(space, id, [insertPage("Again", block)])).warnings)
    })
  )

  it.effect("shows visitors each operation once, in the blocks of the hosted service", () =>
    Effect.gen(function* () {
      const { space, slug } = yield* makeSpace("once")
      yield* ofSpecs("PATCH", `/${slug}`, { visibility: "public" }).pipe(has(200))
      const [animals] = (yield* treeOf(`${space}/content/pages`))[1]!.pages!
      const { id } = yield* createSite([space])
      const { basename } = yield* publishSite(id)
      const { apiToken } = yield* resolve(`http://127.0.0.1:4000/sites/${basename}/`)
      const path = `/spaces/${space}/content/page/${animals!.id}?format=document`
      const page = yield* reading(apiToken, path).pipe(has(200))
      const types = (JSON.parse(page.text) as Page).document!.nodes.map(({ type }) => type)
      assert.include(types, "openapi-operation")
      assert.notInclude(types, "table")
      assert.notInclude(types, "heading-2")
      // Markdown has the text instead.
      const text = yield* reading(apiToken, `/spaces/${space}/content/page/${animals!.id}?format=markdown`).pipe(
        has(200)
      )
      assert.include((JSON.parse(text.text) as Page).markdown, "## ")
    })
  )

  it.effect("refuses what no page is computed from, and pages below a computed one", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, slug, api } = yield* makeSpace("refused")
      const { id } = yield* openChangeRequest(space)
      const attempt = (...changes: ReadonlyArray<Record<string, unknown>>) =>
        call("admin", "POST", `/v1/spaces/${space}/change-requests/${id}/content`, { changes })
      const pages = sourceOf(slug)
      const document = sourceOf(slug, { doc: "models" })
      const insert = (more: Record<string, unknown>) => ({ operation: "insert_page", title: "T", ...more })
      const wrong = [
        insert({ type: "computed" }),
        insert({ type: "computed", computed: document }),
        insert({ type: "computed", computed: pages, document: { markdown: "x" } }),
        insert({ computed: pages }),
        insert({ computed: document, document: { markdown: "x" } }),
        insert({ type: "group", computed: document }),
        insert({ type: "link", target: { kind: "url", url: "x" }, computed: document }),
        insert({ type: "computed", computed: { ...pages, type: "builtin:translation" } }),
        insert({ type: "computed", computed: { ...pages, dependencies: {} } }),
        insert({ type: "computed", computed: sourceOf("x".repeat(2_000)) }),
        insert({ type: "computed", computed: sourceOf(slug, {}) }),
        insert({ computed: sourceOf(slug, { doc: "operation", page: "/x", method: "connect" }) }),
        insert({ computed: sourceOf(slug, { doc: "tag", page: "" }) }),
        insert({ into: api }),
        insert({ into: `${api}~x` }),
        { operation: "update_page", page: api, computed: document },
        { operation: "update_page", page: api, computed: null },
        { operation: "update_page", page: api, document: { markdown: "x" } }
      ]
      for (const change of wrong) {
        const { status, text } = yield* attempt(change)
        assert.include([400, 404], status, `${JSON.stringify(change)}: ${text}`)
      }
      const many = Array.from({ length: 50 }, (_, i) => insertComputed(slug, undefined, { ref: `r${i}` }))
      yield* attempt(...many).pipe(has(200))
      yield* attempt(...many).pipe(refused(400))
      yield* attempt(...many.slice(1)).pipe(has(200))
    })
  )
})
