/** Tests pages that one side inserted among siblings that the other side reordered. */
import { assert, it } from "@effect/vitest"
import * as Content from "@lectern/core/content/Content"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { Objects } from "@lectern/core/content/store/Objects"
import { Effect } from "effect"
import * as fc from "fast-check"
import { describe } from "vitest"
import { runs } from "../../Runs.ts"
import { edited, type Edits } from "./Merges.ts"
import { layer } from "../store/MemoryObjects.ts"

/** Puts the child pages of a parent into an order. */
const reorder =
  (parent: string | null, order: ReadonlyArray<string>): Edits =>
  (editor) =>
    Effect.forEach(order, (id, at) => editor.movePage(id, { parent, at }))

interface Inserted {
  readonly id: string
  readonly at: number
}

const insert =
  (parent: string | null, pages: ReadonlyArray<Inserted>): Edits =>
  (editor) =>
    Effect.forEach(pages, ({ id, at }) => editor.insertPage({ id, title: id, at, parent }))

const idsIn = (draft: Parameters<typeof ContentReader.make>[0], content: Content.Content, parent: string | null) =>
  Effect.map(ContentReader.make(draft, content).children(parent), (children) => children.map(({ id }) => String(id)))

interface Case {
  readonly base: ReadonlyArray<string>
  readonly order: ReadonlyArray<string>
  readonly at: ReadonlyArray<number>
  readonly isNested: boolean
  readonly isMain: boolean
}

const cases: fc.Arbitrary<Case> = fc.integer({ min: 1, max: 8 }).chain((size) => {
  const base = Array.from({ length: size }, (_, i) => `p${i}`)
  return fc.record({
    base: fc.constant(base),
    order: fc.oneof(fc.constant(base.toReversed()), fc.shuffledSubarray(base, { minLength: size, maxLength: size })),
    at: fc.array(fc.nat(size), { minLength: 1, maxLength: 3 }),
    isNested: fc.boolean(),
    isMain: fc.boolean()
  })
})

const check = Effect.fnUntraced(function* ({ base, order, at, isNested, isMain }: Case) {
  const draft = (yield* Objects).draft()
  const parent = isNested ? "parent" : null
  const start = yield* edited(draft, Content.empty, (editor) =>
    Effect.gen(function* () {
      if (isNested) yield* editor.insertPage({ id: "parent", title: "Parent" })
      for (const id of base) yield* editor.insertPage({ id, title: id, ...(isNested && { parent: "parent" }) })
    })
  )
  const inserting = yield* edited(
    draft,
    start,
    insert(
      parent,
      at.map((place, i) => ({ id: `x${i}`, at: place }))
    )
  )
  const reordering = yield* edited(draft, start, reorder(parent, order))
  const sides = isMain ? { main: inserting, ours: reordering } : { main: reordering, ours: inserting }
  const { content, conflicts } = yield* ContentMerge.merge(draft, { base: start, ...sides })
  assert.deepStrictEqual(conflicts, [])
  const [merged, before] = [yield* idsIn(draft, content, parent), yield* idsIn(draft, inserting, parent)]
  const behind = (ids: ReadonlyArray<string>, id: string) => ids[ids.indexOf(id) - 1]
  assert.deepStrictEqual(
    merged.filter((id) => base.includes(id)),
    order
  )
  const appended = before.slice(before.findLastIndex((id) => base.includes(id)) + 1)
  const areLast = merged.slice(merged.length - appended.length).join() === appended.join()
  for (const id of before) {
    if (base.includes(id) || (id === appended[0] && areLast)) continue
    assert.strictEqual(behind(merged, id), behind(before, id), String(merged))
  }
})

describe("Pages that one side inserted", () => {
  it.effect("stand behind the page that they were inserted behind, however the other side ordered the rest", () =>
    Effect.gen(function* () {
      const services = yield* Effect.context<Objects>()
      yield* Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(cases, (one) => Effect.runPromiseWith(services)(check(one))),
          runs(60)
        )
      )
    }).pipe(Effect.provide(layer()))
  )
})
