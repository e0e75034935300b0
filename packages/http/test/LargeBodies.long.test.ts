/** Large input is computed in threads, one after another for each actor, and refused where it costs too much. */
import { Threads } from "@lectern/core/thread/Threads"
import { StorageError } from "@lectern/core/storage/Storage"
import { assert } from "@effect/vitest"
import * as HttpApp from "@lectern/http/server/HttpApp"
import * as WebHandler from "@lectern/http/server/WebHandler"
import { Tokens } from "@lectern/core/token/Tokens"
import { Effect, Fiber, Layer, Redacted } from "effect"
import { NodeThreads } from "../../services-node/src/thread/NodeThreads.ts"
import { FarThreads } from "./FarThreads.ts"
import { answers, Harness, has, onMemory, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, merge, openChangeRequest, pageOf, spaceWith, write } from "./Steps.ts"

const threads = new FarThreads()
const { asked, costly } = threads

const paragraphs = (count: number, edit = (n: number) => `${n}`) =>
  Array.from({ length: count }, (_, n) => `Paragraph ${edit(n)} says this.`).join("\n\n")

const blocks = (count: number) => ({
  object: "document",
  nodes: Array.from({ length: count }, (_, n) => ({
    object: "block",
    type: "paragraph",
    key: `key-${n}`,
    nodes: [{ object: "text", leaves: [{ object: "leaf", text: `Paragraph ${n} says this.`, marks: [] }] }]
  }))
})

onMemory(
  "Large bodies",
  (it) => {
    it.effect("are read, compared, merged and printed in threads; small ones are not", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { space, idOf } = yield* spaceWith({ Page: paragraphs(3000), Small: "One." })
        const page = idOf("Page")
        const document = (markdown: string, id = page) => ({
          operation: "update_page",
          page: id,
          document: { markdown }
        })
        const small = yield* openChangeRequest(space)
        asked.length = 0
        yield* write(space, small.id, [document("Two.", idOf("Small"))])
        yield* pageOf(`/v1/spaces/${space}/change-requests/${small.id}/content`, idOf("Small"))
        assert.deepStrictEqual(asked, [])

        const [ours, main] = [yield* openChangeRequest(space), yield* openChangeRequest(space)]
        yield* write(space, ours.id, [document(paragraphs(3000, (n) => (n === 7 ? "seven" : `${n}`)))])
        yield* write(space, main.id, [document(paragraphs(3000, (n) => (n === 2000 ? "late" : `${n}`)))])
        yield* merge(space, main.id)
        const path = `/v1/spaces/${space}/change-requests/${ours.id}`
        const { changes } = yield* call("admin", "GET", `${path}/changes/page/${page}`).pipe(
          answers(200, Shapes.PageChanges)
        )
        assert.deepStrictEqual(
          changes.map(({ type }) => type),
          ["block_edited"]
        )
        assert.strictEqual((yield* merge(space, ours.id)).result, "merge")
        const { markdown } = yield* pageOf(`/v1/spaces/${space}/content`, page)
        const both = paragraphs(3000, (n) => (n === 7 ? "seven" : n === 2000 ? "late" : `${n}`))
        assert.strictEqual(markdown?.trim(), both)
        for (const name of [
          "read-document",
          "write-document",
          "merge-documents",
          "compare-documents",
          "index-document"
        ]) {
          assert.include(asked, name)
        }
        assert.include(asked, "print-document")
      })
    )

    it.effect("of more than 256 KiB are unfolded in a thread, and hold the same", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const space = yield* createSpace({ title: "Docs" })
        const { id } = yield* openChangeRequest(space.id)
        asked.length = 0
        const insert = (title: string, document: unknown) => ({ operation: "insert_page", ref: title, title, document })
        const given = blocks(2500)
        // It begins as what stands for a part does.
        const title = "\uE000part 0"
        const { idOf } = yield* write(space.id, id, [
          insert("json", { document: given }),
          insert("text", { markdown: paragraphs(4000) }),
          { ...insert(title, { markdown: "Short." }), ref: "private" }
        ])
        assert.include(asked, "read-json")
        const content = `/v1/spaces/${space.id}/change-requests/${id}/content`
        const read = yield* call("admin", "GET", `${content}/page/${idOf("json")}?format=document`).pipe(
          answers(200, Shapes.Page)
        )
        assert.deepStrictEqual(read.document?.nodes, given.nodes)
        assert.strictEqual((yield* pageOf(content, idOf("text"))).markdown?.trim(), paragraphs(4000))
        assert.strictEqual((yield* pageOf(content, idOf("private"))).title, title)
        const wrong = { ...given, nodes: [...given.nodes, { object: "block" }] }
        const { issues } = yield* call("admin", "POST", content, {
          changes: [insert("wrong", { document: wrong })]
        }).pipe(refused(400))
        assert.strictEqual(issues?.[0]?.path, "body.changes[0].document.document.nodes[2500].type")
      })
    )

    it.effect("hold as many documents as a batch has changes, whatever they are of", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const space = yield* createSpace({ title: "Docs" })
        const { id } = yield* openChangeRequest(space.id)
        const changes = Array.from({ length: 50 }, (_, n) => ({
          operation: "insert_page",
          title: `Page ${n}`,
          document: { document: blocks(60) }
        }))
        const content = `/v1/spaces/${space.id}/change-requests/${id}/content`
        yield* call("admin", "POST", content, { changes }).pipe(has(200))
      })
    )

    it.effect("are refused where they hold too much beside texts and documents", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const space = yield* createSpace({ title: "Docs" })
        const { id } = yield* openChangeRequest(space.id)
        const variables = Object.fromEntries(Array.from({ length: 30_000 }, (_, n) => [`name${n}`, n]))
        const path = `/v1/spaces/${space.id}/change-requests/${id}/content`
        const body = { changes: [{ operation: "set_variables", variables }] }
        const { message } = yield* call("admin", "POST", path, body).pipe(refused(413))
        assert.strictEqual(message, "The body contains more than 10,000 values, not counting texts and documents")
      })
    )

    it.effect("are refused where a text is larger than a document may be", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const space = yield* createSpace({ title: "Docs" })
        const { id } = yield* openChangeRequest(space.id)
        const { issues } = yield* call("admin", "POST", `/v1/spaces/${space.id}/change-requests/${id}/content`, {
          changes: [{ operation: "insert_page", title: "Page", document: { markdown: "‹".repeat(3_000_000) } }]
        }).pipe(refused(400))
        assert.deepStrictEqual(issues, [
          { path: "body.changes[0].document.markdown", message: "A document has at most 8 MiB" }
        ])
      })
    )

    it.effect("are refused where they cost too much, and nothing of them is stored", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const space = yield* createSpace({ title: "Docs" })
        const { id, revision } = yield* openChangeRequest(space.id)
        const path = `/v1/spaces/${space.id}/change-requests/${id}`
        const insert = (title: string, markdown: string) => ({
          operation: "insert_page",
          title,
          document: { markdown }
        })
        costly.add("read-document").add("read-comment")
        const { message, issues } = yield* call("admin", "POST", `${path}/content`, {
          changes: [insert("Small", "One."), insert("Large", paragraphs(3000))]
        }).pipe(refused(413))
        assert.strictEqual(message, "The document takes more time or memory to read than one may: make it several")
        assert.strictEqual(issues?.[0]?.path, "body.changes[1].document.markdown")
        const after = yield* call("admin", "GET", path).pipe(answers(200, Shapes.ChangeRequest))
        assert.strictEqual(after.revision, revision)
        const comment = { body: { markdown: paragraphs(600) } }
        yield* call("admin", "POST", `/v1/spaces/${space.id}/comments`, comment).pipe(refused(413))
        costly.clear()
      })
    )
  },
  { threads: threads.layer }
)

