import { assert, describe, it } from "@effect/vitest"
import { brokenLaw } from "./laws.ts"

const footnotes = "\n\n[^1]: One\n\n[^2]: Two\n"

/** A text as a paragraph, a heading, a cell between bars and one in HTML. */
const around: ReadonlyArray<(text: string) => string> = [
  (text) => text,
  (text) => `# ${oneLine(text)}`,
  (text) => `| h |\n| - |\n| ${oneLine(text)} |`,
  (text) =>
    `<table data-view="cards"><thead><tr><th>h</th></tr></thead><tbody><tr><td>${oneLine(text)}</td></tr></tbody></table>`
]

const oneLine = (text: string): string => text.replaceAll("\n", " ")

// Found by searching: each broke a law once.
const found = [
  `a<mark style="color:red;">:rocket:</mark>`,
  `<sup>a\\\n</sup>`,
  "**[^2]**:rocket: a",
  "**a**:rocket:**b**",
  "[a]**:rocket:**\n\n[a]: /u",
  "<sup>[w](#user-content-fn-1)[^1]</sup>",
  '[<a href="y">a</a>](x)',
  "$$f$$\\$",
  "\\$**$$f$$**",
  "\\\\$**$$f$$**",
  "$$f$$**$$g$$**",
  "$$f$$~~$$g$$~~$"
]

describe("the laws of Markdown within a text", () => {
  it("hold for what broke them once", () => {
    for (const text of found) for (const as of around) assert.isUndefined(brokenLaw(as(text) + footnotes))
  })
})
