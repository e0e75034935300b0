/** Imports in the background: each ends as its work does, in the name of who began it; a cancelled one at once. */
import { assert, layer } from "@effect/vitest"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { ContentImports } from "@lectern/core/content/import/ContentImports"
import { runImport } from "@lectern/core/import-run/ImportRunJob"
import { ImportRuns } from "@lectern/core/import-run/ImportRuns"
import type { ContentImportResult } from "@lectern/core/content/import/ContentImport"
import { Contents } from "@lectern/core/content/Contents"
import { Uploads } from "@lectern/core/upload/Uploads"
import { Spaces } from "@lectern/core/space/Spaces"
import { UserId } from "@lectern/core/user/User"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Users } from "@lectern/core/user/Users"
import { StorageError } from "@lectern/core/storage/Storage"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { adapters, organization } from "../Instances.ts"

const done = { revision: "r", importedResources: 1, totalResources: 1 } as unknown as ContentImportResult

/** Runs one import, whose work is this. */
const running = Effect.fnUntraced(function* (run: string, work: ContentImports["Service"]["importIntoSpace"]) {
  const notAsked = () => Effect.die("not asked")
  const fake = ContentImports.of({
    importIntoSpace: work,
    importIntoChangeRequest: notAsked,
    importFiles: notAsked
  })
  const handler = yield* Effect.provideService(runImport, ContentImports, fake)
  const complete = Effect.void
  const job = { id: "job", payload: { run }, attempt: 1, isStanding: false, complete, continueWith: () => complete }
  return yield* handler.run(job as never)
})

const begin = Effect.gen(function* () {
  const org = yield* organization
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const runs = yield* ImportRuns
  const start = runs.start(org, { source: { type: "website", url: "https://example.com/" }, target: { space } })
  const status = (id: string) => Effect.map(runs.get(org, id), (run) => [run.status, run.reason])
  return { org, space, runs, start, status }
})

layer(adapters.memory)("ImportRuns", (it) => {
  it.effect("end as their work ends", () =>
    Effect.gen(function* () {
      const { start, status, space } = yield* begin
      const { id: good } = yield* start
      assert.deepStrictEqual(yield* status(good), ["pending", undefined])
      yield* running(good, (into, what) => {
        assert.deepStrictEqual([into, what], [space, { url: "https://example.com/", source: "website" }])
        return Effect.succeed(done)
      })
      assert.deepStrictEqual(yield* status(good), ["completed", undefined])
      const { id: bad } = yield* start
      yield* running(bad, () => Effect.fail(new StorageError({ reason: "failed", message: "secret path" })))
      assert.deepStrictEqual(yield* status(bad), ["failed", "The import failed on the server"])
      // A job that comes back finds what was cut off, or done.
      yield* running(good, () => Effect.die("not again"))
      assert.deepStrictEqual(yield* status(good), ["completed", undefined])
      const { id: cut } = yield* start
      const first = yield* Effect.forkChild(running(cut, () => Effect.never))
      yield* Effect.yieldNow
      yield* Fiber.interrupt(first)
      yield* running(cut, () => Effect.die("not again"))
      assert.deepStrictEqual(yield* status(cut), ["failed", "The server stopped while the import ran"])
    }).pipe(Effect.orDie)
  )

  it.effect("end at once when they are cancelled", () =>
    Effect.gen(function* () {
      const { org, runs, start, status } = yield* begin
      const { id } = yield* start
      let ended = false
      const work = Effect.never.pipe(Effect.onInterrupt(() => Effect.sync(() => void (ended = true))))
      const fiber = yield* Effect.forkChild(running(id, () => work))
      while ((yield* status(id))[0] === "pending") yield* Effect.yieldNow
      assert.strictEqual((yield* runs.cancel(org, id)).status, "cancelled")
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(fiber)
      assert.isTrue(ended)
      assert.deepStrictEqual(yield* status(id), ["cancelled", undefined])
      // One that has not begun begins no more.
      const { id: next } = yield* start
      yield* runs.cancel(org, next)
      yield* running(next, () => Effect.die("not asked"))
      assert.deepStrictEqual(yield* status(next), ["cancelled", undefined])
    }).pipe(Effect.orDie)
  )

  it.effect("import uploaded files as pages, in one revision", () =>
    Effect.gen(function* () {
      const { org, runs, space } = yield* begin
      const uploads = yield* Uploads
      const upload = Effect.fnUntraced(function* (name: string, text: string) {
        const bytes = new TextEncoder().encode(text)
        const file = { name, type: "text/markdown", size: bytes.length }
        const { url, key } = yield* uploads.begin(org, { file, kind: "import_file" })
        const query = new URL(url).searchParams
        const expires = Number(query.get("expires"))
        yield* uploads.put({ organization: org, upload: key, expires, signature: query.get("signature")! }, bytes)
        return key
      })
      const files = [
        yield* upload("one.md", "# One\n\nSee [two](two.md).\n"),
        yield* upload("two.md", "# Two\n"),
        yield* upload("two.md", "# Also two\n")
      ]
      const { id } = yield* runs.start(org, { source: { type: "file", files }, target: { space } })
      const handler = yield* runImport
      const job = { payload: { run: id } }
      yield* handler.run(job as never)
      assert.deepInclude(yield* runs.get(org, id), { status: "completed", source: { type: "file", files } })
      const contents = yield* Contents
      const { pages } = yield* contents.pages(yield* contents.locate({ space }))
      assert.deepStrictEqual(
        pages.map(({ title }) => title),
        ["One", "Also two", "Two"]
      )
    }).pipe(Effect.orDie)
  )

  it.effect("work in the name of who began them", () =>
    Effect.gen(function* () {
      const { org, runs, space } = yield* begin
      const { id: user } = yield* (yield* Users).create({ email: "ada@example.com" })
      yield* (yield* Organizations).join(org, user, "edit")
      const { id } = yield* runs
        .start(org, { source: { type: "website", url: "https://example.com/" }, target: { space } })
        .pipe(Effect.provideService(CurrentActor, { type: "user", user: UserId.make(user) }))
      let asked: unknown
      yield* running(id, () => Effect.map(CurrentActor, (actor) => ((asked = actor), done)))
      assert.deepStrictEqual(asked, { type: "user", user })
      assert.notDeepEqual(asked, host)
    }).pipe(Effect.orDie)
  )
})
