/**
 * Results computed in slices are those computed at once, and a computation that is stopped between two slices
 * has changed nothing.
 */
import { assert, describe, it } from "@effect/vitest"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import * as Content from "@lectern/core/content/Content"
import * as ContentDiff from "@lectern/core/content/ContentDiff"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import { collect } from "@lectern/core/content/store/GarbageCollection"
import { plainText } from "@lectern/document/DocumentText"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import { RevisionTable } from "@lectern/core/content/revisions/Revision"
import * as Trie from "@lectern/core/content/store/Trie"
import * as TrieDifferences from "@lectern/core/content/store/TrieDifferences"
import * as TrieUpdate from "@lectern/core/content/store/TrieUpdate"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { SpaceTable } from "@lectern/core/space/Space"
import { Searches } from "@lectern/core/search/Searches"
import { Spaces } from "@lectern/core/space/Spaces"
import { ObjectStore } from "@lectern/core/storage/ObjectStore"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect, Fiber, Scheduler } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adapters, organization, type Services } from "../Instances.ts"
import { runs } from "../Runs.ts"
import { countedTurns } from "../storage/CountedTurns.ts"
import { hastily } from "../storage/HastyClock.ts"
import { document, documentOf, paragraph } from "./Documents.ts"
import { layer } from "./store/MemoryObjects.ts"

const property = <A, R>(
  arbitrary: fc.Arbitrary<A>,
  check: (value: A) => Effect.Effect<void, unknown, R>,
  few: number
) =>
  Effect.gen(function* () {
    const context = yield* Effect.context<R>()
    yield* Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(arbitrary, (value) => Effect.runPromiseWith(context)(check(value))),
        runs(few)
      )
    )
  })

/** Both ways: at once (the test's clock stands still), and with a rest at every chance. */
const bothWays = <A, E, R>(compute: (draft: ObjectDraft) => Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const objects = yield* Objects
    return [yield* compute(objects.draft()), yield* hastily(compute(objects.draft()))] as const
  })

const key = fc.oneof(
  fc.nat(900).map((n) => `key${n}`),
  fc.tuple(fc.constantFrom("", "a", "b"), fc.nat(300)).map(([group, n]) => `${group}/${n}`)
)
const changes = fc.array(fc.tuple(key, fc.option(fc.nat(3), { nil: undefined, freq: 4 })), {
  maxLength: 400,
  size: "max"
})

/** An edit of a page; `which` counts the existing pages. */
const edit = fc.record({
  what: fc.constantFrom("insert", "insert", "insert", "retitle", "describe", "write", "move", "remove"),
  which: fc.nat(1000),
  into: fc.nat(1000),
  n: fc.nat(3)
})
const edits = fc.array(edit, { maxLength: 60, size: "max" })
type Edit = typeof edit extends fc.Arbitrary<infer A> ? A : never

const edited = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  content: Content.Content,
  side: string,
  steps: ReadonlyArray<Edit>
) {
  const editor = ContentEditor.make(draft, content, Timestamps.at(steps.length))
  for (const [i, { what, which, into, n }] of steps.entries()) {
    const all = (yield* editor.allPages).map(({ id }) => id as string).sort()
    const id = all[which % Math.max(all.length, 1)]
    const parent = into % 3 === 0 ? null : (all[into % Math.max(all.length, 1)] ?? null)
    const text = document(paragraph(`k${n}`, `${what} ${which}`), paragraph(`l${n}`, "and more"))
    if (what === "insert" || id === undefined) {
      // Several of a title, and several at one place, so that slugs and positions are mended.
      yield* Effect.ignore(editor.insertPage({ id: `${side}${i}`, title: `Title ${n}`, parent, at: n, document: text }))
    } else if (what === "retitle") yield* editor.updatePage(id, { title: `${side} ${n}` })
    else if (what === "describe") yield* editor.updatePage(id, { description: `${side} ${which}` })
    else if (what === "write") yield* editor.setDocument(id, text)
    else if (what === "move") yield* Effect.ignore(editor.movePage(id, { parent, at: n }))
    else yield* editor.removePage(id)
  }
  return yield* editor.finish
})

