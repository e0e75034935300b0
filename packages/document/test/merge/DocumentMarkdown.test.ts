import { assert, describe, it } from "@effect/vitest"
import type { Document } from "@lectern/document/Document"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import { diff } from "@lectern/document/difference/DocumentDiff"
import { mergeDocuments } from "@lectern/document/merge/DocumentMerge"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as fc from "fast-check"
import { runs } from "../../../core/test/Runs.ts"

const page = `# Webhooks

Lectern calls a URL of yours when something **changes**. See [the events](/pages/events) for what it sends.

{% hint style="info" %}
Only organization admins add webhooks.
{% endhint %}

1. Open the settings
2. Choose *Webhooks*
   * A secret is made for you
3. Save

| Event | **When** | Retries |
| --- | :---: | --- |
| page.created | a page is added | 3 |
| page.deleted | a page is removed | 5 |
| space.renamed | a space has a new title | 3 |

{% tabs %}
{% tab title="curl" %}
\`\`\`sh
curl -X POST "$URL" \\
  -H "Authorization: Bearer $TOKEN"
\`\`\`
{% endtab %}

{% tab title="Node" %}
Use \`fetch\`.
{% endtab %}
{% endtabs %}

The end.
`

/** Reads Markdown with keys that no other reading has. */
const reader = () => {
  let count = 0
  const read = (text: string): Document => Markdown.parse(text, { nextKey: () => `k${count++}x` }).document
  return { read, write: (previous: Document, text: string) => align(previous, read(text)) }
}

const edits: ReadonlyArray<readonly [string, string]> = [
  ["of yours", "of your choice"],
  ["/pages/events", "/pages/all-events"],
  ["Only organization admins", "Only admins"],
  ["Choose *Webhooks*", "Choose *Webhooks* and wait"],
  ["a page is removed", "a page is gone"],
  ["curl -X POST", "curl -X PUT"],
  ["Use `fetch`.", "Use `undici`."],
  ["The end.", "Over."]
]

describe("documents written as Markdown", () => {
  const { read, write } = reader()
  const stored = read(page)

  it("writing back what was read changes nothing", () => {
    assert.strictEqual(write(stored, Markdown.print(stored)), stored)
  })

  it.each(edits)("%s → %s edits one block", (from, to) => {
    const after = write(stored, page.replace(from, to))
    assert.deepStrictEqual(
      diff(stored, after).map((change) => change.kind),
      ["edited"]
    )
  })

  it("merges edits of two people as if one had made them", () => {
    for (const [i, one] of edits.entries()) {
      for (const other of edits.slice(i + 1)) {
        const result = mergeDocuments({
          base: stored,
          main: write(stored, page.replace(...one)),
          ours: write(stored, page.replace(...other))
        })
        assert.deepStrictEqual(result.conflicts, [])
        assert.strictEqual(
          Markdown.print(result.document),
          Markdown.print(read(page.replace(...one).replace(...other)))
        )
      }
    }
  })

  it("merges rows that two people added to one table", () => {
    const row = "| page.deleted | a page is removed | 5 |\n"
    const before = "| page.edited | a page has new text | 1 |\n"
    const after = "| page.moved | a page has a new place | 2 |\n"
    const result = mergeDocuments({
      base: stored,
      main: write(stored, page.replace(row, before + row)),
      ours: write(stored, page.replace(row, row + after))
    })
    assert.deepStrictEqual(result.conflicts, [])
    assert.strictEqual(Markdown.print(result.document), Markdown.print(read(page.replace(row, before + row + after))))
    const samePlace = mergeDocuments({
      base: stored,
      main: write(stored, page.replace(row, row + before)),
      ours: write(stored, page.replace(row, row + after))
    })
    assert.deepStrictEqual(samePlace.conflicts, [])
    assert.strictEqual(
      Markdown.print(samePlace.document),
      Markdown.print(read(page.replace(row, row + before + after)))
    )
    assert.strictEqual(write(samePlace.document, Markdown.print(samePlace.document)), samePlace.document)
  })

  it("adds a column to a table that the other side edits", () => {
    const wider = page
      .replace("| Event | **When** | Retries |\n| --- |", "| Event | _Since_ | **When** | Retries |\n| --- | --- |")
      .replace(/^\| ((?:page|space)\.\w+) \|/gmu, "| $1 | v1 |")
    const main = write(stored, wider)
    assert.strictEqual(write(main, Markdown.print(main)), main)
    const result = mergeDocuments({
      base: stored,
      main,
      ours: write(stored, page.replace("a page is removed", "it is gone"))
    })
    assert.deepStrictEqual(result.conflicts, [])
    assert.strictEqual(
      Markdown.print(result.document),
      Markdown.print(read(wider.replace("a page is removed", "it is gone")))
    )
  })

  it("has once what both sides put in another order, however little each part says", () => {
    const forms = [
      (words: ReadonlyArray<string>) => words.join("\n\n"),
      (words: ReadonlyArray<string>) => words.map((word) => `* ${word}`).join("\n"),
      (words: ReadonlyArray<string>) => ["```", ...words, "```"].join("\n")
    ]
    const orders = fc.integer({ min: 2, max: 7 }).chain((size) => {
      const words = Array.from({ length: size }, (_, i) => `w${i}w`)
      const order = fc.shuffledSubarray(words, { minLength: size, maxLength: size })
      return fc.tuple(fc.constantFrom(...forms), fc.constant(words), order, order)
    })
    const law = fc.property(orders, ([form, words, left, right]) => {
      const base = read(form(words))
      const { conflicts, document } = mergeDocuments({
        base,
        main: write(base, form(left)),
        ours: write(base, form(right))
      })
      // Where a side seems to have put one in place of another, a person is asked.
      if (conflicts.length === 0) {
        assert.sameMembers([...Markdown.print(document).matchAll(/w\d+w/gu)].map(String), [...words])
      }
    })
    fc.assert(law, runs(100, 2_000))
  })
})
