/** Generates random lines of Markdown in any form, with edits of one word: as source and as the document. */
import type { Document, Inline, Leaf, Text } from "@lectern/document/Document"
import * as fc from "fast-check"
import { replaced } from "./PageParts.ts"

/** Forms that the printer writes differently, or that other programs read. */
const forms = [
  "$x$",
  "$$y$$",
  "$a_1 + b_2$ $c$",
  "[x](/api/y)",
  "[x](dir/#a)",
  "[x](./x.md)",
  "[x]( /y  'A title' )",
  "[x](</y z>)",
  "<sup>[[1]](#r)</sup>",
  "[**a**](b)",
  "**[a](b)**",
  "[a *b* `c`](d)",
  "[2] t",
  "a\\_b",
  "a_b",
  "\\# \\$ 5\\. \\- \\q",
  "[t][]",
  "[t]",
  "[u][t]",
  "![i][t]",
  "[https://a.b/c](https://a.b/c)",
  "<https://a.b/c>",
  "https://a.b/c",
  "[[Notes]]",
  "[[Notes|my notes]]",
  "![[p.png]]",
  "![[p.png|100]] [[A#b]]",
  "__b__",
  "*i*",
  "_i_",
  "***c***",
  "__*d* e__",
  "*f __g__*",
  "a*b*c",
  "~x~ ~~y~~",
  "<b>x</b> <i>y</i> <mark>z</mark> <u>v</u>",
  "<br/>x<br>",
  "&amp; &copy; &#x20; &lt;b",
  "a & b < c > d",
  "`` ` `` `a`  `b` ``c``",
  "{{ x }} {x}",
  ":smile: \u{1f600} :no-emoji-of-mine:",
  "==m== H~2~O x^2^",
  '![a](b.png "t") ![](c.png)',
  "[^1]",
  "a -- b --- c ... \"d\" 'e'",
  "2 * 3 * 4 _ 5 \\* 6",
  "1. 2) - + = #",
  "<!-- a remark -->",
  "@a #b !c (d) [ ] [x]",
  "これは**並行処理**です",
  "a\u00a0b  c\td"
]
const cellForms = forms.filter((form) => !form.includes("|") && !form.includes("<br"))

interface Place {
  readonly around: (line: string, other: string) => string
  readonly isCell?: boolean
}
const places: ReadonlyArray<Place> = [
  { around: (line) => line },
  { around: (line, other) => `Some ${other} first\n${line}` },
  { around: (line, other) => `${line}  \nSome ${other} last` },
  { around: (line) => `##  ${line} ##` },
  { around: (line, other) => `-  Some ${other} one\n-  ${line}\n   lazily ${other}\n-  three` },
  { around: (line, other) => `> Some ${other} one\n> ${line}\nlazily ${other}` },
  { around: (line) => `{% hint style='info' %}\n${line}\n{% endhint %}` },
  { around: (line) => `|A|B|\n|-|-|\n|  ${line}|   b | more |  |\n|c|d    |`, isCell: true },
  {
    around: (line, other) => `|A  |  B|\n|:--|---|\n|  ${line}|   ${other}   |\n|c|d    |`,
    isCell: true
  }
]

/** Markup around the edited word. */
const within: ReadonlyArray<readonly [open: string, close: string]> = [
  ["", ""],
  ["**", "**"],
  ["__", "__"],
  ["*", "*"],
  ["_", "_"],
  ["~~", "~~"],
  ["<sup>", "</sup>"],
  ["[", "](/api/y)"],
  ["[", "][t]"],
  ["[**", "**](./x.md)"],
  ["**[", "](dir/#a)**"]
]

export interface OneWord {
  /** Returns the page with a word at its position. */
  readonly source: (word: string) => string
  /** True if the word has no marks and is outside of links. */
  readonly isPlain: boolean
}

