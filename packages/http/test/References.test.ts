/** References in documents: whole or refused, wherever they stand, and nothing stored. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { getChangeRequest, openChangeRequest, spaceWith, write } from "./Steps.ts"

type Value = Record<string, unknown>

/** By kind: what it can't do without, and what it may have. */
const kinds: ReadonlyArray<readonly [kind: string, main: string, ...others: ReadonlyArray<string>]> = [
  ["url", "url"],
  ["file", "file", "space"],
  ["page", "page", "space"],
  ["anchor", "anchor", "page", "space"],
  ["user", "user"],
  ["collection", "collection"],
  ["space", "space"],
  ["reusable-content", "reusableContent", "space"],
  ["openapi", "spec"]
]
const wrong: ReadonlyArray<unknown> = [null, 1, {}, [], true]

const text = (value: string, marks: ReadonlyArray<unknown> = []) => ({
  object: "text",
  leaves: [{ object: "leaf", text: value, marks }]
})
const paragraph = (...nodes: ReadonlyArray<unknown>) => ({ object: "block", type: "paragraph", nodes })
const link = (ref: unknown) => ({ object: "inline", type: "link", data: { ref }, nodes: [text("Link")] })
const table = (definition: Value, value: unknown) => ({
  object: "block",
  type: "table",
  data: {
    view: { type: "grid", columns: ["c"] },
    definition: { c: { id: "c", type: "content-ref", title: "Column", ...definition } },
    records: { r: { orderIndex: "a0", values: { c: value } } }
  },
  fragments: []
})
const fragment = (...nodes: ReadonlyArray<unknown>) => ({ object: "fragment", fragment: "title", nodes })

/** Places where a reference may stand, with the path of its data. */
const places: Readonly<Record<string, readonly [path: string, place: (ref: unknown) => unknown]>> = {
  "a link": ["nodes[0].nodes[0].data.ref", (ref) => paragraph(link(ref))],
  "a block": ["nodes[0].data.ref", (ref) => ({ object: "block", type: "image", data: { ref } })],
  "a dark image": ["nodes[0].data.refDark", (ref) => ({ object: "block", type: "image", data: { refDark: ref } })],
  "a mark": [
    "nodes[0].nodes[0].leaves[0].marks[0].data.ref",
    (ref) => paragraph(text("Marked", [{ object: "mark", type: "color", data: { ref } }]))
  ],
  "a cell": ["nodes[0].data.records.r.values.c", (ref) => table({}, ref)],
  "a list in a cell": ["nodes[0].data.records.r.values.c[0]", (ref) => table({}, [ref])],
  "a column": ["nodes[0].data.definition.c.target", (ref) => table({ target: ref }, "")],
  "a fragment": [
    "nodes[0].fragments[0].nodes[0].nodes[0].data.ref",
    (ref) => ({ object: "block", type: "expandable", fragments: [fragment(paragraph(link(ref)))] })
  ],
  "an annotation": [
    "nodes[0].nodes[0].fragments[0].nodes[0].nodes[0].data.ref",
    (ref) =>
      paragraph({
        object: "inline",
        type: "annotation",
        nodes: [text("Annotated")],
        fragments: [fragment(paragraph(link(ref)))]
      })
  ]
}

const prepared = Effect.gen(function* () {
  const { call } = yield* Harness
  const { space, idOf } = yield* spaceWith({ Page: "" })
  const { id } = yield* openChangeRequest(space)
  const send = (change: Value) =>
    call("admin", "POST", `/v1/spaces/${space}/change-requests/${id}/content?compat=false`, {
      changes: [{ operation: "update_page", page: idOf("Page"), ...change }]
    })
  const revision = Effect.map(getChangeRequest(space, id), (changeRequest) => changeRequest.revision)
  return { space, id, page: idOf("Page"), send, revision }
})

const documentOf = (...nodes: ReadonlyArray<unknown>) => ({ document: { document: { object: "document", nodes } } })

