/**
 * Text made to break the conversion of elements. No clock: what takes quadratic time here would take minutes, beyond the
 * time limit of any test.
 */
import { assert, describe, it } from "@effect/vitest"
import * as Conversion from "@lectern/document/markdown/elements/Conversion"

const size = 2_000_000
const maxLines = 49_000

/** Returns a text of this size from copies of a part. */
const copies = (part: string): string => {
  const lines = part.split("\n").length - 1
  return part.repeat(Math.min(Math.ceil(size / part.length), lines === 0 ? Infinity : Math.floor(maxLines / lines)))
}

const wide = " and some more words".repeat(3)

const texts: Record<string, string> = {
  "components without an end": copies(`<Note> a${wide}\n`),
  "ends of components": copies(`</Note> a${wide}\n`),
  "components on one line": copies("<Note>"),
  "braces without an end": copies("{"),
  "strings without an end in braces": copies("{'"),
  "braces without an end on each line": copies(`{a${wide}\n`),
  "attributes without an end": copies("<A b={ "),
  "quotes without an end": copies('<A b="'),
  "attributes of one component": copies("<A\nb c d\n"),
  "type parameters": copies("A<T b c d "),
  "shortcodes without an end": copies('{{< a "'),
  "shortcodes in quotes": copies('{{<a "{{<a " '),
  "shortcodes with many values": copies("{{< a b c d "),
  "statements without an end": copies("export const a = {\n\n"),
  wikilinks: copies("[[a|"),
  "fences of two lengths": copies("````\n```\n"),
  "comments without an end on each line": copies(`a <!-- b${wide}\n`),
  "comments that start lines": copies(`<!-- b${wide}\n`),
  "raw HTML without an end": copies(`<pre> b${wide}\n`),
  "summaries without an end": copies("<summary>"),
  "nested tabs": copies("<Tabs>\n<Tab title='a'>\n"),
  "tabs with titles in a list": `<Tabs items={[${"'a',".repeat(2000)}]}>\n${copies("<Tab>\nx\n</Tab>\n")}</Tabs>`,
  cards: `<CardGroup>\n${copies(`<Card title='a'>b **c** [d](e)${wide}</Card>\n`)}</CardGroup>`,
  "code in a group": `<CodeGroup>\n${copies("```a\n```\n")}</CodeGroup>`,
  "lists on one line": copies("- "),
  "quotes on one line": copies("> "),
  "indented components": copies(`${"  ".repeat(50)}<Note>\n`),
  "backticks of all lengths": Array.from({ length: 300 }, (_, i) => `${"`".repeat(i + 1)} `).join(""),
  "a template in an expression": copies("{`${"),
  "elements of HTML": copies(`<div>\n${wide}\n`)
}

describe("the conversion of hostile text", () => {
  for (const [name, text] of Object.entries(texts)) {
    for (const isMdx of [true, false]) {
      it(`${name}${isMdx ? " in MDX" : ""}`, () => {
        const conversion = Conversion.convert(text, { isMdx, resolve: () => ({ kind: "page", page: "a" }) })
        assert.isAtMost(conversion?.text.length ?? 0, 20 * text.length + 1000)
      })
    }
  }

  it("leaves text alone that is too large for a page", () =>
    assert.isUndefined(
      Conversion.convert("<Note>a</Note>\n".repeat(700_000), { isMdx: true, resolve: () => undefined })
    ))
})
