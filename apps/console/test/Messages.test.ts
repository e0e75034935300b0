import { assert, describe, it } from "@effect/vitest"
import { blockTypes } from "@lectern/document/vocabulary/BlockTypes"
import { englishTexts } from "@lectern/editor/EditorTexts"
import { formFields } from "@lectern/editor/form/BlockForm"
import { columnTypes } from "@lectern/editor/table/TableCommands"
import ar from "../src/language/ar.json" with { type: "json" }
import de from "../src/language/de.json" with { type: "json" }
import editorAr from "../src/language/editor.ar.json" with { type: "json" }
import editorDe from "../src/language/editor.de.json" with { type: "json" }
import writingAr from "../src/language/writing.ar.json" with { type: "json" }
import writingDe from "../src/language/writing.de.json" with { type: "json" }
import writingEn from "../src/language/writing.en.json" with { type: "json" }
import en from "../src/language/en.json" with { type: "json" }

const placeholders = (text: string): ReadonlyArray<string> => (text.match(/\{\w+\}/g) ?? []).sort()

/** Words of the forms of all types of blocks, and of the types of columns. */
const editorWords = [
  ...new Set([...columnTypes, ...Object.keys(blockTypes).flatMap((type) => formFields(type).map(([name]) => name))])
]

describe("Texts of the console", () => {
  for (const [language, messages] of Object.entries({ ar, de }))
    it(`are the same in ${language} as in English, with the same placeholders`, () => {
      assert.deepStrictEqual(Object.keys(messages), Object.keys(en))
      for (const [key, message] of Object.entries(messages)) {
        const english = en[key as keyof typeof en]
        assert.strictEqual(typeof message, typeof english, key)
        if (typeof message === "string")
          assert.deepStrictEqual(placeholders(message), placeholders(english as string), key)
        else assert.isString(message.other, key)
      }
    })

  for (const [language, messages] of Object.entries({ ar: writingAr, de: writingDe }))
    it(`are the same for writing in ${language} as in English`, () => {
      assert.deepStrictEqual(Object.keys(messages), Object.keys(writingEn))
      for (const [key, message] of Object.entries(messages))
        assert.deepStrictEqual(placeholders(message), placeholders(writingEn[key as keyof typeof writingEn]), key)
    })

  for (const [language, { words, ...messages }] of Object.entries({ ar: editorAr, de: editorDe }))
    it(`are complete in the editor in ${language}`, () => {
      assert.deepStrictEqual(Object.keys(messages), Object.keys(englishTexts))
      for (const [key, message] of Object.entries(messages))
        assert.deepStrictEqual(placeholders(message), placeholders(englishTexts[key as keyof typeof englishTexts]), key)
      assert.deepStrictEqual(
        editorWords.filter((word) => !Object.hasOwn(words, word)),
        []
      )
    })
})