onMemory("References", (it) => {
  it.effect("of every kind are refused for each field that is no text", () =>
    Effect.gen(function* () {
      const { send, revision } = yield* prepared
      const before = yield* revision
      for (const [kind, main, ...others] of kinds) {
        for (const field of [main, ...others]) {
          for (const value of wrong) {
            const ref = { kind, [main]: "there", [field]: value }
            const { issues } = yield* send(documentOf(paragraph(link(ref)))).pipe(refused(400))
            assert.strictEqual(
              issues?.[0]?.path,
              `body.changes[0].document.document.nodes[0].nodes[0].data.ref.${field}`,
              JSON.stringify(ref)
            )
          }
        }
      }
      assert.strictEqual(yield* revision, before)
    })
  )

  it.effect("are refused wherever they stand", () =>
    Effect.gen(function* () {
      const { send, revision } = yield* prepared
      const before = yield* revision
      for (const [name, [path, place]] of Object.entries(places)) {
        for (const value of wrong) {
          const { issues } = yield* send(documentOf(place({ kind: "anchor", anchor: "x", page: value }))).pipe(
            refused(400)
          )
          assert.strictEqual(issues?.[0]?.path, `body.changes[0].document.document.${path}.page`, name)
        }
      }
      assert.strictEqual(yield* revision, before)
    })
  )

  it.effect("of links, covers and comments are refused too, and icons that are no text", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { send, revision, space, id } = yield* prepared
      const { idOf } = yield* write(space, id, [
        {
          operation: "insert_page",
          type: "link",
          title: "Link",
          ref: "link",
          target: { kind: "url", url: "https://a.example" }
        }
      ])
      const before = yield* revision
      const path = `/v1/spaces/${space}/change-requests/${id}`
      for (const value of wrong) {
        const ref = { kind: "anchor", anchor: "x", page: value }
        const changes: ReadonlyArray<readonly [string, Value]> = [
          ["target", { page: idOf("link"), target: ref }],
          ["cover", { cover: { ref, yPos: 0 } }],
          ["cover", { cover: { refDark: ref, yPos: 0 } }],
          ...(value === null
            ? []
            : ([
                ["icon", { icon: value }],
                ["emoji", { emoji: value }]
              ] as const))
        ]
        for (const [field, change] of changes) {
          const { issues } = yield* send(change).pipe(refused(400))
          assert.isTrue(issues?.[0]?.path.startsWith(`body.changes[0].${field}`), `${issues?.[0]?.path} of ${field}`)
        }
        const document = { object: "document", nodes: [paragraph(link(ref))] }
        const comment = yield* call("admin", "POST", `${path}/comments`, { body: { document } }).pipe(refused(400))
        assert.strictEqual(comment.issues?.[0]?.path, "body.body.document.nodes[0].nodes[0].data.ref.page")
        const description = yield* call("admin", "PATCH", path, { description: document }).pipe(refused(400))
        assert.strictEqual(description.issues?.[0]?.path, "body.description.nodes[0].nodes[0].data.ref.page")
      }
      assert.strictEqual(yield* revision, before)
    })
  )

  it.effect("that are whole are taken, and so is what only looks a little like one", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, id, page, send } = yield* prepared
      const whole = kinds.map(([kind, ...fields]) => ({
        kind,
        ...Object.fromEntries(fields.map((field) => [field, "there"]))
      }))
      const others = [{ kind: "page" }, { kind: "new-kind", page: null }, { kind: 1 }]
      const nodes = [...whole, ...others].map((value) => table({}, value))
      yield* send(documentOf(...whole.map((ref) => paragraph(link(ref))), ...nodes)).pipe(has(200))
      yield* send(documentOf(...whole.map((ref) => paragraph(link(ref))), ...nodes.toReversed())).pipe(has(200))
      const path = `/v1/spaces/${space}/change-requests/${id}`
      yield* call("admin", "GET", `${path}/changes/page/${page}`).pipe(answers(200, Shapes.PageChanges))
      for (const format of ["markdown", "document"]) {
        yield* call("admin", "GET", `${path}/content/page/${page}?format=${format}`).pipe(has(200))
      }
      yield* call("admin", "GET", `${path}/content/page/${page}?evaluated=true`).pipe(has(200))
    })
  )

  it.effect("and everything else in data can be turned into a text", () =>
    Effect.gen(function* () {
      const { send } = yield* prepared
      for (const name of ["toString", "valueOf"]) {
        const odd = { [name]: 1 }
        for (const [path, block] of [
          ["data.records.r.values.c", table({}, odd)],
          ["data.records.r.values.c[0]", table({}, [odd])],
          ["data.definition.c.title", table({ title: odd }, "")],
          ["data.title", { object: "block", type: "hint", data: { title: odd }, nodes: [] }]
        ] as const) {
          const { issues } = yield* send(documentOf(block)).pipe(refused(400))
          assert.strictEqual(issues?.[0]?.path, `body.changes[0].document.document.nodes[0].${path}.${name}`)
        }
      }
    })
  )
})
