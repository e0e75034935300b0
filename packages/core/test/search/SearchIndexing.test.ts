/** The index follows the main content: by commits, by jobs, and after whatever was left half done. */
import { assert, describe, it } from "@effect/vitest"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import type { ContentChange } from "@lectern/core/content/edits/ContentChange"
import { JobTable } from "@lectern/core/job/Job"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { IndexSpace, SearchIndexing } from "@lectern/core/search/indexing/SearchIndexing"
import { removeIndexed } from "@lectern/core/search/indexing/SearchRemoval"
import { Searches } from "@lectern/core/search/Searches"
import { SearchStateTable } from "@lectern/core/search/SearchState"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { SearchIndex } from "@lectern/core/storage/SearchIndex"
import { Storage, StorageError } from "@lectern/core/storage/Storage"
import { Effect, Fiber, Latch, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { adaptersWithoutReruns as adapters, organization } from "../Instances.ts"

const insert = (title: string, markdown = ""): ContentChange => ({
  operation: "insert_page",
  title,
  document: { markdown }
})

const publish = Effect.fnUntraced(function* (space: SpaceId, changes: ReadonlyArray<ContentChange>) {
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  const contents = yield* ChangeRequestContents
  for (let done = 0; done < changes.length; done += 50) {
    yield* contents.write(space, id, changes.slice(done, done + 50))
  }
  return yield* contents.merge(space, id)
})

const newSpace = Effect.gen(function* () {
  return (yield* (yield* Spaces).create(yield* organization, {})).id
})

const found = Effect.fnUntraced(function* (space: SpaceId, query: string) {
  const { items } = yield* (yield* Searches).space(space, query, { limit: 1_000 })
  return items.map(({ title }) => title)
})

const stateOf = Effect.fnUntraced(function* (space: SpaceId) {
  return yield* (yield* Storage).repository(SearchStateTable).get({ space })
})

const pageWith = Effect.fnUntraced(function* (space: SpaceId, word: string) {
  const index = yield* SearchIndex
  const [reading] = yield* index.read([{ space, lookups: [{ word, match: "whole" }], hidden: new Set() }])
  return (yield* index.pagesByNumber(reading!.entries.flat(2).map((number) => ({ space, number }))))[0]!
})

type Index = SearchIndex["Service"]

/** Has this happen before each use of an operation of the index. */
const beforeUse = <K extends "change" | "pages">(
  index: Index,
  name: K,
  first: (...given: Parameters<Index[K]>) => Effect.Effect<void, StorageError>
) => {
  const operation = index[name] as (...given: Parameters<Index[K]>) => Effect.Effect<unknown, StorageError>
  Object.assign(index, {
    [name]: (...given: Parameters<Index[K]>) =>
      Effect.andThen(
        Effect.suspend(() => first(...given)),
        operation(...given)
      )
  })
}

const runJobs = Effect.flatMap(JobWorker, (worker) => worker.runDue)

for (const [name, services] of onEach(adapters)) {
  describe(`SearchIndexing (${name})`, () => {
    type Services = Layer.Success<typeof services>
    const test = <E>(title: string, body: Effect.Effect<void, E, Services>) =>
      it.effect(title, () => Effect.provide(body, Layer.fresh(services)))

    test(
      "holds what is main when the merge that made it answers, small or large",
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* publish(space, [insert("Small")])
        assert.deepStrictEqual(yield* found(space, "small"), ["Small"])
        yield* publish(
          space,
          Array.from({ length: 120 }, (_, i) => insert(`Large ${i}`, "many"))
        )
        assert.strictEqual((yield* found(space, "many")).length, 120)
        const state = yield* stateOf(space)
        assert.isUndefined(state?.target)
        yield* runJobs
        assert.strictEqual((yield* found(space, "many")).length, 120)
      })
    )

    test(
      "writes much in few commits, by pages and by their words",
      Effect.gen(function* () {
        const space = yield* newSpace
        const written: Array<number> = []
        beforeUse(yield* SearchIndex, "change", (_, { length }) => Effect.sync(() => void written.push(length)))
        yield* publish(
          space,
          Array.from({ length: 80 }, (_, i) => insert(`Short ${i}`, "many"))
        )
        assert.deepStrictEqual(written.splice(0), [32, 32, 16])
        const words = Array.from({ length: 4_000 }, (_, i) => `word${i}`).join(" ")
        yield* publish(
          space,
          Array.from({ length: 51 }, (_, i) => insert(`Long ${i}`, words))
        )
        assert.deepStrictEqual(new Set(written.slice(0, -1)), new Set([4]))
      })
    )

    test(
      "small changes of one moment are written together, in the order in which they came",
      Effect.gen(function* () {
        const written: Array<string> = []
        beforeUse(yield* SearchIndex, "change", (space) => Effect.sync(() => void written.push(space)))
        const [one, other] = [yield* newSpace, yield* newSpace]
        yield* publish(one, [insert("First")])
        yield* publish(other, [insert("Elsewhere")])
        const last = yield* publish(one, [insert("Second")])
        // Whoever searches where nothing waits has nothing written.
        yield* found(yield* newSpace, "first")
        assert.deepStrictEqual(written, [])
        const generation = (yield* (yield* Storage).generation)!
        yield* TestClock.adjust("200 millis")
        assert.strictEqual((yield* (yield* Storage).generation)!, generation + 1)
        assert.deepStrictEqual(written, [one, other, one])
        assert.strictEqual((yield* stateOf(one))!.revision, last.revision)
        assert.deepStrictEqual(yield* found(one, "second"), ["Second"])
        assert.deepStrictEqual(yield* found(other, "elsewhere"), ["Elsewhere"])
        assert.strictEqual(written.length, 3)
      })
    )

    test(
      "what could not be written, or was lost with a process, is there for whoever searches",
      Effect.gen(function* () {
        const index = yield* SearchIndex
        const space = yield* newSpace
        let failures = 1
        beforeUse(index, "change", () =>
          failures-- > 0 ? Effect.fail(new StorageError({ reason: "failed", message: "Not now" })) : Effect.void
        )
        yield* publish(space, [insert("First")])
        yield* TestClock.adjust("200 millis")
        assert.deepStrictEqual(yield* index.pages(space, { limit: 9 }), [])
        yield* publish(space, [insert("Second")])
        assert.deepStrictEqual(yield* found(space, "first"), ["First"])
        assert.deepStrictEqual(yield* found(space, "second"), ["Second"])
      })
    )

    test(
      "an index that holds a later revision than a search has asked for is not behind",
      Effect.gen(function* () {
        const spaces = (yield* Storage).repository(SpaceTable)
        const indexing = yield* SearchIndexing
        const space = yield* newSpace
        yield* publish(space, [insert("First")])
        const before = (yield* spaces.get({ id: space }))!
        yield* publish(space, [insert("Second")])
        assert.isFalse(yield* indexing.ensureCurrent([before]))
        assert.isTrue(yield* indexing.ensureCurrent([(yield* spaces.get({ id: space }))!]))
        const jobs = (yield* Storage).repository(JobTable)
        assert.strictEqual(yield* jobs.count({ kind: IndexSpace.name, status: "waiting" }), 0)
      })
    )

    test(
      "whoever searches waits half a second for an index that is behind, and no longer",
      Effect.gen(function* () {
        const states = (yield* Storage).repository(SearchStateTable)
        const index = yield* SearchIndex
        const space = yield* newSpace
        yield* publish(space, [insert("Old", "same")])
        yield* found(space, "same")
        yield* states.update({ space }, { words: 0 })
        const held = yield* Latch.make()
        let asked = 0
        beforeUse(index, "pages", () => {
          asked++
          return held.await
        })
        const searches = yield* Effect.forkChild(
          Effect.all([found(space, "same"), found(space, "old")], { concurrency: 2 })
        )
        yield* TestClock.adjust("500 millis")
        assert.deepStrictEqual(yield* Fiber.join(searches), [["Old"], ["Old"]])
        // Who is away leaves it to go on, and others don't begin it again.
        assert.strictEqual(asked, 1)
        yield* held.open
        assert.deepStrictEqual(yield* found(space, "same"), ["Old"])
        const row = yield* (yield* Storage).repository(SpaceTable).get({ id: space })
        assert.isTrue(yield* (yield* SearchIndexing).isCurrent(row!))
      })
    )

    test(
      "is made for a duplicate by a job, or by whoever searches there before; then it goes its own way",
      Effect.gen(function* () {
        const index = yield* SearchIndex
        const space = yield* newSpace
        yield* publish(
          space,
          Array.from({ length: 60 }, (_, i) => insert(`Page ${i}`))
        )
        const { id: searched } = yield* (yield* Spaces).duplicate(space)
        assert.strictEqual((yield* found(searched, "page")).length, 60)
        const { id: copy } = yield* (yield* Spaces).duplicate(space)
        assert.strictEqual((yield* index.pages(copy, { limit: 99 })).length, 0)
        yield* runJobs
        assert.strictEqual((yield* index.pages(copy, { limit: 99 })).length, 60)
        yield* publish(copy, [insert("Only in the copy")])
        assert.deepStrictEqual(yield* found(copy, "copy"), ["Only in the copy"])
        assert.deepStrictEqual(yield* found(space, "copy"), [])
      })
    )

    test(
      "a merge into a duplicate that no job has indexed yet indexes all of it",
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* publish(space, [insert("Old")])
        const { id: copy } = yield* (yield* Spaces).duplicate(space)
        yield* publish(copy, [insert("New")])
        assert.deepStrictEqual(yield* found(copy, "old"), ["Old"])
        assert.deepStrictEqual(yield* found(copy, "new"), ["New"])
      })
    )

    test(
      "finishes what a crash left half done before it goes on",
      Effect.gen(function* () {
        const states = (yield* Storage).repository(SearchStateTable)
        const spaces = (yield* Storage).repository(SpaceTable)
        const index = yield* SearchIndex
        const space = yield* newSpace
        yield* publish(space, [insert("First")])
        yield* found(space, "first")
        const before = yield* stateOf(space)
        const { revision: target } = yield* publish(space, [insert("Second")])
        yield* publish(space, [insert("Third")])
        yield* found(space, "third")
        // As if the process had died on its way to the second revision, with some of it written.
        const [second, third] = [yield* pageWith(space, "second"), yield* pageWith(space, "third")]
        yield* index.change(space, [
          { page: second, words: [["half"]] },
          { page: third, words: undefined }
        ])
        yield* states.update({ space }, { revision: before!.revision, target })
        for (const title of ["First", "Second", "Third"]) {
          assert.deepStrictEqual(yield* found(space, title.toLowerCase()), [title])
        }
        assert.deepStrictEqual(yield* found(space, "half"), [])
        const { revision } = (yield* spaces.get({ id: space }))!
        assert.deepInclude(yield* stateOf(space), { revision })
        assert.isUndefined((yield* stateOf(space))!.target)
      })
    )

    test(
      "is made anew where its words are of another version, or nothing is known of it",
      Effect.gen(function* () {
        const states = (yield* Storage).repository(SearchStateTable)
        const index = yield* SearchIndex
        const space = yield* newSpace
        yield* publish(space, [insert("Page")])
        const lose = index.change(space, [{ page: "stale", words: [["page"]] }])
        for (const forget of [states.update({ space }, { words: 0 }), states.remove({ space })]) {
          yield* lose
          yield* forget
          // A search sees that it is behind.
          assert.deepStrictEqual(yield* found(space, "page"), ["Page"])
          assert.deepStrictEqual(yield* index.pages(space, { limit: 9 }), [yield* pageWith(space, "page")])
        }
      })
    )

    test(
      "is read anew by a job where the language of the space changes, in one that goes on changing",
      Effect.gen(function* () {
        const spaces = yield* Spaces
        const space = yield* newSpace
        yield* publish(
          space,
          Array.from({ length: 60 }, (_, i) => insert(`Seite ${i}`, "Das alte Haus"))
        )
        const houses = Effect.map(found(space, "häuser"), (pages) => pages.length)
        assert.strictEqual(yield* houses, 0)
        yield* spaces.update(space, { language: "de" })
        // What was found before is found until then.
        assert.strictEqual((yield* found(space, "haus")).length, 60)
        yield* runJobs
        assert.strictEqual(yield* houses, 60)
        assert.strictEqual((yield* stateOf(space))?.language, "de")
        yield* publish(space, [insert("Neu", "Ein Haus")])
        assert.strictEqual(yield* houses, 61)
        // A merge before the job has run does its work.
        yield* spaces.update(space, { language: "en" })
        yield* publish(space, [insert("New", "One subscription")])
        assert.deepStrictEqual(yield* found(space, "subscriptions"), ["New"])
        assert.strictEqual(yield* houses, 0)
        assert.strictEqual((yield* stateOf(space))?.language, "en")
        const { id: copy } = yield* spaces.create(yield* organization, { language: "de" })
        yield* publish(copy, [insert("Haus")])
        assert.deepStrictEqual(yield* found(copy, "häuser"), ["Haus"])
      })
    )

    test(
      "forgets a space that is removed, also where a job comes later",
      Effect.gen(function* () {
        const spaces = (yield* Storage).repository(SpaceTable)
        const index = yield* SearchIndex
        const indexing = yield* SearchIndexing
        const space = yield* newSpace
        yield* publish(
          space,
          Array.from({ length: 40 }, (_, i) => insert(`Page ${i}`))
        )
        while ((yield* removeIndexed(space)) > 0) yield* Effect.yieldNow
        assert.deepStrictEqual(yield* index.pages(space, { limit: 9 }), [])
        yield* indexing.catchUp(space)
        assert.strictEqual((yield* index.pages(space, { limit: 99 })).length, 40)
        yield* spaces.remove({ id: space })
        yield* indexing.catchUp(space)
        assert.deepStrictEqual(yield* index.pages(space, { limit: 9 }), [])
        assert.isUndefined(yield* stateOf(space))
      })
    )

    test(
      "two at once that bring it up to date do no harm",
      Effect.gen(function* () {
        const indexing = yield* SearchIndexing
        const space = yield* newSpace
        yield* publish(
          space,
          Array.from({ length: 70 }, (_, i) => insert(`Page ${i}`))
        )
        const { id: copy } = yield* (yield* Spaces).duplicate(space)
        const both = [indexing.catchUp(copy), indexing.catchUp(copy), publish(copy, [insert("Meanwhile")])]
        yield* Effect.all(both, { concurrency: 3 })
        assert.strictEqual((yield* found(copy, "page")).length, 70)
        assert.deepStrictEqual(yield* found(copy, "meanwhile"), ["Meanwhile"])
      })
    )
  })
}
