/** Imports in the background: each ends as its work does, in the name of who began it; a cancelled one at once. */
import { assert, describe, layer } from "@effect/vitest"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { ContentImports } from "@lectern/exchange/import/ContentImports"
import { runImport } from "@lectern/exchange/import-run/ImportRunJob"
import { type ImportRunStart, maxUnfinished } from "@lectern/exchange/import-run/ImportRun"
import { ImportRunTable } from "@lectern/core/exchange/ImportRunRow"
import { ImportRuns } from "@lectern/exchange/import-run/ImportRuns"
import type { ContentImportResult } from "@lectern/exchange/import/ContentImport"
import { Contents } from "@lectern/core/content/Contents"
import { Uploads } from "@lectern/core/upload/Uploads"
import { Spaces } from "@lectern/core/space/Spaces"
import { UserId } from "@lectern/core/user/User"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Users } from "@lectern/core/user/Users"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { Effect, Fiber } from "effect"
import { TestClock } from "effect/testing"
import { eventsOf, members, outcome, outcomes, ruleOn } from "../../../core/test/Actors.ts"
import { onEach } from "../../../core/test/Adapters.ts"
import { as } from "../../../core/test/comment/Discussion.ts"
import { organization } from "../../../core/test/Instances.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../../../core/test/Issues.ts"
import { turns } from "../../../core/test/Turns.ts"

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
  const job = { id: "job", payload: { run }, attempt: 1, complete, continueWith: () => complete }
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
      yield* turns(50)
      yield* Fiber.interrupt(first)
      yield* running(cut, () => Effect.die("not again"))
      assert.deepStrictEqual(yield* status(cut), ["failed", "The server stopped while the import ran"])
      const states = new Map((yield* eventsOf("import_finished")).map((event) => [event.import, event.state]))
      assert.deepStrictEqual(
        [good, bad, cut].map((id) => states.get(id)),
        ["success", "failure", "failure"]
      )
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

const website = { type: "website", url: "https://example.com/" } as const

const inSpace = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const runs = yield* ImportRuns
  const { id: space } = yield* (yield* Spaces).create(org, {})
  const start = runs.start(org, { source: website, target: { space } })
  return { org, elsewhere, people, runs, space, start }
})