describe("content in slices", () => {
  it.effect("changes, reads and compares maps to the same effect", () =>
    property(
      fc.tuple(changes, changes),
      ([first, second]) =>
        Effect.gen(function* () {
          const [atOnce, inSlices] = yield* bothWays((draft) =>
            Effect.gen(function* () {
              const before = yield* TrieUpdate.update(draft, null, new Map(first))
              const after = yield* TrieUpdate.update(draft, before, new Map(second))
              return {
                before,
                after,
                written: draft.staged(),
                differences: yield* TrieDifferences.all(draft, before, after),
                entries: yield* Trie.entries(draft, after),
                some: yield* Trie.getMany(
                  draft,
                  after,
                  [...first, ...second].map(([name]) => name)
                ),
                groups: yield* Trie.entriesOfGroups(draft, after, ["", "a", "b", "c"])
              }
            })
          )
          assert.deepStrictEqual(inSlices, atOnce)
        }),
      30
    ).pipe(Effect.provide(layer()))
  )

  it.effect("edits, merges and compares contents to the same effect", () =>
    property(
      fc.tuple(edits, edits, edits),
      ([before, theirs, own]) =>
        Effect.gen(function* () {
          const [atOnce, inSlices] = yield* bothWays((draft) =>
            Effect.gen(function* () {
              const base = yield* edited(draft, Content.empty, "b", before)
              const main = yield* edited(draft, base, "m", theirs)
              const ours = yield* edited(draft, base, "o", own)
              const merged = yield* ContentMerge.merge(draft, { base, main, ours })
              return { base, main, ours, merged, changes: yield* ContentDiff.diff(draft, base, merged.content) }
            })
          )
          assert.deepStrictEqual(inSlices, atOnce)
        }),
      30
    ).pipe(Effect.provide(layer()))
  )
})

const pageCount = 200

/** A content with more new objects than one transaction takes along. */
const large = Effect.fnUntraced(function* (from: Content.Content, draft: ObjectDraft, text: string) {
  const editor = ContentEditor.make(draft, from, Timestamps.at(0))
  for (let i = 0; i < pageCount; i++) {
    const id = `page${i}`
    const body = document(paragraph("k", `${text} ${i}`), paragraph("l", "The end"))
    if ((yield* editor.page(id)) === undefined) yield* editor.insertPage({ id, title: `Page ${i}`, document: body })
    else yield* editor.replaceDocument(id, body)
    yield* editor.putFile({ id: `f${i}`, name: `${text}${i}`, contentType: "text/plain", size: 0, blob: "x" } as never)
  }
  return yield* editor.finish
})

/** Lets it go on until something holds, looking at every turn of the event loop, and stops it where it is. */
const stoppedOnce = <A, E, R, R2>(effect: Effect.Effect<A, E, R>, isTime: Effect.Effect<boolean, unknown, R2>) =>
  Effect.gen(function* () {
    const fiber = yield* Effect.forkChild(hastily(effect))
    while (fiber.pollUnsafe() === undefined && !(yield* isTime)) yield* Effect.yieldNow
    yield* Fiber.interrupt(fiber)
  })

