import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { ChangeRequestTable } from "@lectern/core/change-request/ChangeRequest"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { ChangeRequestStore, stale } from "@lectern/core/change-request/store/ChangeRequestStore"
import { RevisionTable } from "@lectern/core/content/revisions/Revision"
import { Events } from "@lectern/core/event/Events"
import { EventId } from "@lectern/core/event/EventKind"
import { JobTable } from "@lectern/core/job/Job"
import { Jobs } from "@lectern/core/job/Jobs"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, type Scope } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { actor, adapters, organization, type Services } from "../Instances.ts"

/** A space with a change request that was merged and one that is open. */
const written = Effect.gen(function* () {
  const here = yield* organization
  const changeRequests = yield* ChangeRequests
  const contents = yield* ChangeRequestContents
  const { id } = yield* (yield* Spaces).create(here, {})
  for (const title of ["One", "Two"]) {
    const request = yield* changeRequests.create(id, {})
    yield* contents.write(id, request.id, [{ operation: "insert_page", title }])
    if (title === "One") yield* contents.merge(id, request.id)
  }
  return id
})

const rowsOf = Effect.fnUntraced(function* (space: SpaceId) {
  const storage = yield* Storage
  const counts = [
    yield* storage.repository(ChangeRequestTable).count({ space }),
    yield* storage.repository(RevisionTable).count({ space }),
    yield* storage.repository(SpaceTable).count({ id: space })
  ]
  return counts.reduce((sum, count) => sum + count, 0)
})

const toldOf = Effect.map(
  Events.use((events) => events.read({ after: EventId.make("") })),
  ({ events }) => events.filter(({ type }) => type.startsWith("space_")).map(({ type }) => type)
)

for (const [name, services] of onEach(adapters)) {
  describe(`SpaceRemoval (${name})`, () => {
    const test = (title: string, body: () => Effect.Effect<void, unknown, Services | Scope.Scope>) =>
      it.effect(title, () => Effect.provide(body(), Layer.fresh(services)))

    test("takes everything that belongs to the space, 7 days after it was put in the trash", () =>
      Effect.gen(function* () {
        const worker = yield* JobWorker
        const spaces = yield* Spaces
        const id = yield* written
        const copy = yield* spaces.duplicate(id)
        const before = yield* rowsOf(copy.id)
        yield* spaces.remove(id)
        yield* TestClock.adjust("7 days")
        yield* TestClock.adjust(-1)
        yield* worker.runDue
        assert.isAbove(yield* rowsOf(id), 5)
        yield* TestClock.adjust(1)
        yield* worker.runDue
        assert.strictEqual(yield* rowsOf(id), 0)
        assert.strictEqual((yield* Effect.flip(spaces.get(id)))._tag, "SpaceNotFound")
        assert.strictEqual(yield* rowsOf(copy.id), before)
        assert.deepStrictEqual(yield* toldOf, [
          "space_created",
          "space_content_updated",
          "space_duplicated",
          "space_deleted",
          "space_removed"
        ])
      }))

    test("comes late rather than never", () =>
      Effect.gen(function* () {
        const id = yield* written
        yield* (yield* Spaces).remove(id)
        yield* TestClock.adjust("300 days")
        yield* (yield* JobWorker).runDue
        assert.strictEqual(yield* rowsOf(id), 0)
      }))

    test("leaves alone what was restored at the last moment", () =>
      Effect.gen(function* () {
        const spaces = yield* Spaces
        const id = yield* written
        yield* spaces.remove(id)
        yield* TestClock.adjust("7 days")
        yield* TestClock.adjust(-1)
        yield* spaces.restore(id)
        const before = yield* rowsOf(id)
        yield* TestClock.adjust("1 day")
        yield* (yield* JobWorker).runDue
        assert.strictEqual(yield* rowsOf(id), before)
        assert.strictEqual((yield* spaces.get(id)).id, id)
      }))

    test("counts anew what was put in the trash again", () =>
      Effect.gen(function* () {
        const spaces = yield* Spaces
        const worker = yield* JobWorker
        const id = yield* written
        yield* spaces.remove(id)
        yield* TestClock.adjust("6 days")
        yield* spaces.restore(id)
        yield* spaces.remove(id)
        yield* TestClock.adjust("6 days")
        yield* worker.runDue
        assert.isAbove(yield* rowsOf(id), 0)
        yield* TestClock.adjust("1 day")
        yield* worker.runDue
        assert.strictEqual(yield* rowsOf(id), 0)
      }))

    test("lets nobody take back what is half gone, even where the clock was set back", () =>
      Effect.gen(function* () {
        const spaces = yield* Spaces
        const id = yield* written
        yield* spaces.remove(id)
        yield* TestClock.adjust("1 hour")
        yield* (yield* Storage).repository(SpaceTable).update({ id }, { removing: true })
        assert.strictEqual((yield* Effect.flip(spaces.restore(id)))._tag, "SpaceNotFound")
        assert.strictEqual((yield* Effect.flip(spaces.get(id)))._tag, "SpaceNotFound")
      }))

    test("refuses what was computed before the space was removed and commits afterwards", () =>
      Effect.gen(function* () {
        const spaces = yield* Spaces
        const id = yield* written
        const store = yield* ChangeRequestStore
        const opened = yield* store.open(id, "2", { type: "edit" })
        yield* spaces.remove(id)
        const commit = store.commit(opened, () => Effect.die("must not be written"))
        assert.strictEqual(yield* commit, stale)
        yield* TestClock.adjust("7 days")
        yield* (yield* JobWorker).runDue
        assert.strictEqual(yield* commit, stale)
        assert.strictEqual(yield* rowsOf(id), 0)
      }))
  })
}

describe("SpaceRemoval", () => {
  it.effect("goes on wherever it was interrupted", () =>
    Effect.gen(function* () {
      let left = Infinity
      const failing = MemoryStorage.layerWith({
        onCommit: () => {
          if (--left < 0) throw new StorageError({ reason: "unavailable", message: "The store is gone" })
        }
      })
      const services = Lectern.layer().pipe(Layer.provideMerge(failing), Layer.merge(actor))
      let finishedAt = 0
      yield* Effect.gen(function* () {
        const worker = yield* JobWorker
        const jobs = yield* Jobs
        for (let commits = 0; finishedAt === 0; commits++) {
          const id = yield* written
          yield* (yield* Spaces).remove(id)
          yield* TestClock.adjust("7 days")
          // As if the process were killed after so many commits of the run, at every one in turn.
          left = commits
          const exit = yield* Effect.exit(worker.runDue)
          const interrupted = (yield* rowsOf(id)) > 0
          left = Infinity
          if (!interrupted && exit._tag === "Success" && (yield* jobs.list({ status: "running" })).length === 0) {
            finishedAt = commits
          }
          yield* TestClock.adjust("2 hours")
          yield* worker.runDue
          yield* TestClock.adjust("2 hours")
          yield* worker.runDue
          assert.strictEqual(yield* rowsOf(id), 0, `after ${commits} commits`)
          const storage = yield* Storage
          assert.strictEqual(yield* storage.repository(JobTable).count({ status: "failed" }), 0)
          const told = (yield* (yield* Events).read({ after: EventId.make(""), types: ["space_removed"] })).events
          assert.strictEqual(told.filter((event) => "space" in event && event.space === id).length, 1)
        }
      }).pipe(Effect.provide(services))
      // The claim, the mark, one for each kind of belongings and the end: fewer would prove nothing.
      assert.isAbove(finishedAt, 5)
    })
  )
})
