/** Edits of the live content that others overtake: each attempt begins with what is main by then. */
import { assert, describe, it } from "@effect/vitest"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { ContentOutdated, LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import type { RevisionRow } from "@lectern/core/content/revisions/Revision"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect } from "effect"
import { onEach } from "../../Adapters.ts"
import { adapters, organization } from "../../Instances.ts"

const edited = Effect.fnUntraced(function* (base: RevisionRow, name: string) {
  const draft = (yield* Objects).draft()
  const editor = ContentEditor.make(draft, base.content, yield* Timestamps.now)
  yield* editor.setVariable(name, "set")
  return { base, draft, content: yield* editor.finish }
})

/** Edits a new space, overtaken by other edits `times` times, and tells how often it was attempted. */
const overtaken = Effect.fnUntraced(function* (times: number) {
  const edits = yield* LiveEdits
  const { id } = yield* (yield* Spaces).create(yield* organization, { title: "Docs" })
  let attempts = 0
  const done = yield* Effect.result(
    edits.retry(
      id,
      Effect.fnUntraced(function* (base) {
        const edit = yield* edited(base, "mine")
        if (attempts++ < times) yield* edits.commit(yield* edited(base, `theirs${attempts}`))
        return yield* edits.commit(edit)
      })
    )
  )
  return { done, attempts, main: yield* edits.begin(id) }
})

for (const [name, adapter] of onEach(adapters)) {
  describe(`LiveEdits over ${name}`, () => {
    it.effect("is made on top of the edits that came between", () =>
      Effect.gen(function* () {
        const { done, attempts, main } = yield* overtaken(4)
        assert(done._tag === "Success")
        assert.strictEqual(attempts, 5)
        assert.strictEqual(done.success.id, main.id)
        const variables = yield* ContentReader.make(yield* Objects, main.content).variables
        assert.deepStrictEqual(Object.keys(variables).sort(), ["mine", "theirs1", "theirs2", "theirs3", "theirs4"])
      }).pipe(Effect.provide(adapter))
    )

    it.effect("gives up after 5 attempts, and says so", () =>
      Effect.gen(function* () {
        const { done, attempts } = yield* overtaken(5)
        assert.strictEqual(attempts, 5)
        assert(done._tag === "Failure")
        assert.instanceOf(done.failure, ContentOutdated)
      }).pipe(Effect.provide(adapter))
    )
  })
}
