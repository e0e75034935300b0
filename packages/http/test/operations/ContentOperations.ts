/** Content at its three addresses: of a space, of a change request, of a revision. */
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import { createSpec, processed } from "../OpenApiSteps.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace, insertPage, openChangeRequest, publish, write } from "../Steps.ts"

const content = [
  insertPage("Guide", "# Guide\n\nRead *this*.", { emoji: "📗", description: "All of it" }),
  insertPage("Start", "Begin here.", { into: "Guide" }),
  { operation: "insert_page", type: "group", title: "More", ref: "More" },
  { operation: "insert_page", type: "link", title: "Elsewhere", target: { kind: "url", url: "https://example.com" } },
  { operation: "insert_files", files: [{ name: "notes.txt", ref: "notes", base64: btoa("Some notes") }] },
  { operation: "set_variables", variables: { version: "1.2" } },
  { operation: "upsert_reusable_content", title: "Footer", document: { markdown: "The end" } }
]

const prepare = Effect.gen(function* () {
  const space = yield* createSpace({ title: "Content" })
  const { idOf, insertedFiles, revision } = yield* publish(space.id, content)
  const changeRequest = yield* openChangeRequest(space.id)
  return {
    space: space.id,
    guide: idOf("Guide"),
    more: idOf("More"),
    file: insertedFiles?.[0]?.id ?? "",
    revision,
    addresses: [
      `/v1/spaces/${space.id}/content`,
      `/v1/spaces/${space.id}/change-requests/${changeRequest.number}/content`,
      `/v1/spaces/${space.id}/revisions/${revision}`
    ]
  }
})

