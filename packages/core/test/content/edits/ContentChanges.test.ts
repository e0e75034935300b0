import { assert, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { describe } from "vitest"
import * as Content from "@lectern/core/content/Content"
import type { BatchEnv } from "@lectern/core/content/edits/ContentBatch"
import { ContentChangeBatch, type ContentChange } from "@lectern/core/content/edits/ContentChange"
import * as ContentChanges from "@lectern/core/content/edits/ContentChanges"
import * as ContentReader from "@lectern/core/content/ContentReader"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { BlobHash } from "@lectern/core/storage/BlobStore"
import { document, documentOf, paragraph } from "../Documents.ts"
import { layer } from "../store/MemoryObjects.ts"

const setup = Effect.gen(function* () {
  const draft: ObjectDraft = (yield* Objects).draft()
  const blobs: Array<Uint8Array> = []
  const revisions = new Map<string | undefined, Content.Content>()
  let ids = 0
  let time = 0
  const env = (): BatchEnv => ({
    now: Timestamps.at(++time * 1000),
    nextId: Effect.sync(() => `id${++ids}`),
    nextKey: () => `key${++ids}`,
    putBlob: (bytes) => Effect.sync(() => `blob${blobs.push(bytes)}` as BlobHash),
    contentOf: (revision) => Effect.succeed(revisions.get(revision))
  })
  return {
    draft,
    blobs,
    revisions,
    reader: (content: Content.Content) => ContentReader.make(draft, content),
    apply: (content: Content.Content, ...changes: ReadonlyArray<ContentChange>) =>
      ContentChanges.apply(draft, content, changes, env())
  }
})

const titles = (nodes: ReadonlyArray<PageTree.PageNode>): ReadonlyArray<unknown> =>
  nodes.map(({ page, pages }) => (pages.length === 0 ? page.title : [page.title, ...titles(pages)]))

const insert = (ref: string, rest: Partial<(typeof ContentChangeBatch.Type.changes)[number]> = {}) =>
  ({ operation: "insert_page", ref, title: ref, ...rest }) as ContentChange

const failure = (result: Result.Result<unknown, unknown>) => {
  assert.isTrue(Result.isFailure(result))
  return Result.isFailure(result)
    ? (result.failure as { readonly _tag: string; readonly path?: string; readonly issues?: ReadonlyArray<unknown> })
    : undefined!
}

describe("ContentChanges", () => {
  it.effect("makes a line of a title that a text has on several", () =>
    Effect.gen(function* () {
      const { apply, reader } = yield* setup
      const written = (document: object) => ({ operation: "insert_page", document }) as ContentChange
      const heading = {
        object: "block",
        type: "heading-1",
        nodes: [{ object: "text", leaves: [{ object: "leaf", text: " a\tb\n" }] }]
      }
      for (const [document, expected] of [
        [{ markdown: '---\ntitle: "Two\\nlines "\n---\n\nText' }, "Two lines"],
        [{ markdown: "A long\nheading\n===\n\nText" }, "A long heading"],
        [{ document: { object: "document", nodes: [heading] } }, "a b"]
      ] as const) {
        const { content } = yield* apply(Content.empty, written(document))
        assert.deepStrictEqual(titles(yield* PageTree.tree(reader(content))), [expected])
      }
    }).pipe(Effect.provide(layer()))
  )

  it.effect("builds a tree with names that are good in the batch", () =>
    Effect.gen(function* () {
      const { apply, reader } = yield* setup
      const applied = yield* apply(
        Content.empty,
        insert("intro", {
          document: { markdown: "See [next](/pages/next#part), [top](./intro.md), [doc](/files/plan)\n" }
        }),
        insert("group", { type: "group", at: 0 }),
        insert("next", { into: "group", document: { markdown: "# Next page\n\nText\n" }, title: undefined as never }),
        insert("out", { type: "link", into: "group", target: { kind: "url", url: "https://a.b" } }),
        { operation: "insert_files", files: [{ name: "plan.txt", ref: "plan", base64: Base64.encode("plan") }] },
        { operation: "update_page", page: "next", emoji: "🎈", at: 1 }
      )
      const content = reader(applied.content)
      assert.deepStrictEqual(titles(yield* PageTree.tree(content)), [["group", "out", "Next page"], "intro"])
      assert.deepStrictEqual(
        applied.changes.map((change) => [change.object, "ref" in change ? change.ref : undefined]),
        ["intro", "group", "next", "out"].map((ref) => ["created_page", ref])
      )
      const [intro, , next] = applied.changes
      const text = JSON.stringify(yield* documentOf(content, (yield* content.page(intro!.page))!.document))
      assert.include(text, JSON.stringify({ kind: "anchor", page: next!.page, anchor: "part" }).slice(1, -1))
      assert.include(text, `"page":"${intro!.page}"`)
      assert.include(text, `"file":"${applied.insertedFiles[0]!.file}"`)
      assert.deepStrictEqual(yield* content.file(applied.insertedFiles[0]!.file), {
        id: applied.insertedFiles[0]!.file,
        name: "plan.txt",
        contentType: "text/plain",
        size: 4,
        blob: "blob1" as BlobHash
      })
    }).pipe(Effect.provide(layer()))
  )

  it.effect("leaves a page untouched where nothing changes, and keeps the keys of what stays", () =>
    Effect.gen(function* () {
      const { apply, reader } = yield* setup
      const first = yield* apply(Content.empty, insert("a", { document: { markdown: "One\n\nTwo\n" }, hidden: true }))
      const { page } = first.changes[0]!
      const same = yield* apply(first.content, {
        operation: "update_page",
        page,
        title: "a",
        icon: "",
        condition: null,
        hidden: true,
        into: null,
        at: 0,
        document: { markdown: "One\n\nTwo\n" }
      })
      assert.deepStrictEqual(same.content, first.content)
      const keysOf = Effect.fnUntraced(function* (content: Content.Content) {
        const entry = yield* reader(content).page(page)
        return (yield* documentOf(reader(content), entry!.document)).nodes.map(({ key }) => key)
      })
      const edited = yield* apply(same.content, {
        operation: "update_page",
        page,
        hidden: false,
        document: { markdown: "One\n\nTwo and more\n" }
      })
      assert.deepStrictEqual(yield* keysOf(edited.content), yield* keysOf(first.content))
      assert.isFalse("hidden" in (yield* reader(edited.content).page(page))!)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("reads front matter before the fields beside it, and keeps what it does not understand", () =>
    Effect.gen(function* () {
      const { apply, reader } = yield* setup
      const markdown = "---\ntitle: Front\nicon: bolt\nhidden: 7\nowner: me\n---\n\n# Heading\n"
      const { content, changes } = yield* apply(
        Content.empty,
        insert("a", { document: { markdown }, description: "D" })
      )
      const page = (yield* reader(content).page(changes[0]!.page))!
      assert.deepInclude(page, { title: "Front", icon: "bolt", description: "D", frontMatter: "hidden: 7\nowner: me" })
      const cleared = yield* apply(content, {
        operation: "update_page",
        page: page.id,
        document: { markdown: "---\ndescription: New\n---\n" }
      })
      const after = (yield* reader(cleared.content).page(page.id))!
      assert.deepInclude(after, { title: "Front", icon: "bolt", description: "New" })
      assert.isFalse("frontMatter" in after)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("takes a document as JSON, with keys where they are missing", () =>
    Effect.gen(function* () {
      const { apply, reader } = yield* setup
      const { key: _, ...block } = paragraph("", "text")
      const json = { ...document(), nodes: [block] }
      const { content, changes } = yield* apply(Content.empty, insert("a", { document: { document: json } }))
      const stored = yield* documentOf(reader(content), (yield* reader(content).page(changes[0]!.page))!.document)
      assert.lengthOf(stored.nodes, 1)
      assert.isAbove(stored.nodes[0]!.key.length, 0)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("deletes with everything below, and tells each page once", () =>
    Effect.gen(function* () {
      const { apply, reader } = yield* setup
      const { content, changes } = yield* apply(Content.empty, insert("a"), insert("b", { into: "a" }), insert("c"))
      const [a, b, c] = changes.map(({ page }) => page)
      const applied = yield* apply(
        content,
        { operation: "update_page", page: c!, title: "C" },
        insert("d", { into: a! }),
        { operation: "delete_page", page: a! },
        { operation: "update_page", page: c!, title: "C again" }
      )
      assert.deepStrictEqual(applied.changes, [
        { object: "updated_page", page: c! },
        { object: "deleted_page", page: a! },
        { object: "deleted_page", page: b! }
      ])
      assert.strictEqual(yield* reader(applied.content).pageCount, 1)
    }).pipe(Effect.provide(layer()))
  )

  it.effect("takes a page back: added, deleted, changed, moved, or single blocks of it", () =>
    Effect.gen(function* () {
      const { apply, reader, revisions } = yield* setup
      const first = yield* apply(
        Content.empty,
        insert("a", { document: { markdown: "One\n\nTwo\n" } }),
        insert("b", { into: "a" })
      )
      const [a, b] = first.changes.map(({ page }) => page)
      revisions.set(undefined, first.content).set("r1", first.content)
      const second = yield* apply(
        first.content,
        {
          operation: "update_page",
          page: a!,
          title: "A",
          document: { markdown: "Zero\n\nOne changed\n\nTwo changed\n" }
        },
        { operation: "delete_page", page: b! },
        insert("n")
      )
      const added = second.changes.find((change) => change.object === "created_page")!.page
      const back = yield* apply(
        second.content,
        { operation: "revert_page", page: added },
        { operation: "revert_page", page: b!, revision: "r1" },
        { operation: "revert_page", page: a! }
      )
      assert.deepStrictEqual(back.content, first.content)
      const was = yield* documentOf(reader(first.content), (yield* reader(first.content).page(a!))!.document)
      const part = yield* apply(second.content, { operation: "revert_page", page: a!, block: [was.nodes[0]!.key] })
      const page = (yield* reader(part.content).page(a!))!
      const text = JSON.stringify(yield* documentOf(reader(part.content), page.document))
      assert.strictEqual(page.title, "A")
      for (const word of ['"Zero"', '"One"', '"Two changed"']) assert.include(text, word)
      const none = failure(
        yield* Effect.result(apply(second.content, { operation: "revert_page", page: a!, revision: "none" }))
      )
      assert.deepStrictEqual(none.issues, [
        { path: "body.changes[0].revision", message: "There is no such revision of this space to revert to" }
      ])
    }).pipe(Effect.provide(layer()))
  )

  it.effect("keeps the value of a variable of a page for its text in a response", () =>
    Effect.gen(function* () {
      const { apply, reader } = yield* setup
      const variables = { grams: 18, text: "5", isNew: true }
      const { changes, content } = yield* apply(Content.empty, insert("a", { variables } as never))
      const a = changes.find((change) => change.object === "created_page")?.page
      const next = { grams: "18", text: "5", isNew: "true", constructor: "1" }
      const second = yield* apply(content, { operation: "update_page", page: a!, variables: next })
      assert.deepStrictEqual((yield* reader(second.content).page(a!))!.variables, { ...variables, constructor: "1" })
      const third = yield* apply(content, { operation: "update_page", page: a!, variables: { grams: "19", text: 5 } })
      assert.deepStrictEqual((yield* reader(third.content).page(a!))!.variables, { grams: "19", text: 5 })
    }).pipe(Effect.provide(layer()))
  )

  it.effect("sets variables and reusable content", () =>
    Effect.gen(function* () {
      const { apply, reader } = yield* setup
      const first = yield* apply(
        Content.empty,
        { operation: "set_variables", variables: { a: "1", b: 2, c: true } },
        { operation: "upsert_reusable_content", title: "Note", ref: "note", document: { markdown: "Hi\n" } },
        { operation: "upsert_reusable_content", reusableContent: "note", title: "Note!" }
      )
      const { reusableContent } = first.reusableContents[0]!
      assert.deepInclude(yield* reader(first.content).reusableContent(reusableContent), { title: "Note!" })
      const second = yield* apply(first.content, { operation: "set_variables", variables: { a: null, b: 3, x: null } })
      assert.deepStrictEqual(yield* reader(second.content).variables, { b: 3, c: true })
      const same = yield* apply(
        first.content,
        { operation: "set_variables", variables: { a: "1" } },
        { operation: "upsert_reusable_content", reusableContent, document: { markdown: "Hi\n" } }
      )
      assert.deepStrictEqual(same.content, first.content)
    }).pipe(Effect.provide(layer()))
  )

  const wrong: ReadonlyArray<readonly [name: string, change: ContentChange, tag: string, path: string]> = [
    ["an unknown page", { operation: "update_page", page: "no" }, "ContentPageNotFound", ".page"],
    ["a page to delete that is not there", { operation: "delete_page", page: "no" }, "ContentPageNotFound", ".page"],
    ["an unknown parent", insert("x", { into: "no" }), "ContentPageNotFound", ".into"],
    ["a link as a parent", insert("x", { into: "link" }), "InvalidChange", ".into"],
    ["a slug that is taken", insert("x", { slug: "A" }), "SlugTaken", ".slug"],
    ["a cycle", { operation: "update_page", page: "a", into: "b" }, "PageCycle", ".into"],
    ["a name used twice", insert("a"), "InvalidChange", ".ref"],
    ["a link without a target", insert("x", { type: "link" }), "InvalidChange", ".target"],
    ["a target of a page", insert("x", { target: { kind: "url", url: "u" } }), "InvalidChange", ".target"],
    ["a document of a group", insert("x", { type: "group", document: {} }), "InvalidChange", ".document"],
    [
      "a document of a link",
      { operation: "update_page", page: "link", document: { markdown: "x" } },
      "InvalidChange",
      ".document"
    ],
    ["two documents", insert("x", { document: { markdown: "x", document: {} } }), "InvalidChange", ".document"],
    [
      "a URL",
      { operation: "insert_files", files: [{ name: "f", url: "https://a.b" }] },
      "InvalidChange",
      ".files[0].url"
    ],
    ["no bytes", { operation: "insert_files", files: [{ name: "f" }] }, "InvalidChange", ".files[0].base64"],
    [
      "no base64",
      { operation: "insert_files", files: [{ name: "f", base64: "§§§§" }] },
      "InvalidChange",
      ".files[0].base64"
    ],
    [
      "too many bytes",
      { operation: "insert_files", files: [{ name: "f", base64: Base64.encode(new Uint8Array(1024 * 1024 + 1)) }] },
      "InvalidChange",
      ".files[0].base64"
    ],
    ["a variable with no name", { operation: "set_variables", variables: { "": "x" } }, "InvalidChange", ".variables"],
    ["reusable content without a title", { operation: "upsert_reusable_content" }, "InvalidChange", ".title"],
    [
      "unknown reusable content",
      { operation: "upsert_reusable_content", reusableContent: "no", title: "x" },
      "InvalidChange",
      ".reusableContent"
    ]
  ]

  it.effect.each(wrong)("refuses %s and says where", ([, change, tag, path]) =>
    Effect.gen(function* () {
      const { apply } = yield* setup
      const error = failure(
        yield* Effect.result(
          apply(
            Content.empty,
            insert("a"),
            insert("b", { into: "a" }),
            insert("link", { type: "link", target: { kind: "url", url: "u" } }),
            change
          )
        )
      )
      assert.strictEqual(error._tag, tag)
      const where = error.path ?? (error.issues![0] as { readonly path: string }).path
      assert.strictEqual(where, `body.changes[3]${path}`)
      assert.isAbove((error as unknown as Error).message.length, 10)
    }).pipe(Effect.provide(layer()))
  )

  it("takes the batches that clients send, and no more than 50 changes", () => {
    const decode = Schema.decodeUnknownResult(ContentChangeBatch)
    const change = { operation: "insert_page", title: "New page", document: { markdown: "# New page" }, extra: 1 }
    assert.isTrue(Result.isSuccess(decode({ changes: [change] })))
    assert.isTrue(Result.isFailure(decode({ changes: [] })))
    assert.isTrue(Result.isFailure(decode({ changes: Array.from({ length: 51 }, () => change) })))
    assert.isTrue(Result.isFailure(decode({ changes: [{ operation: "unknown" }] })))
    assert.isTrue(Result.isFailure(decode({ changes: [{ ...change, slug: "a/b" }] })))
    assert.isTrue(Result.isFailure(decode({ changes: [{ ...change, document: { markdown: "\ud800" } }] })))
  })
})
