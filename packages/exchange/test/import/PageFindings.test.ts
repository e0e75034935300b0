import { assert, describe, it } from "@effect/vitest"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { findingsOf } from "@lectern/exchange/import/PageFindings"

const locations = (text: string) => {
  let key = 0
  const { document } = Markdown.parse(text, { nextKey: () => `k${key++}` })
  return findingsOf(document, text).markup.flatMap(({ kind, locations }) =>
    locations.map(({ line, text }) => [kind, line, text])
  )
}

describe("The locations of markup that stayed text", () => {
  it("have the lines of equal texts in their order", () =>
    assert.deepStrictEqual(locations("A {{ x }}.\n\nB\n\n{{ y }} and\n{{ x }}\n"), [
      ["template", 1, "{{ x }}"],
      ["template", 5, "{{ y }}"],
      ["template", 6, "{{ x }}"]
    ]))

  it("have no line if the text also occurs where it did not stay text", () =>
    assert.deepStrictEqual(
      locations("Write `{{ x }}`:\n\n```\n[[Notes]]\n```\n\nA {{ x }} and {{ y }}, [[Notes]].\n"),
      [
        ["template", undefined, "{{ x }}"],
        ["template", 7, "{{ y }}"],
        ["wikilink", undefined, "[[Notes]]"]
      ]
    ))
})
