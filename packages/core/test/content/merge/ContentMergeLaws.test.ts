import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import * as Content from "@lectern/core/content/Content"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as Conflict from "@lectern/core/content/merge/Conflict"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import { layer } from "../store/MemoryObjects.ts"
import * as RandomEdits from "./RandomEdits.ts"
import { allHold, type Laws } from "../../Laws.ts"
import { runs } from "../../Runs.ts"
import { documentOf } from "../Documents.ts"

interface Case {
  readonly draft: ObjectDraft
  readonly base: Content.Content
  readonly one: Content.Content
  readonly two: Content.Content
  readonly merged: ContentMerge.Merged
}

/** Every word that was written into a content. */
const wordsOf = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content.Content) {
  const reader = ContentReader.make(draft, content)
  const pages = yield* reader.allPages
  const texts: Array<unknown> = [
    pages.map(({ title }) => title),
    (yield* reader.files).map(({ name }) => name),
    (yield* reader.reusableContents).map(({ title }) => title),
    yield* reader.variables
  ]
  for (const page of pages) texts.push(yield* documentOf(reader, page.document))
  return wordsIn(texts)
})

const wordsIn = (value: unknown) => new Set(JSON.stringify(value).match(/\w+word\d+x/g))

const recordedWords = Effect.fnUntraced(function* (draft: ObjectDraft, conflicts: ReadonlyArray<Conflict.Conflict>) {
  const documents = yield* draft.readAll(conflicts.flatMap(Conflict.objectsOf))
  return wordsIn([conflicts, documents])
})

const checkTree = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content.Content) {
  const reader = ContentReader.make(draft, content)
  const pages = yield* reader.allPages
  const reached: Array<string> = []
  const pending = (yield* PageTree.nest(pages)).map((node) => ({ node, depth: 0 }))
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, depth } = next
    reached.push(node.page.id)
    assert.isAtMost(depth, PageTree.maxDepth)
    pending.push(...node.pages.map((node) => ({ node, depth: depth + 1 })))
  }
  assert.sameMembers(
    reached,
    pages.map(({ id }) => id)
  )
  const known = new Set<string | null>([null, ...pages.map(({ id }) => id)])
  assert.isTrue(pages.every(({ parent }) => known.has(parent)))
  for (const parent of known) {
    const children = yield* reader.children(parent)
    const positions = children.map(({ position }) => position)
    assert.deepStrictEqual(positions, Array.from(new Set(positions)).sort())
    const expected = pages.filter((page) => page.parent === parent).sort(ContentReader.byPosition)
    assert.deepStrictEqual(
      children.map(({ id, position }) => ({ id, position })),
      expected.map(({ id, position }) => ({ id, position }))
    )
    for (const page of expected) assert.strictEqual(yield* reader.child(parent, page.slug), page.id)
  }
})

const laws: Laws<Case, Effect.Effect<void, unknown>> = {
  "what both did is done once, and what one did is done": ({ draft, base, one, two }) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ContentMerge.merge(draft, { base, main: one, ours: one }), {
        content: one,
        conflicts: []
      })
      assert.deepStrictEqual(yield* ContentMerge.merge(draft, { base, main: base, ours: two }), {
        content: two,
        conflicts: []
      })
      assert.deepStrictEqual(yield* ContentMerge.merge(draft, { base, main: one, ours: base }), {
        content: one,
        conflicts: []
      })
    }),

  "no word is lost that its own side did not remove": ({ draft, base, one, two, merged }) =>
    Effect.gen(function* () {
      const kept = new Set([
        ...(yield* wordsOf(draft, merged.content)),
        ...(yield* recordedWords(draft, merged.conflicts))
      ])
      const [before, left, right] = [
        yield* wordsOf(draft, base),
        yield* wordsOf(draft, one),
        yield* wordsOf(draft, two)
      ]
      for (const word of [...left, ...right]) {
        if (before.has(word) && !(left.has(word) && right.has(word))) continue
        assert.isTrue(kept.has(word), `${word} is lost`)
      }
    }),

  "the tree is a tree": ({ draft, merged }) => checkTree(draft, merged.content),

  "which pages there are does not depend on which side is main": ({ draft, base, one, two, merged }) =>
    Effect.gen(function* () {
      const ids = (content: Content.Content) =>
        Effect.map(ContentReader.make(draft, content).allPages, (pages) => pages.map(({ id }) => id))
      const swapped = yield* ContentMerge.merge(draft, { base, main: two, ours: one })
      assert.deepStrictEqual(yield* ids(merged.content), yield* ids(swapped.content))
    }),

  "every conflict can be settled, and what is left is a tree": ({ draft, merged }) =>
    Effect.gen(function* () {
      for (const keep of ["main", "ours"] as const) {
        let { content } = merged
        let n = 0
        for (const conflict of merged.conflicts) {
          const resolve = (side: "main" | "ours") =>
            ContentMerge.resolve(draft, content, conflict, side, () => `fresh${n++}`)
          // A place or slug that is no longer free is refused: then the other side's is there already.
          content = yield* Effect.catchTag(resolve(keep), "ConflictRefused", () =>
            resolve(keep === "main" ? "ours" : "main")
          )
        }
        yield* checkTree(draft, content)
      }
    })
}

describe("ContentMerge laws", () => {
  it.effect("hold", () =>
    Effect.gen(function* () {
      const objects = yield* Objects
      const context = yield* Effect.context<Objects>()
      const property = fc.asyncProperty(
        RandomEdits.beginning,
        RandomEdits.edits,
        RandomEdits.edits,
        (start, left, right) =>
          Effect.gen(function* () {
            const draft = objects.draft()
            const base = yield* RandomEdits.apply(draft, Content.empty, start, "base")
            const one = yield* RandomEdits.apply(draft, base, left, "one")
            const two = yield* RandomEdits.apply(draft, base, right, "second")
            const merged = yield* ContentMerge.merge(draft, { base, main: one, ours: two })
            yield* allHold(laws, { draft, base, one, two, merged })
          }).pipe(Effect.runPromiseWith(context))
      )
      yield* Effect.promise(() => fc.assert(property, runs(300, 5_000)))
    }).pipe(Effect.provide(layer()))
  )
})