onMemory(
  "A server that has too much to compute",
  (it) => {
    it.effect("says when to come again", () =>
      Effect.gen(function* () {
        const { users } = yield* Harness
        const space = yield* createSpace({ title: "Docs" })
        const { id } = yield* openChangeRequest(space.id)
        const { token } = yield* (yield* Tokens).create(users.admin)
        const answer = yield* WebHandler.make(yield* HttpApp.make)
        const write = (markdown: string) =>
          new Request(`http://127.0.0.1/v1/spaces/${space.id}/change-requests/${id}/content`, {
            method: "POST",
            headers: { authorization: `Bearer ${Redacted.value(token)}`, "content-type": "application/json" },
            body: JSON.stringify({ changes: [{ operation: "insert_page", title: "Page", document: { markdown } }] })
          })
        // In the body, and in the document alone.
        for (const markdown of [paragraphs(20_000), paragraphs(3000)]) {
          const response = yield* Effect.promise(() => answer(write(markdown)))
          assert.strictEqual(response.status, 503)
          assert.strictEqual(response.headers.get("retry-after"), "5")
        }
        assert.strictEqual((yield* Effect.promise(() => answer(write("Small.")))).status, 200)
      })
    )
  },
  {
    threads: Layer.succeed(
      Threads,
      Threads.ofPool({
        count: 1,
        run: () => Effect.fail(new StorageError({ reason: "busy", message: "Busy" }) as never)
      })
    )
  }
)

/** Texts that take a parser long, or much memory. */
const attacks: Readonly<Record<string, string>> = {
  "line breaks": "\n".repeat(4_190_000),
  paragraphs: "a\n\n".repeat(43_000),
  items: "- a\n\n\n".repeat(43_000),
  brackets: "[".repeat(2 * 1024 * 1024),
  "wide characters": "‹".repeat(2_700_000)
}

onMemory(
  "Hostile Markdown",
  (it) => {
    for (const [name, markdown] of Object.entries(attacks)) {
      it.effect(`is written or refused, while others are answered: ${name}`, () =>
        Effect.gen(function* () {
          const { call } = yield* Harness
          const space = yield* createSpace({ title: "Docs" })
          const { id } = yield* openChangeRequest(space.id)
          const attacked = { isDone: false }
          const attack = yield* Effect.forkChild(
            call("admin", "POST", `/v1/spaces/${space.id}/change-requests/${id}/content`, {
              changes: [{ operation: "insert_page", title: "Page", document: { markdown } }]
            }).pipe(Effect.ensuring(Effect.sync(() => (attacked.isDone = true))))
          )
          let answered = 0
          while (!attacked.isDone) {
            yield* call("admin", "GET", `/v1/spaces/${space.id}`).pipe(has(200))
            answered++
            yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
          }
          const { status } = yield* Fiber.join(attack)
          assert.include([200, 413], status)
          assert.isAbove(answered, 3)
        })
      )
    }
  },
  { threads: NodeThreads.layer({ count: 1, timeout: { seconds: 2 }, maxMemory: 256 }) }
)
