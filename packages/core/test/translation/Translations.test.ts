/** Translations on both adapters, from their making to what is in the result. */
import { assert, describe, it } from "@effect/vitest"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor } from "@lectern/core/access/Actor"
import { Grants } from "@lectern/core/grant/Grants"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Collections } from "@lectern/core/collection/Collections"
import { Contents } from "@lectern/core/content/Contents"
import { collect } from "@lectern/core/content/store/GarbageCollection"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Jobs } from "@lectern/core/job/Jobs"
import * as Lectern from "@lectern/core/Lectern"
import { Organizations } from "@lectern/core/organization/Organizations"
import { type SpaceId, SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { ObjectStore } from "@lectern/core/storage/ObjectStore"
import { Storage } from "@lectern/core/storage/Storage"
import { TranslatedTable, TranslationTable } from "@lectern/core/translation/Translation"
import { Glossaries } from "@lectern/core/translation/Glossaries"
import type { GlossaryUpdate } from "@lectern/core/translation/GlossaryEntry"
import { Translations } from "@lectern/core/translation/Translations"
import { Users } from "@lectern/core/user/Users"
import { Effect, Exit, Layer } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { temporaryFile } from "../../../adapter-sqlite/test/TemporaryFile.ts"
import { belowTitle } from "../content/BelowTitle.ts"
import { actor, organization } from "../Instances.ts"
import { Engine, shouted, timesOut } from "./Engine.ts"

const adapters = {
  memory: MemoryStorage.layer,
  sqlite: Layer.unwrap(Effect.map(temporaryFile, (filename) => SqliteStorage.layer({ filename })))
}

const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)

type Changes = Parameters<ChangeRequestContents["Service"]["write"]>[2]

/** Changes the main content of a space, and tells what was done. */
const edit = Effect.fnUntraced(function* (space: SpaceId, changes: Changes) {
  const { id } = yield* (yield* ChangeRequests).create(space, {})
  const contents = yield* ChangeRequestContents
  const written = yield* contents.write(space, id, changes)
  yield* contents.merge(space, id)
  return written.changes
})

const page = (title: string, markdown: string, ref = title) => ({
  operation: "insert_page" as const,
  title,
  document: { markdown },
  ref
})

/** The pages of a space by their titles, each with its Markdown. */
const read = Effect.fnUntraced(function* (space: SpaceId) {
  const contents = yield* Contents
  const at = yield* contents.locate({ space })
  const { pages } = yield* contents.pages(at)
  const all: Array<readonly [string, string]> = []
  const ids: Array<string> = []
  for (const { id } of pages) {
    const shown = (yield* contents.page(at, id)) as unknown as { title: string; markdown: string }
    all.push([shown.title, belowTitle(shown.markdown).trim()])
    ids.push(id)
  }
  return { pages: all, ids, revision: at.revision.id }
})

/** An organization with a space of two pages, and a translation of it into German. */
const begin = Effect.gen(function* () {
  const org = yield* organization
  const { id: space } = yield* (yield* Spaces).create(org, { title: "Handbook", language: "en" })
  yield* edit(space, [
    page("Start", "Read [the **rules**](/pages/Rules) first.\n\nThen go on.", "Start"),
    page("Rules", "# One rule\n\nRun `npm test`, always.\n\n```sh\nnpm test\n```", "Rules")
  ])
  const translation = yield* (yield* Translations).create(org, { source: { space }, language: "de" })
  return { org, space, id: translation.id }
})

const run = Effect.fnUntraced(function* (org: Parameters<Translations["Service"]["run"]>[0], id: string) {
  const translations = yield* Translations
  yield* translations.run(org, id)
  yield* work
  return yield* translations.get(org, id)
})

