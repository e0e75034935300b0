/** Translations on both adapters, from their making to what is in the result. */
import { Contents } from "@lectern/core/content/Contents"
import { assert, describe, it } from "@effect/vitest"
import { Jobs } from "@lectern/core/job/Jobs"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { TranslatedTable, TranslationTable } from "@lectern/core/translation/Translation"
import { Glossaries } from "@lectern/core/translation/Glossaries"
import type { GlossaryUpdate } from "@lectern/core/translation/GlossaryEntry"
import { Translations } from "@lectern/core/translation/Translations"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { eventsOf } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { Engine, shouted, timesOut } from "./Engine.ts"
import { adapters, begin, edit, page, read, run, type Services, servicesWith, work } from "./TranslationSteps.ts"

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

    test("leave out what people removed from the result, also when its source changes or comes elsewhere", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const { result } = yield* run(org, id)
        const { ids } = yield* read(space)
        yield* edit(result!.space, [{ operation: "delete_page", page: ids[1]! }])
        yield* edit(space, [
          { operation: "update_page", page: ids[1]!, title: "More rules", document: { markdown: "Other rules." } },
          page("New", "Something new."),
          { operation: "update_page", page: ids[1]!, at: 0 }
        ])
        yield* run(org, id)
        const titles = (yield* read(result!.space)).pages.map(([title]) => title)
        assert.deepStrictEqual(titles, ["⟦Šţáŕţ⟧", "⟦Ñéŵ⟧"])
        yield* edit(space, [
          page("Chapter", "", "chapter"),
          { operation: "update_page", page: ids[1]!, into: "chapter" }
        ])
        yield* run(org, id)
        const contents = yield* Contents
        const all = yield* contents.pages(yield* contents.locate({ space: result!.space }))
        assert.lengthOf(all.pages, 3)
        assert.notInclude(JSON.stringify(all), ids[1]!)
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
        const events = yield* eventsOf("translation_finished")
        assert.deepStrictEqual(
          events.map(({ state }) => state),
          ["failure", "success", "failure", "failure", "success"]
        )
        assert.deepInclude(events[0], { space, translation: id, startedBy: null })
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
  })
}
