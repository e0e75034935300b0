/** Messages of the commits that an export makes. */
import { JobWorker } from "@lectern/core/job/JobWorker"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { branch, remote } from "./BranchInMemory.ts"
import { Harness, has, onMemory } from "./Harness.ts"
import { insertPage, merge, openChangeRequest, publish, spaceWith, write } from "./Steps.ts"

const repository = { url: "https://example.com/docs.git", ref: "refs/heads/main" }

const merged = Effect.fnUntraced(function* (space: string, subject: string) {
  const { id } = yield* openChangeRequest(space, { subject })
  yield* write(space, id, [insertPage(subject, subject)])
  yield* merge(space, id)
})

/** The first lines of the commits that an export with this message makes, the newest last. */
const exported = Effect.fnUntraced(function* (space: string, commitMessage: string) {
  const { call } = yield* Harness
  const before = branch.commits.length
  yield* call("admin", "POST", `/v1/spaces/${space}/git/export`, { ...repository, commitMessage }).pipe(has(204))
  yield* (yield* JobWorker).runDue
  return branch.commits.slice(before).map(({ message }) => message.split("\n\nLectern-Revision: ")[0])
})

onMemory(
  "Messages of an export",
  (it) => {
    it.effect("are what was asked for, for the newest of its commits", () =>
      Effect.gen(function* () {
        const { space } = yield* spaceWith({ Home: "Welcome." })
        yield* merged(space, "First")
        assert.deepStrictEqual(yield* exported(space, "LECTERN-1: First\n\nOf the template"), [
          "LECTERN-1: First\n\nOf the template"
        ])
        yield* merged(space, "Second")
        assert.deepStrictEqual(yield* exported(space, "LECTERN-2: Second"), ["LECTERN-2: Second"])
        yield* merged(space, "Third")
        yield* publish(space, [insertPage("Between", "Between")])
        yield* merged(space, "Fourth")
        assert.deepStrictEqual(yield* exported(space, "LECTERN-5: Fourth"), [
          "Third",
          "LECTERN-5: Fourth",
          "LECTERN-5: Fourth"
        ])
        yield* merged(space, "Fifth")
        assert.deepStrictEqual(yield* exported(space, " "), ["Fifth"])
      })
    )
  },
  { gitRemote: remote }
)
