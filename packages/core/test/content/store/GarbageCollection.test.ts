import { assert, describe, it } from "@effect/vitest"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import * as ContentReader from "@lectern/core/content/ContentReader"
import { collect } from "@lectern/core/content/store/GarbageCollection"
import * as Folder from "@lectern/exchange/import/Folder"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import type { Document } from "@lectern/document/Document"
import * as Conflict from "@lectern/core/content/merge/Conflict"
import { ObjectCacheBytes, Objects } from "@lectern/core/content/store/Objects"
import * as RowReferences from "@lectern/core/content/store/RowReferences"
import { RevisionTable } from "@lectern/core/content/revisions/Revision"
import { ChangeRequestTable } from "@lectern/core/change-request/ChangeRequest"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { ObjectStore } from "@lectern/core/storage/ObjectStore"
import { Storage } from "@lectern/core/storage/Storage"
import { Effect, Fiber, Layer } from "effect"
import * as fc from "fast-check"
import { TestClock } from "effect/testing"
import { onEach } from "../../Adapters.ts"
import { adapters } from "../../../../exchange/test/Instances.ts"
import { organization } from "../../Instances.ts"
import { runs } from "../../Runs.ts"

/** Reads everything that any row refers to, past every cache. */
const readEverything = Effect.gen(function* () {
  const storage = yield* Storage
  const blobs = yield* BlobStore
  const objects = yield* Objects
  for (const revision of yield* storage.repository(RevisionTable).list({ where: {} })) {
    const reader = ContentReader.make(objects, revision.content)
    for (const page of yield* reader.allPages) {
      yield* reader.document(page.document)
      yield* reader.child(page.parent, page.slug)
      if (page.source !== undefined) yield* reader.source(page.source)
    }
    for (const file of yield* reader.files) assert.isDefined(yield* blobs.get(file.blob), "the bytes of a file")
    for (const entry of yield* reader.reusableContents) {
      yield* reader.document(entry.document)
      if (entry.source !== undefined) yield* reader.source(entry.source)
    }
    yield* reader.variables
    if (revision.conflicts === undefined) continue
    for (const conflict of yield* objects.read<ReadonlyArray<Conflict.Conflict>>(revision.conflicts)) {
      yield* objects.readAll(Conflict.objectsOf(conflict))
      for (const blob of Conflict.blobsOf(conflict)) assert.isDefined(yield* blobs.get(blob), "the bytes in a conflict")
    }
  }
  for (const { description } of yield* storage.repository(ChangeRequestTable).list({ where: {} })) {
    if (description !== undefined) yield* objects.read<Document>(description)
  }
}).pipe(Effect.provide(Layer.fresh(Objects.layer).pipe(Layer.provide(Layer.succeed(ObjectCacheBytes, 0)))))

const stored = Effect.gen(function* () {
  const objects = yield* (yield* ObjectStore).list({ limit: 100_000 })
  const blobs = yield* (yield* BlobStore).list({ limit: 100_000 })
  return objects.length + blobs.length
})

const slices = { rows: 1, hashes: 2 }

const step = fc.record({
  what: fc.constantFrom(
    "create",
    "edit",
    "edit",
    "edit",
    "edit",
    "live",
    "import",
    "open",
    "describe",
    "update",
    "merge",
    "merge",
    "resolve",
    "duplicate",
    "remove",
    "restore",
    "wait",
    "wait",
    "wait",
    "work",
    "sweep",
    "sweep"
  ),
  which: fc.nat(7),
  n: fc.nat(5),
  hours: fc.constantFrom(1, 6, 12, 23, 24, 25, 48, 24 * 6, 24 * 7, 24 * 8)
})
type Step = typeof step extends fc.Arbitrary<infer A> ? A : never

const changesOf = (which: number, n: number): ReadonlyArray<ContentChange> => [
  { operation: "insert_page", title: `Page ${n}`, document: { markdown: `Text ${which} of ${n}\n\nMore ${n}` } },
  ...(n % 2 === 0
    ? ([{ operation: "insert_files", files: [{ name: `f${n}.txt`, base64: btoa(`bytes ${which} ${n}`) }] }] as const)
    : []),
  ...(n % 3 === 0
    ? ([
        { operation: "upsert_reusable_content", title: `Reusable ${n}`, document: { markdown: `Shared ${which}` } }
      ] as const)
    : []),
  { operation: "set_variables", variables: { [`v${n}`]: which } }
]

