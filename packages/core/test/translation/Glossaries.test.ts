import { GlossaryEntryTable, type GlossaryUpdate, maxEntries } from "@lectern/core/translation/GlossaryEntry"
import { Glossaries } from "@lectern/core/translation/Glossaries"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adapters } from "../Instances.ts"

const insert = (translations: object) => ({ type: "insert", translations }) as GlossaryUpdate["operations"][number]
const space = insert({ en: "space", de: "Bereich" })
const page = insert({ en: "page", fr: "page" })

const ready = Effect.map(Effect.all([members, Glossaries]), ([fixture, glossaries]) => ({ ...fixture, glossaries }))

for (const [name, services] of onEach(adapters)) {
  describe(`Glossaries (${name})`, () => {
    const rule = ruleOn(services)

    rule("list entries in order of creation, or by their terms in a language", () =>
      Effect.gen(function* () {
        const { org, glossaries } = yield* ready
        yield* glossaries.update(org, { operations: [space, page, insert({ de: "Abschnitt" })] })
        const terms = (orderBy?: "en" | "de") =>
          Effect.map(glossaries.list(org, orderBy === undefined ? {} : { orderBy }), ({ items }) =>
            items.map(({ translations: { en, de } }) => en ?? de)
          )
        assert.deepStrictEqual(yield* terms(), ["space", "page", "Abschnitt"])
        assert.deepStrictEqual(yield* terms("en"), ["page", "space", "Abschnitt"])
        assert.deepStrictEqual(yield* terms("de"), ["Abschnitt", "space", "page"])
      })
    )

    rule("are changed by members from the level create on, and read by every member", () =>
      Effect.gen(function* () {
        const { org, people, glossaries } = yield* ready
        const changes = yield* outcomes(people, glossaries.update(org, { operations: [space] }))
        assert.deepStrictEqual(changes, {
          ok: "host admin create",
          Forbidden: "review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
        const { id } = (yield* glossaries.list(org, {})).items[0]!
        for (const read of [glossaries.list(org, {}), glossaries.get(org, id)]) {
          assert.deepStrictEqual(yield* outcomes(people, read), {
            ok: "host admin create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
      })
    )

    rule("apply all operations or none", () =>
      Effect.gen(function* () {
        const { org, glossaries } = yield* ready
        yield* glossaries.update(org, { operations: [space] })
        const before = yield* glossaries.list(org, {})
        const { id } = before.items[0]!
        const update = glossaries.update(org, {
          operations: [page, { type: "delete", id }, { type: "update", id, translations: { en: "area" } }]
        })
        assert.strictEqual(yield* outcome(update), "GlossaryEntryNotFound")
        assert.deepStrictEqual(yield* glossaries.list(org, {}), before)
      })
    )

    rule("replace the terms of an entry, and delete one that is missing without an error", () =>
      Effect.gen(function* () {
        const { org, glossaries } = yield* ready
        yield* glossaries.update(org, { operations: [space] })
        const { id } = (yield* glossaries.list(org, {})).items[0]!
        yield* glossaries.update(org, { operations: [{ type: "update", id, translations: { fr: "espace" } }] })
        assert.deepStrictEqual((yield* glossaries.get(org, id)).translations, { fr: "espace" })
        for (let i = 0; i < 2; i++) yield* glossaries.update(org, { operations: [{ type: "delete", id }] })
        assert.strictEqual(yield* outcome(glossaries.get(org, id)), "GlossaryEntryNotFound")
      })
    )

    rule("belong to one organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere, glossaries } = yield* ready
        yield* glossaries.update(org, { operations: [space] })
        const { id } = (yield* glossaries.list(org, {})).items[0]!
        const change = glossaries.update(elsewhere, {
          operations: [{ type: "update", id, translations: { en: "x" } }]
        })
        for (const absent of [glossaries.get(elsewhere, id), change]) {
          assert.strictEqual(yield* outcome(absent), "GlossaryEntryNotFound")
        }
        yield* glossaries.update(elsewhere, { operations: [{ type: "delete", id }] })
        assert.strictEqual((yield* glossaries.get(org, id)).id, id)
      })
    )

    rule("reject terms that are empty, long or of several lines, and entries without a term", () =>
      Effect.gen(function* () {
        const { org, glossaries } = yield* ready
        for (const translations of [{}, { en: "" }, { en: "x".repeat(256) }, { en: "a\nb" }, { xx1: "a" }]) {
          const update = glossaries.update(org, { operations: [insert(translations)] })
          assert.strictEqual(yield* outcome(update), "InvalidInput", JSON.stringify(translations))
        }
        const many = glossaries.update(org, { operations: Array.from({ length: 501 }, () => space) })
        assert.strictEqual(yield* outcome(many), "InvalidInput")
        assert.strictEqual((yield* glossaries.list(org, {})).count, 0)
      })
    )

    rule("have at most 1,000 entries after all operations", () =>
      Effect.gen(function* () {
        const { org, glossaries } = yield* ready
        for (let i = 0; i < maxEntries / 500; i++) {
          yield* glossaries.update(org, { operations: Array.from({ length: 500 }, () => space) })
        }
        const { id } = (yield* glossaries.list(org, { limit: 1 })).items[0]!
        const late = glossaries.update(org, { operations: [page] })
        assert.strictEqual(yield* outcome(late), "TooManyGlossaryEntries")
        assert.strictEqual(yield* outcome(glossaries.update(org, { operations: [page, { type: "delete", id }] })), "ok")
        const table = (yield* Storage).repository(GlossaryEntryTable)
        assert.strictEqual(yield* table.count({ organization: org }), maxEntries)
      })
    )

    rule("return the terms with translations in both languages to the translation", () =>
      Effect.gen(function* () {
        const { org, glossaries } = yield* ready
        yield* glossaries.update(org, { operations: [space, page, insert({ en: "area", de: "Gebiet" })] })
        assert.deepStrictEqual(yield* glossaries.terms(org, "en", "de"), [
          ["area", "Gebiet"],
          ["space", "Bereich"]
        ])
        assert.deepStrictEqual(yield* glossaries.terms(org, "de", "fr"), [])
      })
    )
  })
}
