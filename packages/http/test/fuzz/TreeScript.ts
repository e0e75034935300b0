/**
 * Documents as JSON trees: valid blocks of every type, trees with invalid or misplaced values, and arbitrary JSON.
 *
 * An accepted document must be readable in every format, survive a round trip, and support comparison, merging,
 * inclusion and search.
 */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { type Answer, Harness, has } from "../Harness.ts"
import { createSpace, insertPage, openChangeRequest, publish } from "../Steps.ts"
import { tree } from "./RandomTree.ts"
import type { Json } from "./Values.ts"

export interface Trees {
  readonly base: Json
  readonly main: Json
  readonly ours: Json
}

export const script: fc.Arbitrary<Trees> = fc.record({ base: tree, main: tree, ours: tree })

const body = (answer: Answer) => JSON.parse(answer.text)

const get = Effect.fnUntraced(function* (path: string) {
  const { call } = yield* Harness
  return body(yield* call("admin", "GET", path).pipe(has(200)))
})

/** Reads a page in every format. No read may fail. */
const readAll = Effect.fnUntraced(function* (content: string, page: string) {
  const of = (query: string) => get(`${content}/page/${page}?${query}`)
  yield* of("evaluated=true&format=document")
  yield* of("evaluated=true&format=markdown")
  yield* get(`${content}/page/${page}/links?limit=1000`)
  return {
    document: (yield* of("format=document")).document as Json,
    markdown: (yield* of("format=markdown")).markdown
  }
})

export const run = Effect.fnUntraced(function* ({ base, main, ours }: Trees) {
  const { call } = yield* Harness
  const { id: space } = yield* createSpace()
  const { idOf } = yield* publish(space, [insertPage("Page", "First."), insertPage("Other", "First.")])
  const [page, other] = [idOf("Page"), idOf("Other")]

  const open = Effect.map(openChangeRequest(space), ({ id }) => `/v1/spaces/${space}/change-requests/${id}`)
  /** Writes the document. Returns true if it was accepted. */
  const write = Effect.fnUntraced(function* (path: string, document: Json, into = page) {
    const changes = [{ operation: "update_page", page: into, document: { document } }]
    const answer = yield* call("admin", "POST", `${path}/content`, { changes })
    assert.include([200, 400, 413], answer.status, answer.text)
    return answer.status === 200
  })
  const writeMarkdown = Effect.fnUntraced(function* (path: string, markdown: string) {
    const changes = [{ operation: "update_page", page: other, document: { markdown } }]
    yield* call("admin", "POST", `${path}/content`, { changes }).pipe(has(200))
    return (yield* readAll(`${path}/content`, other)).markdown as string
  })
  const merged = Effect.fnUntraced(function* (path: string) {
    yield* get(`${path}/changes`)
    yield* get(`${path}/changes/page/${page}`)
    return body(yield* call("admin", "POST", `${path}/merge`).pipe(has(200))).result as string
  })

  const first = yield* open
  if (yield* write(first, base)) {
    const read = yield* readAll(`${first}/content`, page)
    // Writing back a document must not change it.
    assert.isTrue(yield* write(first, read.document))
    assert.deepStrictEqual((yield* readAll(`${first}/content`, page)).document, read.document)
    // Writing back its Markdown must not change the Markdown.
    const markdown = yield* writeMarkdown(first, read.markdown)
    assert.strictEqual(yield* writeMarkdown(first, markdown), markdown)
  }
  assert.strictEqual(yield* merged(first), "merge")

  const second = yield* open
  yield* write(second, ours)
  const third = yield* open
  yield* write(third, main)
  assert.strictEqual(yield* merged(third), "merge")
  yield* call("admin", "POST", `${second}/update`).pipe(has(200))
  const { conflicts } = yield* get(`${second}/changes`)
  for (const { id } of conflicts) {
    const { status } = yield* call("admin", "POST", `${second}/conflicts/${id}`, { keep: "ours" })
    assert.include([200, 409], status)
    if (status === 409) yield* call("admin", "POST", `${second}/conflicts/${id}`, { keep: "main" }).pipe(has(200))
  }
  assert.strictEqual(yield* merged(second), "merge")
  yield* readAll(`/v1/spaces/${space}/content`, page)

  yield* included(space, page, ours)
  yield* said(`/v1/spaces/${space}`, main)
})

/** Uses the document as reusable content in a page. */
const included = Effect.fnUntraced(function* (space: string, page: string, document: Json) {
  const { call } = yield* Harness
  const reusable = { operation: "upsert_reusable_content", title: "R", ref: "r", document: { document } }
  const including = { operation: "update_page", page, document: { markdown: '{% include "/reusable-contents/r" %}' } }
  const { id } = yield* openChangeRequest(space)
  const path = `/v1/spaces/${space}/change-requests/${id}`
  const { status } = yield* call("admin", "POST", `${path}/content`, { changes: [reusable, including] })
  assert.include([200, 400, 413], status)
  yield* readAll(`${path}/content`, page)
  yield* call("admin", "POST", `${path}/merge`).pipe(has(200))
  yield* get(`/v1/spaces/${space}/search?query=one`)
})

/** Uses the document as the body of a comment. */
const said = Effect.fnUntraced(function* (space: string, document: Json) {
  const { call } = yield* Harness
  const { status } = yield* call("admin", "POST", `${space}/comments`, { body: { document } })
  assert.include([200, 400, 413], status)
  for (const format of ["markdown", "document"]) yield* get(`${space}/comments?format=${format}`)
})
