import { assert, describe, it } from "@effect/vitest"
import ar from "../src/language/ar.json" with { type: "json" }
import de from "../src/language/de.json" with { type: "json" }
import en from "../src/language/en.json" with { type: "json" }

const placeholders = (text: string): ReadonlyArray<string> => (text.match(/\{\w+\}/g) ?? []).sort()

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
})
