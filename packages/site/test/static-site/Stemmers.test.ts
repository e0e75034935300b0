/** The stemmers that browsers load are those of the core. */
import { Language } from "@lectern/core/schema/Language"
import { stemOf } from "@lectern/core/search/WordForms"
import * as Words from "@lectern/core/search/Words"
import { assert, describe, it } from "@effect/vitest"
import * as SearchScripts from "../../src/static-site/SearchScripts.ts"
import { stemmerOf } from "../../src/static-site/Stemmers.ts"

/** A word of each language whose stem is another word. */
const words: Readonly<Record<string, string>> = {
  ar: "المكتبات",
  bg: "книгите",
  da: "bøgerne",
  de: "bücher",
  el: "βιβλιων",
  es: "canciones",
  fi: "talossa",
  fr: "maisons",
  hi: "लड़कियों",
  hu: "könyvek",
  id: "membaca",
  it: "canzoni",
  lt: "knygos",
  nl: "boeken",
  no: "bøkene",
  pt: "canções",
  "pt-br": "canções",
  "pt-pt": "canções",
  ro: "cântecele",
  ru: "книгами",
  sv: "böckerna",
  tr: "kitaplar",
  uk: "книгами"
}

const load = async (script: string, language: string) => {
  const holder = globalThis as { lecternStemmer?: (word: string) => string }
  await import(`data:text/javascript,${encodeURIComponent(`${script}// ${language}`)}`)
  const { lecternStemmer } = holder
  delete holder.lecternStemmer
  return lecternStemmer!
}

describe("Stemmers", () => {
  it("has the stemmer of each language", async () => {
    for (const [language, word] of Object.entries(words) as ReadonlyArray<[Language, string]>) {
      const stemmer = await load(SearchScripts.stemmers[stemmerOf(language)!], language)
      const stem = stemOf(language)(word)
      assert.strictEqual(stem, Words.foldText(stemmer(word)), language)
      assert.notStrictEqual(stem, Words.foldText(word), language)
    }
  })

  it("needs no stemmer for all other languages", () => {
    const english = stemOf("en")
    for (const language of Language.literals) {
      if (language in words) continue
      assert.isUndefined(stemmerOf(language))
      for (const word of [...Object.values(words), "installations"])
        assert.include([Words.foldText(word), english(word)], stemOf(language)(word), `${language} ${word}`)
    }
  })
})