for (const [name, storage] of onEach(adapters)) {
  describe(`Translations (${name})`, () => {
    const test = <E>(title: string, body: (engine: Engine) => Effect.Effect<void, E, Services>) =>
      it.effect(title, () => {
        const engine = new Engine()
        return Effect.provide(body(engine), servicesWith(engine, storage))
      })

    test("are run into a space of their own, whose pages are those of the source", (engine) =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const translations = yield* Translations
        const made = yield* translations.get(org, id)
        assert.deepInclude(made, {
          object: "translation",
          status: "pending",
          source: { space, language: "en" },
          language: "de"
        })
        assert.isFalse("result" in made)
        yield* translations.run(org, id)
        assert.strictEqual((yield* translations.get(org, id)).status, "running")
        // Told in whole seconds, as clients read them.
        yield* TestClock.adjust("1200 millis")
        yield* work
        const done = yield* translations.get(org, id)
        assert.strictEqual(done.status, "completed")
        assert.isUndefined(done.lastError)
        assert.deepStrictEqual(done.stats, {
          runs: 1,
          totalWords: 13,
          totalPages: 2,
          totalDuration: 2,
          latestRunDuration: 2,
          latestPages: 2,
          latestWords: 13
        })
        const result = yield* (yield* Spaces).get(done.result!.space)
        assert.deepInclude(result, { title: "Handbook (German)", language: "de", revision: done.result!.revision })
        const source = yield* read(space)
        const { pages, ids, revision } = yield* read(result.id)
        assert.deepStrictEqual(ids, source.ids)
        assert.strictEqual(revision, done.result!.revision)
        assert.deepStrictEqual(pages, [
          ["⟦Šţáŕţ⟧", `⟦Ŕéáð [ţĥé **ŕûļéš**](/pages/${ids[1]!}) ƒîŕšţ. ···⟧\n\n⟦Ţĥéñ ĝö öñ. ·⟧`],
          [
            "⟦Ŕûļéš⟧",
            '# ⟦Öñé ŕûļé⟧ <a href="#one-rule" id="one-rule"></a>\n\n⟦Ŕûñ `npm test`, áļŵáýš. ·⟧\n\n```sh\nnpm test\n```'
          ]
        ])
        assert.isTrue(engine.asked.every(({ from, to }) => from === "en" && to === "de"))
      }))

    test("ask for nothing where nothing has changed, and for the changed paragraph where one has", (engine) =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const first = yield* run(org, id)
        engine.take()
        const again = yield* run(org, id)
        assert.deepStrictEqual(engine.take(), [])
        assert.deepStrictEqual(again.result, first.result)
        assert.deepInclude(again.stats, { runs: 2, totalPages: 2, latestPages: 0, latestWords: 0 })
        const { ids } = yield* read(space)
        yield* edit(space, [
          {
            operation: "update_page",
            page: ids[0]!,
            document: { markdown: "Read [the **rules**](/pages/Rules) first.\n\nThen come back." }
          },
          page("New", "Fresh text.")
        ])
        const third = yield* run(org, id)
        assert.sameMembers(engine.take() as Array<string>, ["Then come back.", "New", "Fresh text."])
        assert.deepInclude(third.stats, { runs: 3, totalPages: 3, latestPages: 2 })
        assert.notStrictEqual(third.result!.revision, first.result!.revision)
        // Moved and removed alone asks for nothing.
        yield* edit(space, [
          { operation: "update_page", page: ids[1]!, at: 0 },
          { operation: "delete_page", page: ids[0]! }
        ])
        const fourth = yield* run(org, id)
        assert.deepStrictEqual(engine.take(), [])
        assert.deepStrictEqual(
          (yield* read(fourth.result!.space)).pages.map(([title]) => title),
          ["⟦Ŕûļéš⟧", "⟦Ñéŵ⟧"]
        )
        assert.strictEqual(yield* (yield* Storage).repository(TranslatedTable).count({ translation: id }), 2)
      }))

    test("tell the engine the terms of the glossary that stand in the texts, and follow them", (engine) =>
      Effect.gen(function* () {
        const { org, id } = yield* begin
        const glossaries = yield* Glossaries
        const change = (operations: GlossaryUpdate["operations"]) => glossaries.update(org, { operations })
        yield* run(org, id)
        const all = engine.take()
        yield* change([
          { type: "insert", translations: { en: "START", de: "Anfang" } },
          { type: "insert", translations: { en: "nowhere", de: "nirgends" } },
          { type: "insert", translations: { en: "Rules", fr: "Règles" } }
        ])
        yield* run(org, id)
        const told = engine.asked.map(({ instructions }) => instructions ?? "")
        assert.isTrue(
          told.some((text) => text.endsWith('* "START": "Anfang"\n')),
          told.join()
        )
        assert.isFalse(told.some((text) => /nowhere|Règles/.test(text)))
        assert.sameMembers(engine.take() as Array<string>, all as Array<string>)
        // What is not about these languages changes nothing.
        yield* change([{ type: "insert", translations: { en: "page", fr: "page" } }])
        yield* run(org, id)
        assert.lengthOf(engine.take(), 0)
      }))

    test("translate all anew under other instructions, which the engine is given", (engine) =>
      Effect.gen(function* () {
        const { org, id } = yield* begin
        const translations = yield* Translations
        yield* run(org, id)
        const all = engine.take()
        engine.answer = ({ texts }) => Effect.succeed(texts.map(shouted))
        const put = yield* translations.put(org, id, { instructions: { markdown: "Say *du*." } })
        assert.strictEqual((put.instructions as { object: string }).object, "document")
        const done = yield* run(org, id)
        assert.isTrue(engine.asked.every(({ instructions }) => instructions === "Say _du_.\n"))
        assert.sameMembers(engine.take() as Array<string>, all as Array<string>)
        const { pages } = yield* read(done.result!.space)
        assert.deepStrictEqual(
          pages.map(([title]) => title),
          ["START", "RULES"]
        )
        // An empty document takes them away; none leaves them.
        assert.isDefined((yield* translations.put(org, id, {})).instructions)
        assert.deepInclude((yield* translations.put(org, id, { instructions: {} })).instructions, { nodes: [] })
      }))

    test("keep what people wrote into the result until its source changes", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const { result } = yield* run(org, id)
        const { ids } = yield* read(space)
        const [first] = (yield* read(result!.space)).pages
        yield* edit(result!.space, [
          {
            operation: "update_page",
            page: ids[0]!,
            document: { markdown: first![1].replace("⟦Ţĥéñ ĝö öñ. ·⟧", "Dann weiter.") }
          },
          page("Impressum", "Nur hier.")
        ])
        yield* edit(space, [
          {
            operation: "update_page",
            page: ids[0]!,
            document: { markdown: "Read [the **rules**](/pages/Rules) now.\n\nThen go on." }
          }
        ])
        const second = yield* run(org, id)
        const { pages } = yield* read(second.result!.space)
        assert.match(pages[0]![1], /ñöŵ.*\n\nDann weiter\.$/)
        assert.deepStrictEqual(pages[2], ["Impressum", "Nur hier."])
        yield* edit(space, [
          {
            operation: "update_page",
            page: ids[0]!,
            document: { markdown: "Read [the **rules**](/pages/Rules) now.\n\nThen stop." }
          }
        ])
        yield* run(org, id)
        assert.match((yield* read(result!.space)).pages[0]![1], /⟦Ţĥéñ šţöþ\. ·⟧$/)
      }))

    test("say what went wrong, and keep the last result", (engine) =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        engine.answer = timesOut
        const failed = yield* run(org, id)
        assert.deepInclude(failed, {
          status: "pending",
          lastError: "The translation engine did not answer within 60 seconds"
        })
        assert.isUndefined(failed.result)
        assert.strictEqual(failed.stats.runs, 1)
        engine.answer = ({ texts }) => Effect.succeed(texts.map(shouted))
        const { result } = yield* run(org, id)
        yield* edit(space, [page("New", "One.\n\nTwo.")])
        for (const [answer, about] of [
          [({ texts }) => Effect.succeed(texts.slice(1)), /answered 2 of 3 texts/],
          [timesOut, /did not answer/]
        ] as ReadonlyArray<readonly [Engine["answer"], RegExp]>) {
          engine.answer = answer
          const again = yield* run(org, id)
          assert.strictEqual(again.status, "completed")
          assert.match(again.lastError!, about)
          assert.deepStrictEqual(again.result, result)
        }
        engine.answer = ({ texts }) => Effect.succeed(texts.map(shouted))
        const done = yield* run(org, id)
        assert.isUndefined(done.lastError)
        assert.deepInclude(yield* read(done.result!.space), { revision: done.result!.revision })
      }))

    test("keep the source's text where no answer can be used, and count it", (engine) =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        engine.answer = ({ texts }) =>
          Effect.succeed(texts.map((text) => (text.includes("<") ? "I did it my way" : shouted(text))))
        const done = yield* run(org, id)
        assert.deepInclude(done, { status: "completed", untranslated: 2 })
        const { pages } = yield* read(done.result!.space)
        const source = yield* read(space)
        assert.strictEqual(pages[0]![1].split("\n\n")[0], source.pages[0]![1].split("\n\n")[0])
        assert.strictEqual(pages[0]![1].split("\n\n")[1], "THEN GO ON.")
        // Each was asked for twice.
        const asked = engine.take().filter((text) => text.includes("<"))
        assert.lengthOf(asked, 4)
        // The next run asks for what is missing, and for nothing else, though nothing has changed in the source.
        engine.answer = ({ texts }) => Effect.succeed(texts.map(shouted))
        const healed = yield* run(org, id)
        assert.strictEqual(healed.untranslated, 0)
        assert.lengthOf(engine.take(), 2)
        const whole = (yield* read(done.result!.space)).pages
        assert.match(whole[0]![1], /^READ .*\n\nTHEN GO ON\.$/s)
        assert.include(whole[1]![1], "ALWAYS.")
        yield* run(org, id)
        assert.lengthOf(engine.take(), 0)
      }))

    test("keep what people wrote where no answer could be used, when one can", (engine) =>
      Effect.gen(function* () {
        const { org, id } = yield* begin
        engine.answer = ({ texts }) => Effect.succeed(texts.map(() => "<x id=9>"))
        const { result } = yield* run(org, id)
        const { ids, pages } = yield* read(result!.space)
        const markdown = pages[0]![1].replace("Then go on.", "Dann weiter.")
        yield* edit(result!.space, [
          { operation: "update_page", page: ids[0]!, document: { markdown } },
          { operation: "update_page", page: ids[1]!, title: "Regeln" }
        ])
        engine.answer = ({ texts }) => Effect.succeed(texts.map(shouted))
        assert.strictEqual((yield* run(org, id)).untranslated, 0)
        const [first, second] = (yield* read(result!.space)).pages
        assert.strictEqual(first![0], "START")
        assert.match(first![1], /^READ .*\n\nDann weiter\.$/s)
        assert.strictEqual(second![0], "Regeln")
        assert.include(second![1], "ALWAYS.")
      }))

    test("start no second run while one runs, and take up one that nobody works on", (engine) =>
      Effect.gen(function* () {
        const { org, id } = yield* begin
        const translations = yield* Translations
        yield* translations.run(org, id)
        const rows = (yield* Storage).repository(TranslationTable)
        const before = yield* rows.get({ id })
        yield* translations.run(org, id)
        assert.deepStrictEqual(yield* rows.get({ id }), before)
        assert.lengthOf(yield* (yield* Jobs).list({ status: "waiting", kind: "run-translation" }), 1)
        yield* work
        assert.strictEqual((yield* translations.get(org, id)).stats.runs, 1)
        // Its job is gone, as an operator may have it.
        engine.take()
        yield* rows.update({ id }, { status: "running", job: "gone", run: "gone" })
        assert.strictEqual((yield* run(org, id)).status, "completed")
      }))

    test("without a source, or with one that is gone, end with a clear error", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const translations = yield* Translations
        const none = yield* translations.create(org, { language: "fr" })
        assert.isFalse("source" in none)
        assert.match((yield* run(org, none.id)).lastError!, /has no source space/)
        yield* translations.run(org, id)
        yield* (yield* Spaces).remove(space)
        yield* work
        const gone = yield* translations.get(org, id)
        assert.deepInclude(gone, { status: "pending", lastError: "The source space was deleted" })
      }))

    test("are for administrators alone once their source belongs to another organization", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const { result } = yield* run(org, id)
        const translations = yield* Translations
        const ada = yield* (yield* Users).create({ email: "ada@example.com" })
        yield* (yield* Organizations).join(org, ada.id, "create")
        const asAda = Effect.provideService(CurrentActor, { type: "user", user: ada.id })
        assert.strictEqual((yield* asAda(translations.list(org, {}))).count, 1)
        const other = yield* (yield* Organizations).create({ title: "Other" })
        yield* (yield* Spaces).transfer(space, other.id)
        assert.strictEqual((yield* asAda(translations.list(org, {}))).count, 0)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(asAda(translations.get(org, id)))))
        const failed = yield* run(org, id)
        assert.strictEqual(failed.lastError, "The source space belongs to another organization now")
        assert.deepStrictEqual(failed.result, result)
      }))

    test("make another result where theirs is gone, and are told where it is locked", (engine) =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const spaces = yield* Spaces
        const { result } = yield* run(org, id)
        yield* spaces.update(result!.space, { editMode: "locked" })
        yield* edit(space, [page("New", "Fresh.")])
        assert.match((yield* run(org, id)).lastError!, /is locked/)
        yield* spaces.remove(result!.space)
        engine.take()
        const again = yield* run(org, id)
        assert.deepStrictEqual(engine.take(), [])
        assert.notStrictEqual(again.result!.space, result!.space)
        assert.lengthOf((yield* read(again.result!.space)).pages, 3)
      }))

    test("go with their source, and leave their result", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const translations = yield* Translations
        const other = yield* translations.create(org, { source: { space }, language: "fr" })
        const { result } = yield* run(org, id)
        yield* run(org, other.id)
        const storage = yield* Storage
        assert.isTrue(yield* translations.remove(org, other.id))
        assert.isFalse(yield* translations.remove(org, other.id))
        yield* work
        assert.strictEqual(yield* storage.repository(TranslatedTable).count({ translation: other.id }), 0)
        // What it keeps of its pages outlives a collection, even where the result has been emptied since.
        yield* edit(
          result!.space,
          (yield* read(result!.space)).ids.map((page) => ({ operation: "delete_page" as const, page }))
        )
        yield* TestClock.adjust("3 days")
        yield* collect()
        const kept = yield* storage.repository(TranslatedTable).list({ where: { translation: id } })
        const objects = yield* ObjectStore
        for (const { made, answers } of kept) {
          assert.notInclude(yield* objects.get([made.document!, answers]), undefined)
        }
        yield* (yield* Spaces).remove(space)
        yield* TestClock.adjust("8 days")
        yield* work
        assert.strictEqual(yield* storage.repository(TranslationTable).count({ organization: org }), 0)
        assert.strictEqual(yield* storage.repository(TranslatedTable).count({ space }), 0)
        assert.isDefined(yield* storage.repository(SpaceTable).get({ id: result!.space }))
        assert.lengthOf((yield* read(result!.space)).pages, 0)
      }))

    test("open their result to those whom the source was granted to", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const spaces = yield* Spaces
        const ada = yield* (yield* Users).create({ email: "ada@example.com" })
        yield* spaces.update(space, { defaultLevel: null })
        yield* (yield* Organizations).join(org, ada.id, "read")
        const asAda = Effect.provideService(CurrentActor, { type: "user", user: ada.id })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(asAda((yield* Translations).get(org, id)))))
        yield* (yield* Grants).give({ kind: "space", id: space }, { users: [ada.id], role: "read" })
        const { result } = yield* run(org, id)
        const shown = yield* asAda(spaces.get(result!.space))
        assert.deepInclude(shown, { defaultLevel: null, access: "kept" })
        assert.deepStrictEqual((yield* asAda((yield* Translations).get(org, id))).permissions, {
          view: true,
          edit: false
        })
      }))

    test("are as open as their source from then on, until someone opens the result", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const [spaces, grants] = [yield* Spaces, yield* Grants]
        const ada = yield* (yield* Users).create({ email: "ada@example.com" })
        yield* (yield* Organizations).join(org, ada.id, "read")
        const target = { kind: "space", id: space } as const
        yield* grants.give(target, { users: [ada.id], role: "edit" })
        const made = (yield* run(org, id)).result!.space
        const level = Effect.gen(function* () {
          const asAda = Effect.provideService(CurrentActor, { type: "user", user: ada.id })
          const seen = yield* Effect.exit(asAda(spaces.get(made)))
          const listed = (yield* asAda(spaces.list(org, {}))).items.some((one) => one.id === made)
          assert.strictEqual(listed, Exit.isSuccess(seen))
          return Exit.isSuccess(seen) ? (seen.value.permissions.edit ? "edit" : "read") : undefined
        })
        assert.strictEqual(yield* level, "edit")
        yield* grants.change(target, "user", ada.id, "read")
        assert.strictEqual(yield* level, "read")
        yield* spaces.update(space, { defaultLevel: null })
        assert.strictEqual(yield* level, "read")
        yield* grants.remove(target, "user", ada.id)
        assert.strictEqual(yield* level, undefined)
        // Moving it opens nothing, nor does the end of its source.
        const { id: parent } = yield* (yield* Collections).create(org, {})
        yield* spaces.move(made, { parent })
        assert.strictEqual(yield* level, undefined)
        yield* spaces.remove(space)
        yield* TestClock.adjust("8 days")
        yield* work
        assert.isUndefined(yield* (yield* Storage).repository(SpaceTable).get({ id: space }))
        assert.strictEqual(yield* level, undefined)
        const opened = yield* spaces.update(made, { access: "inherit" })
        assert.deepInclude(opened, { defaultLevel: "read", access: "inherit" })
        assert.strictEqual(yield* level, "read")
      }))

    test("stay as closed as they were when their source goes to another organization", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const spaces = yield* Spaces
        yield* spaces.update(space, { defaultLevel: null })
        const made = (yield* run(org, id)).result!.space
        yield* spaces.transfer(space, yield* organization)
        assert.deepInclude(yield* spaces.get(made), { defaultLevel: null, access: "kept", organization: org })
      }))
  })
}

const servicesWith = (engine: Engine, storage: (typeof adapters)["memory"] | (typeof adapters)["sqlite"]) =>
  Layer.fresh(
    Lectern.layer({ hasher: NodeHasher.layer, translator: engine.layer }).pipe(
      Layer.provideMerge(storage),
      Layer.merge(actor)
    )
  )

type Services = Layer.Success<ReturnType<typeof servicesWith>>
