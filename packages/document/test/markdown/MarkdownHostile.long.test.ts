/**
 * Text made to break a parser. No clock: what takes quadratic time here would take minutes, beyond
 * the time limit of any test.
 */
import { assert, describe, it } from "@effect/vitest"
import { maxDepth } from "@lectern/document/DocumentSize"
import type { Node } from "@lectern/document/Document"
import { parse, print } from "./laws.ts"

const depthOf = (nodes: ReadonlyArray<Node>): number => {
  let deepest = 0
  const open = nodes.map((node) => ({ node, depth: 1 }))
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    deepest = Math.max(deepest, next.depth)
    if (next.node.object === "text") continue
    for (const node of next.node.nodes ?? []) open.push({ node, depth: next.depth + 1 })
    for (const { nodes: below } of next.node.fragments ?? []) {
      for (const node of below) open.push({ node, depth: next.depth + 1 })
    }
  }
  return deepest
}

const staircase = (levels: number) => Array.from({ length: levels }, (_, i) => `${"  ".repeat(i)}- a\n`).join("")

/** Of one line: white space that no end of a line follows. */
const blanks = " ".repeat(200_000)

const texts: Record<string, string> = {
  "a megabyte on one line": "word ".repeat(200_000),
  "10,000 quotes": `${">".repeat(10_000)} a`,
  "10,000 lists on one line": `${"- ".repeat(10_000)}a`,
  "a megabyte of list markers": `${"- ".repeat(500_000)}a`,
  "lists that nest 200 deep": staircase(200),
  "10,000 lazy lines": `> a\n${"b\n".repeat(12_000)}`,
  "10,000 open brackets": "[".repeat(10_000),
  "10,000 closed brackets": "a]".repeat(10_000),
  "10,000 nested images": `${"![".repeat(10_000)}a${"](b)".repeat(10_000)}`,
  "20,000 stars": "*a_ ".repeat(20_000),
  "20,000 strong openings": "a**b".repeat(20_000),
  "20,000 code openings of all lengths": Array.from({ length: 300 }, (_, i) => `${"`".repeat(i + 1)} `)
    .join("")
    .repeat(3),
  "20,000 comments without end": "a <!--".repeat(20_000),
  "20,000 titles without end": "[a](b (c".repeat(20_000),
  "20,000 underlined headings": "a\n=\n".repeat(20_000),
  "10,000 definitions": Array.from({ length: 9000 }, (_, i) => `[a${i}]: b\n`).join(""),
  "a long definition used often": `[a]: /${"u".repeat(100_000)}\n\n${"[a]\n\n".repeat(2000)}`,
  "10,000 tags without end": "{% hint %}\n".repeat(9000),
  "tags that end nothing": "{% hint %}\n".repeat(2000) + "{% endtabs %}\n{% endtab %}\n{% tab %}\n".repeat(2000),
  "200,000 empty tags": "{% %}".repeat(50_000),
  "tags never closed": '{% a="\n'.repeat(9000),
  "a wide table with many short rows": `${"|a".repeat(5000)}|\n${"|-".repeat(5000)}|\n${"|x|\n".repeat(5000)}`,
  "addresses everywhere": `[ ${"`a` a@b.c www.x ".repeat(5000)}`,
  "dots that could be an address": "a.".repeat(50_000),
  "a megabyte on one line without a space": "ab".repeat(500_000),
  "10,000 nested quotes, a line each": Array.from({ length: 200 }, (_, i) => `${">".repeat(i + 1)} a\n`).join(""),
  "10,000 nested emphases": `${"*a _b ".repeat(10_000)}${"_ *".repeat(10_000)}`,
  "20,000 dollars": "a $b ".repeat(20_000),
  "20,000 pairs of dollars": "a $$b ".repeat(20_000),
  "hints without end": `${":::info a\n".repeat(9000)}:::`,
  "ends of hints": `:::info\n${":::\n".repeat(20_000)}`,
  "a megabyte of colons": `${":".repeat(1_000_000)}info\n:::`,
  "blanks in the title of a hint": `:::info a${blanks}b\n:::`,
  "10,000 lists of attributes": "a note b\n{: .note }\n{: .b }\n".repeat(10_000),
  "20,000 hints that nothing is set in below": "!!! note a\n".repeat(20_000),
  "hints that are set in, in one another": Array.from({ length: 300 }, (_, i) => `${"    ".repeat(i)}!!! note`).join(
    "\n"
  ),
  "20,000 tabs that nothing is set in below": '=== "a"\n'.repeat(20_000),
  "10,000 tabs": '=== "a"\n    b\n'.repeat(10_000),
  "tabs that are set in, in one another": Array.from({ length: 300 }, (_, i) => `${"    ".repeat(i)}=== "a"`).join(
    "\n"
  ),
  "blanks in a tab that is set in": `=== ${blanks}"a${blanks}" b\n    c`,
  "quotation marks in a tab that is set in": `=== "${'"a '.repeat(300)}"\n    c`,
  "a tab below which blank lines stand": `${'=== "a"\n\n\n\n'.repeat(20_000)}    b`,
  "blanks in a hint that is set in": `!!! note ${blanks}"a${blanks}" b\n    c`,
  "lists of attributes without end": "*a*{:.b .c ".repeat(10_000),
  "attributes in a heading": `# ${"*ab*{:.b}".repeat(20_000)}`,
  "a list of attributes that is too long": `{: ${".a ".repeat(100_000)}}`,
  "fences of formulas": "$$\n- a\n\n".repeat(9000),
  "20,000 colons": ":smil".repeat(40_000),
  "values without end": '{% @a/b c="\nd\n\n'.repeat(3000),
  "conditions without end": "{% if a %}\n{% else %}\n".repeat(4000),
  "conditions in one another": `${"{% if a %}\n".repeat(3000)}b\n${"{% endif %}\n".repeat(3000)}`,
  "details without end": "<details>\n\n<summary>a</summary>\n\n".repeat(3000),
  "details in one another": `${"<details>\n\n<summary>a</summary>\n\n".repeat(1000)}b\n\n${"</details>\n\n".repeat(1000)}`,
  "elements in one another": `<p align="center">${"<strong>".repeat(20_000)}a`,
  "attributes without end": `<table ${"a ".repeat(100_000)}`,
  "a table of 20,000 cells in HTML": `<table><thead><tr><th>a</th></tr></thead><tbody>${"<tr><td>b</td></tr>".repeat(20_000)}</tbody></table>`,
  "cells that span all": `<table><thead><tr>${"<th>a</th>".repeat(500)}</tr></thead><tbody>${'<tr><td rowspan="500" colspan="500">b</td></tr>'.repeat(500)}</tbody></table>`,
  "20,000 colours": '<mark style="color:red;">a '.repeat(10_000),
  "colours around all": '<mark style="color:red;">a ![b](c) **d**\\\n'.repeat(3000) + "</mark>",
  "colours in links": `${'<mark style="color:red;">[a](b)<mark style="color:blue;">'.repeat(2000)}${"</mark>".repeat(4000)}`,
  "formulas that touch": "$$a$$".repeat(13_000),
  "formulas that touch a dollar": `${"$$a$$".repeat(13_000)}$`,
  "20,000 pictures": "a <picture>".repeat(20_000),
  "20,000 elements": '<a class="button primary">a '.repeat(10_000),
  "10,000 annotations": "[a](#user-content-fn-1)[^1] ".repeat(5000) + "\n\n[^1]: b",
  "blanks in an element": `<p align="center">a${blanks}b</p>`,
  "blanks in a line of details": `<details>\n\n<summary>a${blanks}b</summary>\n\nc\n\n</details>`,
  "blanks in a cell in HTML": `<table data-view="cards"><thead><tr><th>a</th></tr></thead><tbody><tr><td>b${blanks}c</td></tr></tbody></table>`,
  "blanks in a button": `a <a class="button" href="${blanks}">b</a>`,
  "blanks in a formula": `$a${blanks}b$`,
  "blanks in a formula of many lines": `$a${" \n".repeat(5000)}b$`,
  "scripts and handlers":
    '<script>alert(1)</script>\n\n<p align="center"><video src=x onerror=alert(1)></video></p>\n\n[a](javascript:alert(1)) <a href="javascript:x" class="button primary">b</a>\n',
  "4 MiB of blank lines": "\n".repeat(4_190_000),
  "43,000 paragraphs": "a\n\n".repeat(43_000),
  "20,000 loose items": "- a\n\n\n".repeat(20_000),
  "310 KiB of footnotes": Array.from({ length: 15_000 }, (_, i) => `[^${i}]: note ${i}\n\n`).join(""),
  "2 MiB of line breaks": "a<br>".repeat(400_000),
  "300,000 open brackets": "[".repeat(300_000),
  "300,000 open images": "![".repeat(150_000),
  "300,000 backslashes": "\\".repeat(300_000),
  "300,000 open angles": "<".repeat(300_000),
  "4 Mi quotation marks": "‹".repeat(4_000_000),
  "lists that nest 2,000 deep": staircase(2000),
  "a million quotes": `${">".repeat(1_000_000)}a`,
  "40,000 CDATA sections without end": "a <![CDATA[".repeat(40_000),
  "instructions without end": "a <?b ".repeat(40_000),
  "100,000 links": "[a](b)".repeat(20_000),
  "brackets within brackets": `[a]: b\n\n${"[".repeat(100_000)}a${"]".repeat(100_000)}`,
  "images before links": `${"![".repeat(20_000)}${"[a](b)".repeat(5000)}`,
  "definitions whose titles have no end": "[a]: b (\n".repeat(9000),
  "an address with much behind it": `https://a.b/${"!".repeat(300_000)}x`,
  "a domain of underscores": `www.${"_".repeat(300_000)}x`,
  "domains within a domain": "www._".repeat(100_000),
  "addresses without a domain": "a@".repeat(100_000),
  "backslashes before a footnote's end": `[^${"\\".repeat(900)} ]: a`.repeat(50),
  "tags with long values": `{% a b="\n${"c\n".repeat(4000)}`.repeat(4),
  "front matter that never ends": `---\n${"a: [\n".repeat(9000)}`,
  "front matter of aliases": `---\na: &a [x]\nb: &b [${"*a,".repeat(20)}*a]\nc: [${"*b,".repeat(2000)}*b]\n---\n`
}

describe("Markdown that is hostile", { timeout: 120_000 }, () => {
  for (const [name, text] of Object.entries(texts)) {
    it(name, () => {
      const parsed = parse(text)
      const printed = print(parsed)
      assert.strictEqual(print(parse(printed)), printed)
      assert.isAtMost(depthOf(parsed.document.nodes), maxDepth)
      for (const word of new Set(text.match(/[a-z]+/g)?.slice(0, 20))) assert.include(printed, word)
    })
  }
})