export const oneWord: fc.Arbitrary<OneWord> = fc.constantFrom(...places).chain(({ around, isCell }) => {
  const form = fc.constantFrom(...(isCell === true ? cellForms : forms))
  return fc
    .record({ before: form, after: form, other: form, within: fc.constantFrom(...within) })
    .map(({ after, before, other, within: [open, close] }): OneWord => ({
      isPlain: open === "",
      source: (word) =>
        `Page\n====\n\n${around(`Line ${before} ${open}left ${word} right${close} ${after} end`, other)}\n\n[t]: /t\n\n[^1]: Note\n`
    }))
})

const link: Inline = { object: "inline", type: "link", data: { ref: { kind: "url", url: "https://new.example/" } } }

export interface WordEdit {
  /** The word in the source, before and after the edit. */
  readonly source: readonly [before: string, after: string]
  readonly edit: (document: Document) => Document
  /** True if the edit adds a link or marks to text without any. Default: false. */
  readonly isOfMarks?: boolean
}

const leafWith = (document: Document, word: string): readonly [Text, Leaf] => {
  const found: Array<readonly [Text, Leaf]> = []
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit)
    if (typeof value !== "object" || value === null) return
    if ("object" in value && value.object === "text") {
      const text = value as Text
      for (const leaf of text.leaves) if (leaf.text.includes(word)) found.push([text, leaf])
    } else Object.values(value).forEach(visit)
  }
  visit(document.nodes)
  if (found.length !== 1) throw new Error(`${found.length} texts have the word`)
  return found[0]!
}

const rewritten = (from: string, to: string) => (document: Document) => {
  const [text, leaf] = leafWith(document, "plain")
  const after = { ...leaf, text: leaf.text.replace(from, to) }
  return replaced(document, text, [{ ...text, leaves: text.leaves.map((one) => (one === leaf ? after : one)) }])
}

/** Returns the leaf of the word, split into the text before it, the word, and the text after it. */
const apart = (document: Document) => {
  const [text, leaf] = leafWith(document, "plain")
  const at = leaf.text.indexOf("plain")
  const index = text.leaves.indexOf(leaf)
  const before: Text = {
    ...text,
    leaves: [...text.leaves.slice(0, index), { ...leaf, text: leaf.text.slice(0, at) }]
  }
  const after: Text = {
    ...text,
    leaves: [{ ...leaf, text: leaf.text.slice(at + "plain".length) }, ...text.leaves.slice(index + 1)]
  }
  return { text, before, word: { ...leaf, text: "plain" }, after }
}

const isAround = (value: unknown, text: Text): value is { readonly nodes: ReadonlyArray<unknown> } => {
  const { nodes, type } = (value ?? {}) as Partial<Inline>
  return type === "link" && nodes?.includes(text) === true
}

export const edits: ReadonlyArray<WordEdit> = [
  { source: ["plain", "other"], edit: rewritten("plain", "other") },
  { source: ["plain", "plain more"], edit: rewritten("plain", "plain more") },
  { source: ["plain too", "plain"], edit: rewritten("plain too", "plain") },
  {
    source: ["plain", "[plain](https://new.example/)"],
    edit: (document) => {
      const { after, before, text, word } = apart(document)
      return replaced(document, text, [before, { ...link, nodes: [{ object: "text", leaves: [word] }] }, after])
    },
    isOfMarks: true
  },
  {
    source: ["[plain](https://new.example/)", "plain"],
    edit: (document) => {
      const [text] = leafWith(document, "plain")
      const unlinked = (value: unknown): unknown => {
        if (Array.isArray(value))
          return value.flatMap((one: unknown) => (isAround(one, text) ? one.nodes : [unlinked(one)]))
        if (typeof value !== "object" || value === null) return value
        return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, unlinked(one)]))
      }
      // Adjacent text nodes are merged.
      return replaced(unlinked(document) as Document, undefined, [])
    },
    isOfMarks: true
  },
  {
    source: ["plain", "**plain**"],
    edit: (document) => {
      const { after, before, text, word } = apart(document)
      const bold: Leaf = { ...word, marks: [...word.marks, { object: "mark", type: "bold" }] }
      const leaves = [...before.leaves, bold, ...after.leaves].filter((leaf) => leaf.text !== "")
      return replaced(document, text, [{ ...text, leaves }])
    },
    isOfMarks: true
  }
]