export const contentOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("shows the revision with its pages, files, reusable content and variables", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { addresses, revision } = yield* prepare
      for (const address of addresses) {
        const shown = yield* call("read", "GET", address).pipe(answers(200, Shapes.Revision))
        assert.strictEqual(shown.id, revision)
        assert.strictEqual(shown.type, "merge")
        assert.deepInclude(shown.mergedFrom, { status: "merged", revisionMerged: revision, outdated: false })
        assert.deepStrictEqual(
          shown.pages.map(({ title, type }) => [title, type]),
          [
            ["Guide", "document"],
            ["More", "group"],
            ["Elsewhere", "link"]
          ]
        )
        assert.strictEqual(shown.files[0]?.name, "notes.txt")
        assert.strictEqual(shown.reusableContents[0]?.title, "Footer")
        assert.deepStrictEqual(shown.variables, { version: "1.2" })
        yield* call("read", "GET", `${address}?metadata=false&computed=false`).pipe(answers(200, Shapes.Revision))
      }
    })
  )

  it.effect("shows the tree of pages, without their documents", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      for (const address of (yield* prepare).addresses) {
        const { pages } = yield* call("read", "GET", `${address}/pages`).pipe(answers(200, Shapes.Pages))
        const [guide] = pages
        assert.deepInclude(guide, { title: "Guide", path: "guide", emoji: "📗", description: "All of it" })
        assert.isUndefined(guide?.markdown)
        assert.deepInclude(guide?.pages?.[0], { title: "Start", path: "guide/start" })
      }
    })
  )

  it.effect("shows the pages, or the document, of one source of computed pages alone", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id } = yield* createSpace()
      const spec = `spec-${id.toLowerCase()}`
      const made = yield* createSpec(
        spec,
        JSON.stringify({
          openapi: "3.1.0",
          info: { title: "Zoo", version: "1" },
          paths: { "/a": { get: { tags: ["a"], summary: "List" } } }
        })
      )
      yield* processed(made.id)
      const source = (props: object) => ({
        type: "builtin:openapi",
        dependencies: { spec: { ref: { kind: "openapi", spec } } },
        props
      })
      const computed = `/v1/spaces/${id}/content/computed`
      const revision = { source: source({ models: false }), seed: "one" }
      const { text } = yield* call("edit", "POST", `${computed}/revision`, revision).pipe(has(200))
      assert.deepInclude(JSON.parse(text).pages[0], { title: "a", path: "a" })
      yield* call("edit", "POST", `${computed}/document`, {
        source: source({ doc: "info", page: "a" }),
        seed: "one"
      }).pipe(answers(200, Shapes.DocumentShape))
    })
  )

  it.effect("shows a page as Markdown, or as a document", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { addresses, guide, more } = yield* prepare
      for (const address of addresses) {
        for (const query of ["", "?format=markdown", "?evaluated=true&metadata=false&computed=false"]) {
          const page = yield* call("read", "GET", `${address}/page/${guide}${query}`).pipe(answers(200, Shapes.Page))
          assert.match(page.markdown ?? "", /Read [*_]this[*_]\./)
          assert.isUndefined(page.document)
          assert.strictEqual(page.pages?.[0]?.title, "Start")
        }
        const page = yield* call("read", "GET", `${address}/page/${guide}?format=document`).pipe(
          answers(200, Shapes.Page)
        )
        assert.isUndefined(page.markdown)
        assert.isTrue(page.document?.nodes.every(({ key }) => key !== undefined && key !== ""))
        const whole = yield* call("read", "GET", `${address}/page/${guide}?format=document`).pipe(has(200))
        const alone = yield* call("read", "GET", `${address}/page/${guide}/document`).pipe(has(200))
        assert.deepStrictEqual(JSON.parse(alone.text), JSON.parse(whole.text).document)
        assert.strictEqual(
          (yield* call("read", "GET", `${address}/page/${guide}/meta-links`).pipe(has(200))).text,
          "{}"
        )
        const group = yield* call("read", "GET", `${address}/page/${more}`).pipe(answers(200, Shapes.Page))
        assert.strictEqual(group.type, "group")
        for (const part of ["document", "meta-links"]) {
          yield* call("read", "GET", `${address}/page/${more}/${part}`).pipe(refused(404))
          yield* call("read", "GET", `${address}/page/none/${part}`).pipe(refused(404))
        }
      }
    })
  )

  it.effect("shows a page by its path, in any case", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { addresses, guide } = yield* prepare
      for (const address of addresses) {
        const page = (path: string) => call("read", "GET", `${address}/path/${path}`)
        const byId = yield* call("read", "GET", `${address}/page/${guide}`).pipe(answers(200, Shapes.Page))
        assert.deepStrictEqual(yield* page("guide").pipe(answers(200, Shapes.Page)), byId)
        const below = yield* page("guide%2Fstart?format=document").pipe(answers(200, Shapes.Page))
        assert.strictEqual(below.path, "guide/start")
        assert.isDefined(below.document)
        assert.strictEqual((yield* page("GUIDE%2FStart").pipe(answers(200, Shapes.Page))).id, below.id)
        assert.strictEqual((yield* page("more").pipe(answers(200, Shapes.Page))).type, "group")
        for (const nowhere of ["start", "guide%2Fnone", "elsewhere", "%2F", "%F0%9F%8E%89", "%22%0A"]) {
          yield* page(nowhere).pipe(refused(404))
        }
        const { headers } = yield* page("guide%2Fstart").pipe(has(200))
        const again = { "if-none-match": headers.get("etag") ?? "" }
        yield* call("read", "GET", `${address}/path/guide%2Fstart`, undefined, again).pipe(has(304))
        yield* call("read", "GET", `${address}/path/guide`, undefined, again).pipe(has(200))
      }
    })
  )

  it.effect("lists files, shows one and hands out its bytes", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { addresses, file } = yield* prepare
      for (const address of addresses) {
        const list = yield* call("read", "GET", `${address}/files?metadata=false`).pipe(
          answers(200, Shapes.listOf(Shapes.File))
        )
        assert.strictEqual(list.count, 1)
        const one = yield* call("read", "GET", `${address}/files/${file}`).pipe(answers(200, Shapes.File))
        assert.deepStrictEqual(list.items, [one])
        assert.deepInclude(one, { name: "notes.txt", contentType: "text/plain", size: 10 })
        const download = yield* call("nobody", "GET", one.downloadURL).pipe(has(200))
        assert.strictEqual(download.text, "Some notes")
      }
    })
  )

  it.effect("tells what a revision changed", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, revision } = yield* prepare
      const changes = yield* call("read", "GET", `/v1/spaces/${space}/revisions/${revision}/changes`).pipe(
        answers(200, Shapes.Changes)
      )
      assert.deepInclude(changes.mergedFrom, { status: "merged", revisionMerged: revision, space })
      assert.strictEqual(changes.changes.filter(({ type }) => type === "page_created").length, 4)
      const some = yield* call("read", "GET", `/v1/spaces/${space}/revisions/${revision}/changes?limit=2`).pipe(
        answers(200, Shapes.Changes)
      )
      assert.strictEqual(some.changes.length, 2)
      assert.strictEqual(some.more, changes.changes.length - 2)
      const page = changes.changes.find(({ type }) => type === "page_created")?.page?.id
      yield* call("read", "GET", `/v1/spaces/${space}/revisions/${revision}/changes/page/${page}`).pipe(
        answers(200, Shapes.PageChanges)
      )
    })
  )

  it.effect("shows a revision of the past as it was", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, revision, guide } = yield* prepare
      yield* publish(space, [{ operation: "update_page", page: guide, title: "Renamed" }])
      const { id } = yield* openChangeRequest(space)
      yield* write(space, id, [{ operation: "delete_page", page: guide }])
      const titleAt = (address: string) =>
        call("read", "GET", `/v1/spaces/${space}/${address}/page/${guide}`).pipe(
          answers(200, Shapes.Page),
          Effect.map(({ title }) => title)
        )
      assert.strictEqual(yield* titleAt(`revisions/${revision}`), "Guide")
      assert.strictEqual(yield* titleAt("content"), "Renamed")
      yield* call("read", "GET", `/v1/spaces/${space}/change-requests/${id}/content/page/${guide}`).pipe(has(404))
    })
  )

  it.effect("answers a search of 1 to 512 characters", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const path = `/v1/spaces/${(yield* prepare).space}/search`
      for (const query of ["guide", "AND OR NOT", '"', "*", "(", "🎉".repeat(512), "guide"]) {
        yield* call("read", "GET", `${path}?query=${encodeURIComponent(query)}&limit=5`).pipe(
          answers(200, Shapes.listOf(Shapes.SearchResult))
        )
      }
      for (const query of ["", "?query=", `?query=${"x".repeat(513)}`, "?query=x&limit=0"]) {
        yield* call("read", "GET", path + query).pipe(has(400))
      }
    })
  )
}
