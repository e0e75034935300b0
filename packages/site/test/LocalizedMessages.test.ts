/** Tests the messages of the interface: every language has the messages and placeholders of English. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import * as LocalizedMessages from "../src/page/LocalizedMessages.ts"

const folder = new URL("../src/page/messages/", import.meta.url)

/** Returns the placeholders of each message by its path. Forms of a plural count as one message. */
const placeholdersOf = (value: unknown, path = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return [`${path} ${(value.match(/\{\w+\}/g) ?? []).join(" ")}`]
  const entries = Object.entries(value as object)
  const shown = path.endsWith(".results") ? entries.filter(([form]) => form === "other") : entries
  return shown.flatMap(([key, one]) => placeholdersOf(one, `${path}.${key}`)).toSorted()
}

const messages = Object.fromEntries(
  readdirSync(folder)
    .filter((name) => name.endsWith(".json"))
    .map((name) => [name.slice(0, -5), JSON.parse(readFileSync(new URL(name, folder), "utf8"))])
)

describe("LocalizedMessages", () => {
  it.each(LocalizedMessages.languages)("%s has the messages and placeholders of English", (language) => {
    assert.deepStrictEqual(placeholdersOf(messages[language]), placeholdersOf(messages["en"]))
  })

  it("has no file without a language", () => {
    assert.sameMembers(Object.keys(messages), LocalizedMessages.languages)
  })

  it("inserts values, and chooses the form for a number", () => {
    const { actions, backToText, results } = LocalizedMessages.messagesFor("en")
    assert.strictEqual(backToText("2.1"), "Back to reference 2.1")
    assert.strictEqual(actions.edit("$& $1"), "Edit on $& $1")
    assert.deepStrictEqual([results(1), results(2)], ["1 page found", "2 pages found"])
    const russian = LocalizedMessages.messagesFor("ru").results
    assert.deepStrictEqual([1, 3, 5, 21].map(russian), [
      "Найдена 1 страница",
      "Найдено 3 страницы",
      "Найдено 5 страниц",
      "Найдена 21 страница"
    ])
  })
})