/** Does the steps one after another; what is not allowed where it comes is left out. */
const play = Effect.fnUntraced(function* (steps: ReadonlyArray<Step>) {
  const spaces = yield* Spaces
  const changeRequests = yield* ChangeRequests
  const contents = yield* ChangeRequestContents
  const edits = yield* LiveEdits
  const imports = yield* FolderImports
  const objects = yield* Objects
  const worker = yield* JobWorker
  const here = yield* organization
  const made: Array<SpaceId> = []
  const opened: Array<readonly [SpaceId, string]> = []
  let sweeping: Fiber.Fiber<unknown, unknown> | undefined

  const act = Effect.fnUntraced(function* ({ what, which, n, hours }: Step) {
    const space = made[which % Math.max(1, made.length)]
    const request = opened[which % Math.max(1, opened.length)]
    if (what === "wait") return yield* TestClock.adjust(`${hours} hours`)
    if (what === "work") return yield* worker.runDue
    if (what === "sweep") {
      if (sweeping !== undefined) yield* Fiber.join(sweeping)
      // It goes on between the steps that follow, and may give up where days pass meanwhile.
      sweeping = yield* Effect.forkChild(Effect.exit(collect(slices)))
      return yield* Effect.yieldNow
    }
    if (what === "create") return made.push((yield* spaces.create(here, {})).id)
    if (space === undefined) return
    if (what === "duplicate") return made.push((yield* spaces.duplicate(space)).id)
    if (what === "remove") return yield* spaces.remove(space)
    if (what === "restore") return yield* spaces.restore(space)
    if (what === "open") return opened.push([space, (yield* changeRequests.create(space, {})).id])
    if (what === "import") {
      const files = [Folder.file("a.md", `Text ${which}\n===\n`), Folder.file(".gitbook/includes/b.md", `- ${n}\n`)]
      return yield* imports.importFolder(space, { files })
    }
    if (what === "live") {
      const base = yield* edits.begin(space)
      const draft = objects.draft()
      const variables = draft.write({ entries: [["live", n]] })
      return yield* edits.commit({ base, draft, content: { ...base.content, variables } })
    }
    if (request === undefined) return
    if (what === "describe") {
      return yield* changeRequests.update(...request, { description: { markdown: `Why ${n}` } })
    }
    if (what === "update") return yield* contents.update(...request)
    if (what === "merge") return yield* contents.merge(...request)
    if (what === "resolve") {
      const [conflict] = (yield* contents.changes(...request)).conflicts
      return conflict && (yield* contents.resolve(...request, conflict.id, n % 2 === 0 ? "main" : "ours"))
    }
    return yield* contents.write(...request, changesOf(which, n))
  })

  for (const next of steps) {
    yield* Effect.catchIf(act(next), isRefusal, () => Effect.void)
    yield* Effect.yieldNow
  }
  if (sweeping !== undefined) yield* Fiber.join(sweeping)
  return made
})

const refusals = new Set([
  "SpaceNotFound",
  "ChangeRequestNotFound",
  "ChangeRequestConflict",
  "ConflictRefused",
  "ContentOutdated",
  "SlugTaken"
])
const isRefusal = (error: unknown): boolean =>
  typeof error === "object" && error !== null && "_tag" in error && refusals.has(String(error._tag))

