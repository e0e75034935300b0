import { assert, describe, it } from "@effect/vitest"
import * as WireDocument from "@lectern/document/wire/WireDocument"
import * as DocumentInput from "@lectern/document/DocumentInput"
import { parse, print } from "@lectern/document/markdown/Markdown"
import { Result } from "effect"

/** Returns Markdown after a client changed the JSON of its document. */
const edited = (markdown: string, from: string, to: string): string => {
  let last = 0
  const nextKey = () => `k${last++}`
  const { document } = parse(markdown, { nextKey })
  const json = JSON.stringify(WireDocument.encode(document), (name, value: unknown) =>
    name === "text" && typeof value === "string" ? value.replace(from, to) : value
  )
  return print(Result.getOrThrow(DocumentInput.normalizeDocument(JSON.parse(json), nextKey)))
}

const quote = (text: string) =>
  `<blockquote class="a">\n  <p>\n    ${text} see <a href="https://example.com/one">one of the repo</a>.\n  </p>\n</blockquote>\n`

describe("words of HTML", () => {
  const cases: ReadonlyArray<readonly [name: string, before: string, from: string, to: string, after: string]> = [
    ["a word", quote("For more"), "more", "less", quote("For less")],
    ["words that are added", quote("For more"), "more", "more and more", quote("For more and more")],
    ["a word that is removed", quote("For much more"), "much more", "more", quote("For more")],
    ["a second occurrence", quote("A more, or more"), "or more", "or less", quote("A more, or less")],
    ["a word that an attribute has", quote("For example"), "For example", "For one", quote("For one")],
    ["signs of HTML", quote("For more"), "more", "a < b & c", quote("For a &lt; b &amp; c")],
    ["a word in a link", quote("For more"), "the repo", "a repo", quote("For more").replace("the repo", "a repo")]
  ]
  it.each(cases)("are changed where they stand: %s", (_, before, from, to, after) => {
    assert.strictEqual(edited(before, from, to), after)
  })

  it("replace the HTML if it has them in another form", () => {
    const text = edited('<div class="a">Salt &amp; pepper</div>\n', "Salt & pepper", "Sugar & spice")
    assert.notInclude(text, "<div")
    assert.include(text, "Sugar")
  })
})