for (const [name, services] of onEach(adapters)) {
  describe(`ImportRuns (${name})`, () => {
    const rule = ruleOn(services)

    rule("are started and cancelled by people who may edit the space", () =>
      Effect.gen(function* () {
        const { org, people, runs, space, start } = yield* inSpace
        const inChangeRequest = runs.start(org, { source: website, target: { space, changeRequest: "1" } })
        for (const use of [start, inChangeRequest]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            ok: "host admin create review edit",
            Forbidden: "comment read",
            SpaceNotFound: "guest",
            OrganizationNotFound: "outsider"
          })
        }
        const { id } = yield* start
        assert.strictEqual(yield* outcome(runs.cancel(org, id)).pipe(as(people.read)), "Forbidden")
        assert.strictEqual(yield* outcome(runs.cancel(org, id)).pipe(as(people.guest)), "ImportRunNotFound")
        assert.strictEqual(yield* outcome(runs.cancel(org, id)).pipe(as(people.edit)), "ok")
        assert.strictEqual(yield* outcome(runs.cancel(org, id)), "ImportRunRefused")
        assert.deepStrictEqual(
          (yield* eventsOf("import_finished")).map((event) => [event.import, event.state]),
          [[id, "cancelled"]]
        )
      })
    )

    rule("are visible to readers of their space", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, runs, start } = yield* inSpace
        const { id } = yield* start.pipe(as(people.edit))
        assert.deepStrictEqual(yield* outcomes(people, runs.get(org, id)), {
          ok: "host admin create review edit comment read",
          ImportRunNotFound: "guest",
          OrganizationNotFound: "outsider"
        })
        assert.deepInclude(yield* runs.get(org, id), { status: "pending", createdBy: people.edit, source: website })
        assert.strictEqual((yield* runs.list(org, {}).pipe(as(people.guest))).count, 0)
        assert.strictEqual(yield* outcome(runs.get(elsewhere, id)), "ImportRunNotFound")
      })
    )

    rule("are listed newest first, by space, change request and status", () =>
      Effect.gen(function* () {
        const { org, runs, space, start } = yield* inSpace
        const { id: other } = yield* (yield* Spaces).create(org, {})
        const first = yield* start
        const second = yield* runs.start(org, { source: website, target: { space: other } })
        const third = yield* runs.start(org, { source: website, target: { space, changeRequest: "1" } })
        yield* runs.cancel(org, first.id)
        const ids = (filter: Parameters<typeof runs.list>[1]) =>
          Effect.map(runs.list(org, filter), ({ items }) => items.map(({ id }) => id))
        assert.deepStrictEqual(yield* ids({}), [third.id, second.id, first.id])
        assert.deepStrictEqual(yield* ids({ space }), [third.id, first.id])
        assert.deepStrictEqual(yield* ids({ changeRequest: "1" }), [third.id])
        assert.deepStrictEqual(yield* ids({ status: "active" }), [third.id, second.id])
        assert.deepStrictEqual(yield* ids({ status: "cancelled" }), [first.id])
        const page = yield* runs.list(org, { limit: 2 })
        assert.deepStrictEqual(yield* ids({ page: page.next!.page }), [first.id])
        assert.strictEqual(yield* outcome(runs.list(org, { page: page.next!.page, space })), "InvalidCursor")
      })
    )

    rule("are limited to 100 unfinished ones per organization", () =>
      Effect.gen(function* () {
        const { org, runs, start } = yield* inSpace
        const { id } = yield* start
        const storage = yield* Storage
        const rows = storage.repository(ImportRunTable)
        const row = (yield* rows.get({ id }))!
        yield* storage.transaction(
          Effect.forEach(Array.from({ length: maxUnfinished - 1 }), (_, i) => rows.insert({ ...row, id: `0-${i}` }))
        )
        assert.strictEqual(yield* outcome(start), "ImportRunRefused")
        yield* runs.cancel(org, id)
        assert.strictEqual(yield* outcome(start), "ok")
      })
    )

    rule("are deleted 30 days after they end, when the next one starts", () =>
      Effect.gen(function* () {
        const { org, runs, start } = yield* inSpace
        yield* runs.cancel(org, (yield* start).id)
        yield* TestClock.adjust("30 days")
        yield* start
        assert.strictEqual((yield* runs.list(org, {})).count, 2)
        yield* TestClock.adjust(1)
        yield* start
        assert.strictEqual((yield* runs.list(org, {})).count, 2)
      })
    )

    rule("are not started if the surrounding transaction fails", () =>
      Effect.gen(function* () {
        const { org, runs, start } = yield* inSpace
        const { transaction } = yield* Storage
        yield* Effect.flip(transaction(Effect.andThen(start, Effect.fail("undone" as const))))
        assert.strictEqual((yield* runs.list(org, {})).count, 0)
      })
    )

    rule("reject other sources and targets", () =>
      Effect.gen(function* () {
        const { org, elsewhere, runs, space } = yield* inSpace
        const { id: foreign } = yield* (yield* Spaces).create(elsewhere, {})
        const start = (source: ImportRunStart["source"], target: Partial<ImportRunStart["target"]> = {}) => ({
          source,
          target: { space, ...target }
        })
        assert.deepStrictEqual(
          yield* invalidPathsOf<ImportRunStart, CurrentActor>(
            [
              start({ type: "website", url: "ftp://example.com/" }),
              start({ type: "file", files: [] }),
              start({ type: "file", files: Array.from({ length: 51 }, () => "key") }),
              start({ type: "file", files: ["unknown"] }),
              start(website, { page: "page" }),
              start(website, { space: foreign })
            ],
            (input) => runs.start(org, input)
          ),
          ["source.url", "source.files", "source.files", "body.source.files[0]", "body.target.page", "SpaceNotFound"]
        )
      })
    )
  })
}