for (const [name, services] of onEach(adapters)) {
  describe(`GarbageCollection (${name})`, () => {
    const run = <A, E>(body: Effect.Effect<A, E, Layer.Success<typeof services>>) =>
      Effect.provide(body, Layer.fresh(services)).pipe(Effect.scoped, Effect.provide(TestClock.layer()))

    it("loses nothing that anything refers to, and leaves nothing behind", () =>
      fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60 }), (steps) =>
          Effect.runPromise(
            run(
              Effect.gen(function* () {
                const made = yield* play([
                  { what: "create", which: 0, n: 0, hours: 1 },
                  { what: "open", which: 0, n: 0, hours: 1 },
                  ...steps
                ])
                yield* readEverything
                assert.deepStrictEqual((yield* RowReferences.dangling(RowReferences.all)).found, [])
                const spaces = yield* Spaces
                for (const id of made) yield* spaces.remove(id)
                yield* TestClock.adjust("7 days")
                yield* (yield* JobWorker).runDue
                const storage = yield* Storage
                assert.strictEqual(yield* storage.repository(SpaceTable).count({}), 0)
                assert.strictEqual(yield* storage.repository(RevisionTable).count({}), 0)
                assert.strictEqual(yield* storage.repository(ChangeRequestTable).count({}), 0)
                yield* TestClock.adjust("25 hours")
                yield* collect()
                assert.strictEqual(yield* stored, 0)
              })
            )
          )
        ),
        name === "memory" ? runs(60, 300) : runs(25, 100)
      ))

    it.effect("spares for a day what nothing refers to yet, also what was written again", () =>
      run(
        Effect.gen(function* () {
          const store = yield* ObjectStore
          const blobs = yield* BlobStore
          const { sha256 } = yield* Hasher
          const draft = (yield* Objects).draft()
          draft.write({ entries: [["a", 1]] })
          const bytes = new Uint8Array([1, 2, 3])
          const blob = sha256(bytes) as Parameters<typeof blobs.put>[0]
          yield* draft.flush
          yield* blobs.put(blob, bytes)
          yield* TestClock.adjust("24 hours")
          assert.deepStrictEqual(yield* collect(), { objects: 0, blobs: 0 })
          yield* draft.flush
          yield* TestClock.adjust(1)
          assert.deepStrictEqual(yield* collect(), { objects: 0, blobs: 1 })
          yield* TestClock.adjust("24 hours")
          assert.deepStrictEqual(yield* collect(), { objects: 1, blobs: 0 })
          assert.isEmpty(yield* store.list({ limit: 10 }))
        })
      )
    )

    it.effect("spares what conflicts and descriptions are kept in", () =>
      run(
        Effect.gen(function* () {
          const contents = yield* ChangeRequestContents
          const changeRequests = yield* ChangeRequests
          const { id } = yield* (yield* Spaces).create(yield* organization, {})
          const one = yield* changeRequests.create(id, {})
          const two = yield* changeRequests.create(id, {})
          yield* contents.write(id, one.id, [{ operation: "set_variables", variables: { name: "one" } }])
          yield* contents.write(id, two.id, [{ operation: "set_variables", variables: { name: "two" } }])
          yield* contents.merge(id, one.id)
          assert.strictEqual((yield* contents.update(id, two.id)).result, "conflicts")
          yield* changeRequests.update(id, two.id, { description: { markdown: "Why" } })
          yield* TestClock.adjust("2 days")
          yield* collect()
          yield* readEverything
          assert.strictEqual((yield* contents.changes(id, two.id)).conflicts.length, 1)
        })
      )
    )

    it.effect("runs once a day by itself", () =>
      run(
        Effect.gen(function* () {
          const worker = yield* JobWorker
          const draft = (yield* Objects).draft()
          draft.write({ entries: [["a", 1]] })
          yield* draft.flush
          yield* worker.runDue
          yield* TestClock.adjust("1 day")
          yield* worker.runDue
          assert.strictEqual(yield* stored, 1)
          yield* TestClock.adjust("1 day")
          yield* worker.runDue
          assert.strictEqual(yield* stored, 0)
        })
      )
    )

    it.effect("takes nothing away where something that is in use can't be read", () =>
      run(
        Effect.gen(function* () {
          const here = yield* organization
          const { id } = yield* (yield* Spaces).create(here, {})
          const request = yield* (yield* ChangeRequests).create(id, {})
          yield* (yield* ChangeRequestContents).write(id, request.id, changesOf(1, 2))
          const draft = (yield* Objects).draft()
          draft.write({ entries: [["garbage", 1]] })
          yield* draft.flush
          yield* TestClock.adjust("2 days")
          const store = yield* ObjectStore
          const revisions = yield* (yield* Storage).repository(RevisionTable).list({ where: {} })
          const root = revisions.find((revision) => revision.content.pages !== null)!.content.pages!
          yield* store.remove([root], Infinity)
          const before = yield* stored
          const failure = yield* Effect.flip(collect())
          assert.match(failure.message, /is missing/)
          assert.strictEqual(yield* stored, before)
        })
      )
    )
  })
}
