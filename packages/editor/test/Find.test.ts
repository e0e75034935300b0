/** Find and replace, by keys, in a real browser; and the outline of a document. */
import { assert, describe, it } from "@effect/vitest"
import { documentNode } from "@lectern/editor/DocumentNodes"
import { matchesIn } from "@lectern/editor/find/TextSearch"
import { outlineOf } from "@lectern/editor/Outline"
import { parse } from "../../document/test/markdown/laws.ts"
import { faultsOf } from "../../site/test/Axe.ts"
import { browserOfFile } from "../../site/test/Chromium.ts"
import { edit } from "./EditorPage.ts"

describe("Find and replace", () => {
  const browser = browserOfFile()

  it("goes through the matches by keys, and replaces one or all with their marks", () =>
    edit(
      browser(),
      "## Beans\n\nGrind **beans** and BEANS.\n\n* beanstalk\n",
      async ({ markdown, page, press, type }) => {
        await press("Control+f")
        await page.waitForSelector(".lectern-find input:focus")
        await type("beans")
        const status = page.locator(".lectern-find-status")
        assert.strictEqual(await status.textContent(), "1 of 4")
        await press("Enter", "Enter")
        assert.strictEqual(await status.textContent(), "3 of 4")
        await press("Shift+Enter")
        assert.strictEqual(await status.textContent(), "2 of 4")
        assert.deepStrictEqual(await faultsOf(page), [])
        await page.click("button >> text=Whole words")
        await page.click("button >> text=Match case")
        assert.strictEqual(await status.textContent(), "1 of 1")
        await page.fill("[aria-label='Replace by']", "seeds")
        await press("Enter")
        assert.include(await markdown(), "Grind **seeds** and BEANS.")
        await page.click("button >> text=Match case")
        await page.fill("[aria-label='Replace by']", "$1")
        await page.click("button >> text=Replace all")
        assert.strictEqual(await status.textContent(), "Replaced: 2")
        assert.strictEqual(await markdown(), "## $1\n\nGrind **seeds** and $1.\n\n* beanstalk\n")
        await page.locator("input[aria-label=Find]").focus()
        await press("Escape", "Control+z")
        assert.strictEqual(await page.locator(".lectern-find").count(), 0)
        assert.strictEqual(await markdown(), "## Beans\n\nGrind **seeds** and BEANS.\n\n* beanstalk\n")
      }
    ))

  it("takes signs of patterns as text, and finds words around pictures in the text", () => {
    const doc = documentNode(parse("a.b (c) a:coffee:b\n\n`a.b`\n").document)
    const found = (text: string) =>
      matchesIn(doc, { text, hasCase: true, isWholeWord: false }).map(({ from, to }) => doc.textBetween(from, to))
    assert.deepStrictEqual(found("a.b"), ["a.b", "a.b"])
    assert.deepStrictEqual(found("(c)"), ["(c)"])
    assert.deepStrictEqual(found("ab"), [])
    assert.deepStrictEqual(found(""), [])
  })
})

describe("The outline", () => {
  it("has the headings with their keys, and counts words in any script", () => {
    const { document } = parse("## One\n\nTwo words.\n\n### مرحبا بالعالم\n\n```js\na()\n```\n")
    const { headings, words } = outlineOf(documentNode(document), "en")
    assert.deepStrictEqual(
      headings.map(({ level, title }) => [level, title]),
      [
        [1, "One"],
        [2, "مرحبا بالعالم"]
      ]
    )
    assert.strictEqual(headings[0]!.key, document.nodes[0]!.key)
    assert.strictEqual(words, 6)
  })
})
