/** Templates: what they make of a space, in one revision, and what is refused. */
import { Ids } from "@lectern/core/identity/Ids"
import type { Template } from "@lectern/core/template/Template"
import { assert } from "@effect/vitest"
import { Effect, Schema } from "effect"
import { answers, Harness, has, onEachAdapter, type Person, refused } from "./Harness.ts"
import { createSpec, processed, specText } from "./OpenApiSteps.ts"
import { createSpace, getSpace, insertPage, openChangeRequest, pageOf, publish, write } from "./Steps.ts"

const Tree = Schema.Struct({
  pages: Schema.Array(
    Schema.Struct({
      id: Schema.String,
      title: Schema.String,
      slug: Schema.optionalKey(Schema.String),
      type: Schema.String
    })
  )
})

const Revision = Schema.Struct({
  id: Schema.String,
  parents: Schema.Array(Schema.String),
  type: Schema.String,
  variables: Schema.Record(Schema.String, Schema.Json)
})

const apply = Effect.fnUntraced(function* (space: string, body: unknown, by: Person = "admin") {
  const { call } = yield* Harness
  return yield* call(by, "POST", `/v1/spaces/${space}/content/template`, body)
})

const read = Effect.fnUntraced(function* <S extends Schema.Codec<unknown, unknown>>(path: string, shape: S) {
  const { call } = yield* Harness
  return yield* call("admin", "GET", path).pipe(answers(200, shape))
})

const treeOf = (space: string) => Effect.map(read(`/v1/spaces/${space}/content/pages`, Tree), ({ pages }) => pages)
const revisionOf = (space: string) => read(`/v1/spaces/${space}/content`, Revision)

const own: Template = {
  id: "own",
  title: "Our own",
  description: "What our spaces begin with.",
  contentRefs: ["logo"],
  pages: ({ logo }) => [
    { title: "Begin", markdown: logo?.kind === "file" ? `![logo](/files/${logo.file})` : "No logo" }
  ]
}

