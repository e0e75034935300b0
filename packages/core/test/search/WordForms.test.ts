import { assert, describe, it } from "@effect/vitest"
import { stemOf } from "@lectern/core/search/WordForms"
import { foldText } from "@lectern/core/search/Words"
import { Language } from "@lectern/core/schema/Language"
import { isWord } from "@lectern/core/storage/SearchIndex"
import * as fc from "fast-check"
import { runs } from "../Runs.ts"

describe("WordForms", () => {
  it.each([
    [undefined, "subscriptions", "subscription"],
    ["en", "customise", "customize"],
    ["en", "customising", "customization"],
    ["en", "analyse", "analyzed"],
    ["en", "colours", "color"],
    ["en", "behaviour", "behaviors"],
    ["en", "centre", "centers"],
    ["en", "catalogue", "catalogs"],
    ["en", "licence", "licenses"],
    ["en", "cancelled", "cancel"],
    ["en", "libraries", "library"],
    ["en", "configured", "configuring"],
    ["de", "häuser", "haus"],
    ["de", "einstellungen", "einstellung"],
    ["fr", "réglages", "réglage"],
    ["es", "suscripciones", "suscripción"],
    ["pt-br", "configurações", "configuração"],
    ["ru", "настройки", "настройка"],
    ["ru", "subscriptions", "subscription"],
    ["zh", "subscriptions", "subscription"],
    ["uk", "налаштуваннями", "налаштування"]
  ] as const)("in %s, %s is a form of %s", (language, one, other) => {
    assert.strictEqual(stemOf(language)(one), stemOf(language)(other))
  })

  it.each([
    ["en", "four", "for"],
    ["en", "hour", "hor"],
    ["en", "server", "service"],
    ["en", "v1", "v2"],
    ["pl", "subscriptions", "subscription"],
    ["de", "server", "service"]
  ] as const)("in %s, %s is no form of %s", (language, one, other) => {
    assert.notStrictEqual(stemOf(language)(one), stemOf(language)(other))
  })

  it("makes words of whatever is one, in every language, the same each time", () => {
    const small = fc.string({ unit: "binary", minLength: 1, maxLength: 80 }).map((text) => text.toLowerCase())
    const likely = fc.stringMatching(/^[a-zäéñøßжяη]{1,20}$/)
    fc.assert(
      fc.property(fc.constantFrom(...Language.literals), fc.oneof(small, likely), (language, word) => {
        if (!isWord(foldText(word))) return
        const stem = stemOf(language)(word)
        assert.isTrue(isWord(stem), stem)
        assert.strictEqual(stemOf(language)(word), stem)
      }),
      runs(1_000)
    )
  })
})