for (const [name, adapter] of onEach(adapters)) {
  describe(`what is stopped halfway (${name})`, () => {
    const state = Effect.gen(function* () {
      const storage = yield* Storage
      return {
        spaces: yield* storage.repository(SpaceTable).list({ where: {} }),
        revisions: yield* storage.repository(RevisionTable).list({ where: {} })
      }
    })
    const objectCount = Effect.map(
      Effect.flatMap(ObjectStore, (store) => store.list({ limit: 100_000 })),
      (all) => all.length
    )
    /** Sweeps as if a day had passed for everything that was stored before. */
    const sweep = Effect.andThen(TestClock.adjust("25 hours"), collect())

    /** Tries the change again and again, stopped ever later: by turns, then by what is stored ahead. */
    const attempts = (change: Effect.Effect<unknown, unknown, Services>) =>
      Effect.gen(function* () {
        yield* sweep
        const before = yield* state
        const objects = yield* objectCount
        const attempt = Effect.fnUntraced(function* (isTime: Effect.Effect<boolean, unknown, Services>) {
          yield* stoppedOnce(change, isTime)
          assert.deepStrictEqual(yield* state, before)
          const left = (yield* objectCount) - objects
          // What was stored ahead is garbage, and goes as such.
          yield* sweep
          assert.strictEqual(yield* objectCount, objects)
          assert.deepStrictEqual(yield* state, before)
          return left
        })
        for (const turns of [0, 1, 2, 10, 100, 300]) {
          let turn = 0
          assert.strictEqual(yield* attempt(Effect.sync(() => turn++ >= turns)), 0)
        }
        const isStored = Effect.map(objectCount, (count) => count > objects)
        assert.isAbove(yield* attempt(isStored), 0)
      })

    it.effect("a large edit leaves nothing, and is whole once it is not stopped", () =>
      Effect.gen(function* () {
        const { id: space } = yield* (yield* Spaces).create(yield* organization, {})
        const liveEdits = yield* LiveEdits
        const objects = yield* Objects
        const change = (text: string) =>
          Effect.gen(function* () {
            const base = yield* liveEdits.begin(space)
            const draft = objects.draft()
            return yield* liveEdits.commit({ base, draft, content: yield* large(base.content, draft, text) })
          })
        yield* attempts(change("one"))
        const { content } = yield* hastily(change("two"))
        const reader = ContentReader.make(objects, content)
        assert.lengthOf(yield* PageTree.tree(reader), pageCount)
        yield* sweep
        for (const page of yield* reader.allPages) yield* documentOf(reader, page.document)
      }).pipe(Effect.provide(adapter))
    )

    it.effect("a small merge and a search let nobody go before them", () =>
      Effect.gen(function* () {
        const { id: space } = yield* (yield* Spaces).create(yield* organization, {})
        const contents = yield* ChangeRequestContents
        const { id } = yield* (yield* ChangeRequests).create(space, {})
        const insert = (n: number) => ({
          operation: "insert_page" as const,
          title: `Page ${n}`,
          document: { markdown: `Text ${n}` }
        })
        yield* contents.write(
          space,
          id,
          Array.from({ length: 20 }, (_, n) => insert(n))
        )
        const turns = countedTurns()
        const merged = yield* Effect.provideService(contents.merge(space, id), Scheduler.Scheduler, turns)
        assert.strictEqual(merged.result, "merge")
        assert.strictEqual(turns.count, 0)
        const found = yield* Effect.provideService(
          (yield* Searches).space(space, "text", {}),
          Scheduler.Scheduler,
          turns
        )
        assert.lengthOf(found.items, 20)
        assert.strictEqual(turns.count, 0)
      }).pipe(Effect.provide(adapter))
    )

    it.effect("a large merge leaves nothing, and is whole once it is not stopped", () =>
      Effect.gen(function* () {
        const { id: space } = yield* (yield* Spaces).create(yield* organization, {})
        const liveEdits = yield* LiveEdits
        const objects = yield* Objects
        const contents = yield* ChangeRequestContents
        const edit = (text: string) =>
          Effect.gen(function* () {
            const base = yield* liveEdits.begin(space)
            const draft = objects.draft()
            yield* liveEdits.commit({ base, draft, content: yield* large(base.content, draft, text) })
          })
        yield* edit("base")
        const { id } = yield* (yield* ChangeRequests).create(space, {})
        for (let done = 0; done < pageCount; done += 50) {
          const batch = Array.from({ length: 50 }, (_, i) => ({
            operation: "update_page" as const,
            page: `page${done + i}`,
            document: { markdown: `base ${done + i}\n\nThe other end` }
          }))
          yield* contents.write(space, id, batch)
        }
        // Both have edited every document, so every one of them is merged.
        yield* edit("main")
        yield* attempts(contents.merge(space, id))
        yield* hastily(contents.merge(space, id))
        const { content } = yield* liveEdits.begin(space)
        const reader = ContentReader.make(objects, content)
        for (const page of yield* reader.allPages) {
          const { nodes } = yield* documentOf(reader, page.document)
          assert.deepStrictEqual(nodes.map(plainText), [`main ${page.id.slice(4)}`, "The other end"])
        }
      }).pipe(Effect.provide(adapter))
    )
  })
}