onEachAdapter(
  "Templates",
  (it) => {
    const ids = ["product-docs", "api-reference", "handbook", "changelog"]
    it.effect.each(ids)("%s fills an empty space in one revision, whose links lead to its pages", (id) =>
      Effect.gen(function* () {
        const space = yield* createSpace()
        const before = yield* revisionOf(space.id)
        const answer = yield* apply(space.id, { id }).pipe(has(201))
        assert.strictEqual(answer.text, "")
        const after = yield* revisionOf(space.id)
        assert.deepStrictEqual([after.parents, after.type], [[before.id], "edits"])
        const pages = yield* treeOf(space.id)
        assert.isAtLeast(pages.length, 3)
        for (const { id: page, type } of pages) {
          if (type !== "document") continue
          const { markdown = "" } = yield* pageOf(`/v1/spaces/${space.id}/content`, page)
          assert.notInclude(markdown, "template-")
          for (const [, target] of markdown.matchAll(/\(\/pages\/([^)#]+)\)/g)) {
            yield* pageOf(`/v1/spaces/${space.id}/content`, target!)
          }
        }
      })
    )

    it.effect("puts its pages behind those that are there, under slugs of their own", () =>
      Effect.gen(function* () {
        const space = yield* createSpace()
        yield* publish(space.id, [
          insertPage("Welcome", "Mine"),
          { operation: "set_variables", variables: { version: "9", mine: true } }
        ])
        for (const id of ["product-docs", "changelog", "product-docs"]) yield* apply(space.id, { id }).pipe(has(201))
        const pages = yield* treeOf(space.id)
        assert.deepStrictEqual(
          pages.filter(({ title }) => title === "Welcome").map(({ slug }) => slug),
          ["welcome", "welcome-1", "welcome-2"]
        )
        assert.strictEqual(pages[0]!.slug, "welcome")
        assert.strictEqual(new Set(pages.map(({ slug }) => slug)).size, pages.length)
        assert.deepStrictEqual((yield* revisionOf(space.id)).variables, { version: "9", mine: "true" })
      })
    )

    it.effect("takes named references, and ignores those that it doesn't know", () =>
      Effect.gen(function* () {
        const space = yield* createSpace()
        const { insertedFiles } = yield* publish(space.id, [
          { operation: "insert_files", files: [{ name: "logo.png", base64: btoa("logo") }] }
        ])
        const logo = { kind: "file", file: insertedFiles![0]!.id }
        const params = { contentRefs: { logo, other: { kind: "file", file: "none" } }, more: 1 }
        yield* apply(space.id, { id: "own", params }).pipe(has(201))
        const [page] = yield* treeOf(space.id)
        const { markdown } = yield* pageOf(`/v1/spaces/${space.id}/content`, page!.id)
        assert.include(markdown!, `/files/${logo.file}`)
        const missing = { logo: { kind: "file", file: "none" } }
        const { issues } = yield* apply(space.id, { id: "own", params: { contentRefs: missing } }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.params.contentRefs.logo")
        assert.lengthOf(yield* treeOf(space.id), 1)
      })
    )

    it.effect("makes pages of a spec that is given by name", () =>
      Effect.gen(function* () {
        const spec = yield* createSpec("template-spec", specText("Template"))
        yield* processed(spec.id)
        const space = yield* createSpace()
        const contentRefs = { spec: { kind: "openapi", spec: "template-spec" } }
        yield* apply(space.id, { id: "api-reference", params: { contentRefs } }).pipe(has(201))
        const last = (yield* treeOf(space.id)).at(-1)!
        const { markdown } = yield* pageOf(`/v1/spaces/${space.id}/content`, last.id)
        assert.include(markdown!, "Download the spec")
      })
    )

    it.effect("is for who may edit the space, while that isn't locked", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const space = yield* createSpace()
        for (const person of ["read", "comment"] as const) {
          yield* apply(space.id, { id: "changelog" }, person).pipe(refused(403))
        }
        yield* apply(space.id, { id: "changelog" }, "outsider").pipe(refused(404))
        yield* apply(space.id, { id: "changelog" }, "nobody").pipe(refused(401))
        yield* apply(space.id, { id: "own" }, "edit").pipe(has(201))
        yield* call("admin", "PATCH", `/v1/spaces/${space.id}`, { editMode: "locked" }).pipe(has(200))
        yield* apply(space.id, { id: "own" }).pipe(refused(409))
        assert.lengthOf(yield* treeOf(space.id), 1)
      })
    )

    it.effect("refuses what is no template, and changes nothing", () =>
      Effect.gen(function* () {
        const space = yield* createSpace()
        const { revision } = yield* getSpace(space.id)
        yield* apply(space.id, { id: "none" }).pipe(refused(404))
        yield* apply(space.id, { id: "__proto__" }).pipe(refused(404))
        yield* apply(yield* (yield* Ids).next, { id: "own" }).pipe(refused(404))
        const wrong = [
          undefined,
          null,
          {},
          [],
          { id: "" },
          { id: 1 },
          { id: "a".repeat(101) },
          { id: "own", params: 1 }
        ]
        const refs = [1, { logo: 1 }, { logo: { kind: "none" } }, { logo: { kind: "file" } }]
        for (const body of [...wrong, ...refs.map((contentRefs) => ({ id: "own", params: { contentRefs } }))]) {
          yield* apply(space.id, body).pipe(refused(400))
        }
        assert.strictEqual((yield* getSpace(space.id)).revision, revision)
      })
    )

    it.effect("is what a new space or change request begins with", () =>
      Effect.gen(function* () {
        const { call, organization } = yield* Harness
        const { id: space, revision } = yield* createSpace({ title: "Begun", template: { id: "own" } })
        assert.deepStrictEqual(
          (yield* treeOf(space)).map(({ title }) => title),
          ["Begin"]
        )
        assert.deepInclude(yield* revisionOf(space), { id: revision, parents: [] })

        const logs = { subject: "With a log", template: { id: "changelog" } }
        const opened = yield* openChangeRequest(space, logs)
        assert.deepInclude(opened, { status: "draft", subject: "With a log", revisionInitial: revision })
        assert.notStrictEqual(opened.revision, revision)
        const path = `/v1/spaces/${space}/change-requests/${opened.id}`
        const there = yield* read(`${path}/content/pages`, Tree)
        assert.strictEqual(there.pages[0]?.title, "Begin")
        assert.isAbove(there.pages.length, 1)
        assert.lengthOf(yield* treeOf(space), 1)
        assert.deepStrictEqual((yield* read(`${path}/content`, Revision)).parents, [revision])
        yield* call("admin", "POST", `${path}/merge`).pipe(has(200))
        assert.lengthOf(yield* treeOf(space), there.pages.length)

        const before = yield* getSpace(space)
        for (const [template, status] of [
          [{ id: "none" }, 404],
          [{ id: "" }, 400],
          [{}, 400],
          ["own", 400],
          [null, 400],
          [{ id: "own", params: { contentRefs: { logo: { kind: "file", file: "none" } } } }, 400]
        ] as const) {
          yield* call("admin", "POST", `/v1/orgs/${organization}/spaces`, { template }).pipe(refused(status))
          yield* call("admin", "POST", `/v1/spaces/${space}/change-requests`, { template }).pipe(refused(status))
        }
        const both = { empty: true, template: { id: "own" } }
        const { issues } = yield* call("admin", "POST", `/v1/orgs/${organization}/spaces`, both).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.empty")
        yield* call("outsider", "POST", `/v1/orgs/${organization}/spaces`, { template: { id: "none" } }).pipe(
          refused(404)
        )
        yield* call("read", "POST", `/v1/orgs/${organization}/spaces`, { template: { id: "none" } }).pipe(refused(403))
        yield* call("read", "POST", `/v1/spaces/${space}/change-requests`, logs).pipe(refused(403))
        assert.deepStrictEqual(yield* getSpace(space), before)
      })
    )

    it.effect("two at once are both there, or one is told to try again", () =>
      Effect.gen(function* () {
        const space = yield* createSpace()
        const done = yield* Effect.all(
          [1, 2, 3].map(() => apply(space.id, { id: "own" })),
          { concurrency: 3 }
        )
        const made = done.filter(({ status }) => status === 201)
        assert.isTrue(done.every(({ status }) => status === 201 || status === 409))
        assert.lengthOf(yield* treeOf(space.id), made.length)
        // Change requests see it like any other edit of main.
        const { id } = yield* openChangeRequest(space.id)
        yield* write(space.id, id, [insertPage("Mine")])
        yield* apply(space.id, { id: "own" }).pipe(has(201))
      })
    )
  },
  { templates: [own] }
)
