/** Exports of imported pages keep the pages' own text, and of an edited one all that the edit leaves. */
import { fold } from "@lectern/core/content/documents/StoredDocument"
import { assert, describe, it } from "@effect/vitest"
import type { Content } from "@lectern/core/content/Content"
import type { Document } from "@lectern/document/Document"
import * as ContentDiff from "@lectern/core/content/ContentDiff"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as ContentChanges from "@lectern/core/content/edits/ContentChanges"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { Objects } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Effect } from "effect"
import { documentAt, importFiles, markdownAt, newSpace, onInstance, pageAt } from "../import/Imports.ts"
import { assertLaws, exportFolder } from "./Exports.ts"
import { edit, written } from "./RandomContents.ts"

const page = `---
title:   'Odd'
tags: [ b,
  a ]
---
Odd
===

A line
that goes on, *slanted* and __strong__, to [Other](./other.md "t").


- one
   - two
- three

+ [ ] plus
+ [x] minus

1) first
1) second

| Name   | Price |
|:-------|------:|
| Coffee |  2    |
| Tea    |  1    |

> quoted
lazily

> [!NOTE]
> Noted well

~~~ js
let a
let b
~~~

{% hint style='info' %}
  Said [there][1].

  More.
{% endhint %}

<table><thead><tr><th>A</th></tr></thead><tbody><tr><td>b</td></tr></tbody></table>
* * *
[1]: https://example.com/a

Last line`

const folder = (text: string): Record<string, string> => ({
  "SUMMARY.md": "# Table of contents\n\n* [Odd](odd.md)\n* [Other](other.md)\n",
  "odd.md": text,
  "other.md": "# Other\n"
})

const decoder = new TextDecoder("utf-8", { ignoreBOM: true })

/** Imports the page, changes its document, and exports it. */
const changed = (text: string, change: (document: Document, markdown: string) => Document) =>
  onInstance(
    Effect.gen(function* () {
      const space = yield* newSpace
      yield* importFiles(space, folder(text))
      const after = change(yield* documentAt(space, "odd"), yield* markdownAt(space, "odd"))
      const { id } = yield* pageAt(space, "odd")
      yield* edit(space, (editor) => editor.setDocument(id, fold(after)))
      const { files, problems } = yield* exportFolder(space)
      assert.deepStrictEqual(problems, [])
      yield* assertLaws(space)
      return decoder.decode(files["odd.md"])
    })
  )

/** The page edited as somebody does who reads it as Markdown. */
const edited = (text: string, change: (markdown: string) => string) =>
  changed(text, (_, before) => {
    const after = change(before)
    assert.notStrictEqual(after, before)
    return written(after)
  })

/** The page without the blocks that say so, as somebody takes them away who edits documents. */
const without = (text: string, said: string) =>
  changed(text, (document) => {
    const nodes = document.nodes.filter((node) => !JSON.stringify(node).includes(said))
    assert.isBelow(nodes.length, document.nodes.length)
    return { ...document, nodes }
  })

describe("what was imported and not edited is exported", () => {
  const files: ReadonlyArray<readonly [string, string]> = [
    ["in any style", page],
    ["with the line ends of Windows", page.replaceAll("\n", "\r\n")],
    ["with a byte order mark", `\uFEFF${page}`],
    ["empty", ""],
    ["of blank lines", "\n\n  \n"],
    ["with tags and HTML that nothing closes", "{% tabs %}\n<div>\n\n**a\n\n</p>\n"],
    ["with front matter that can't be read", "---\na: [\n---\n\nText\n"],
    [
      "with annotations and footnotes",
      "A [word](#user-content-fn-1)[^1] and[^note].\n\n[^1]: Explained\n\n[^note]: Noted\n"
    ]
  ]
  for (const [name, text] of files) {
    it.effect(`as it was: ${name}`, () =>
      onInstance(
        Effect.gen(function* () {
          const space = yield* newSpace
          yield* importFiles(space, folder(text))
          assert.strictEqual(decoder.decode((yield* exportFolder(space)).files["odd.md"]), text)
          yield* assertLaws(space)
        })
      )
    )
  }

  it.effect("with what was replaced in it where it is no text, which is reported", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, {
          "a.md": new Uint8Array([0xff, 0x0a]),
          "b.md": "x\u0000y\n"
        })
        assert.deepStrictEqual(
          report.problems.map(({ path, message }) => `${path}: ${message}`),
          ["a.md: What is not UTF-8 in it was replaced", "b.md: NUL characters in it were replaced"]
        )
        const { files } = yield* exportFolder(space)
        assert.include(decoder.decode(files["b.md"]), "x\uFFFDy\n")
      })
    )
  )
})

/** Writes Markdown as a client of the interface does. */
const write = Effect.fnUntraced(function* (space: SpaceId, page: string, markdown: string) {
  const edits = yield* LiveEdits
  const base = yield* edits.begin(space)
  const draft = (yield* Objects).draft()
  let keys = 0
  const { content } = yield* ContentChanges.apply(
    draft,
    base.content,
    [{ operation: "update_page", page, document: { markdown } }],
    {
      now: yield* Timestamps.now,
      nextId: Effect.succeed("unused"),
      nextKey: () => `${space}${++keys}`,
      putBlob: () => Effect.die("no files"),
      contentOf: () => Effect.undefined
    }
  )
  yield* edits.commit({ base, draft, content })
  return { draft, before: base.content, after: content }
})

describe("a style that a client writes", () => {
  const text = "# Odd\n\n- [one](other.md)\n- two\n\n| A  | B |\n|----|---|\n| c  | d |\n\nLast *line*\n"

  it.effect("is exported, is no difference, and stays when others write the rest", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder(text))
        const { id } = yield* pageAt(space, "odd")
        const plain = yield* markdownAt(space, "odd")
        const exported = Effect.map(exportFolder(space), ({ files }) => decoder.decode(files["odd.md"]))
        yield* write(space, id, plain)
        assert.strictEqual(yield* exported, text)
        const { draft, before, after } = yield* write(space, id, plain.replaceAll("* ", "+ "))
        assert.deepStrictEqual(yield* ContentDiff.diff(draft, before, after), { changes: [], more: 0 })
        const other = text.replaceAll("- ", "+ ").replace("|----|-+ |", "|----|---|")
        assert.strictEqual(yield* exported, other)
        yield* write(space, id, (yield* markdownAt(space, "odd")).replace("Last", "The last"))
        assert.strictEqual(yield* exported, other.replace("Last", "The last"))
        yield* assertLaws(space)

        // A merge of a change of style alone conflicts with nothing, and main's wins.
        const restyled = (content: Content, style: string) =>
          Effect.gen(function* () {
            const editor = ContentEditor.make(draft, content, yield* Timestamps.now)
            yield* editor.updatePage(id, { source: draft.write({ styled: [style] }) })
            return yield* editor.finish
          })
        const main = yield* restyled(after, "+ main")
        const merged = yield* ContentMerge.merge(draft, { base: after, main, ours: yield* restyled(after, "+ ours") })
        assert.deepStrictEqual(merged.conflicts, [])
        assert.strictEqual(
          (yield* ContentReader.make(draft, merged.content).page(id))?.source,
          (yield* ContentReader.make(draft, main).page(id))?.source
        )
      })
    )
  )

  it.effect("is exported of a page that was made here", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder(text))
        yield* edit(space, (editor) => editor.insertPage({ id: "made", title: "Made" }))
        yield* write(space, "made", "- to [odd](/pages/odd)\n\n__Bold__\n")
        const { files } = yield* exportFolder(space)
        assert.strictEqual(decoder.decode(files["made.md"]), "# Made\n\n- to [odd](odd.md)\n\n__Bold__\n")
        yield* assertLaws(space)
      })
    )
  )
})

describe("an edit changes the lines of what it edits", () => {
  const changes: ReadonlyArray<readonly [string, readonly [string, string], readonly [string, string]]> = [
    ["a word of a paragraph", ["A line", "One line"], ["A line", "One line"]],
    ["an item", ["* one", "* eins"], ["- one", "- eins"]],
    ["an item in an item", ["* two", "* zwei"], ["   - two", "   - zwei"]],
    ["a box", ["+ [ ] plus", "+ [x] plus"], ["+ [ ] plus", "+ [x] plus"]],
    ["an item more", ["* three", "* three\n* four"], ["- three", "- three\n- four"]],
    ["a row", ["| Tea | 1 |", "| Tea | 3 |"], ["| Tea    |  1    |", "| Tea | 3 |"]],
    [
      "a row more",
      ["| Tea | 1 |", "| Tea | 1 |\n| Milk | 4 |"],
      ["| Tea    |  1    |", "| Tea    |  1    |\n| Milk | 4 |"]
    ],
    ["a row less", ["| Coffee | 2 |\n", ""], ["| Coffee |  2    |\n", ""]],
    ["a word in an alert", ["Noted well", "Noted"], ["Noted well", "Noted"]],
    ["a line of code", ["let b", "let c"], ["let b", "let c"]],
    ["a paragraph in a tag", ["More.", "Less."], ["More.", "Less."]],
    ["a paragraph more", ["Last line", "Last line\n\nAnd *one* more"], ["Last line", "Last line\n\nAnd *one* more"]],
    ["a paragraph less", ["> quoted\n> lazily\n\n", ""], ["> quoted\nlazily\n\n", ""]]
  ]
  for (const [name, [from, to], [was, is]] of changes) {
    it.effect(name, () =>
      Effect.gen(function* () {
        for (const lineEnd of ["\n", "\r\n"]) {
          const text = yield* edited(page.replaceAll("\n", lineEnd), (markdown) => markdown.replace(from, to))
          assert.strictEqual(text, page.replace(was, is).replaceAll("\n", lineEnd))
        }
      })
    )
  }

  const headings: ReadonlyArray<readonly [form: string, was: string, is: string]> = [
    ["underlined", "Two words\n---------", "Three words\n-----------"],
    ["underlined, of the first depth", "Two *words*\n===========", "Three *words*\n============="],
    ["underlined by less, with blanks", "Two words\n---  ", "Three words\n---  "],
    ["underlined, in a quote", "> Two words\n> ---------", "> Three words\n> -----------"],
    ["underlined, with its depth in the way", "Two words\n---------", "### Three words"],
    ["underlined, with a text that would be a list", "Two words\n---------", "## - Three words"],
    ["with signs behind it", "## Two words ##", "## Three words ##"],
    ["with a tab behind its signs", "###\tTwo words", "###\tThree words"],
    ["with a sign in its text", "## Two words C#", "## Three words C#"]
  ]
  for (const [form, was, is] of headings) {
    it.effect(`a heading: ${form}`, () =>
      Effect.gen(function* () {
        const text = (heading: string) => `# Odd\n\n- a\n\n${heading}\n\nAnd __more__\n`
        const isPrinted = is.startsWith("#") && !was.startsWith("#")
        const markdown = (before: string) =>
          before.replace(...((isPrinted ? ["## Two words", is] : ["Two", "Three"]) as [string, string]))
        assert.strictEqual(yield* edited(text(was), markdown), text(is))
      })
    )
  }

  it.effect("what stands elsewhere on the page goes with what had it", () =>
    Effect.gen(function* () {
      const notes = "[^1]: one *two*\n[^2]: three\n\n    and *four*\n\n***\n"
      const both = "- A [b](#user-content-fn-1)[^1]\n- C [d](#user-content-fn-2)[^2]\n\n"
      const without = (label: string) => (markdown: string) =>
        markdown
          .replace(/\[([bd])\]\(#[^)]*\)\[\^(\d)\]/g, (all, text, found) => (found === label ? text : all))
          .replace(new RegExp(`\\n\\[\\^${label}\\]: .*\\n(\\n {4}.*\\n)*`), "")
      assert.strictEqual(
        yield* edited(both + notes, without("1")),
        "- A b\n- C [d](#user-content-fn-2)[^2]\n\n[^2]: three\n\n    and *four*\n\n***\n"
      )
      assert.strictEqual(
        yield* edited(both + notes, without("2")),
        "- A [b](#user-content-fn-1)[^1]\n- C d\n\n[^1]: one *two*\n\n***\n"
      )
    })
  )

  it.effect("what explains a piece of text is the last of its kind, and else the last of the page", () =>
    Effect.gen(function* () {
      const explained = (text: string, more: string) =>
        edited(
          text,
          (markdown) => `${markdown.replace("two", "[two](#user-content-fn-new.one)[^new.one]")}\n[^new.one]: ${more}\n`
        )
      assert.strictEqual(
        yield* explained("- one\n-  two\n\n***\n", "2"),
        "- one\n-  [two](#user-content-fn-new.one)[^new.one]\n\n***\n\n[^new.one]: 2\n"
      )
      assert.strictEqual(
        yield* explained("- [one](#user-content-fn-1)[^1]\n-  two\n\n[^1]: __1__\n\n\n***\n", "2"),
        "- [one](#user-content-fn-1)[^1]\n-  [two](#user-content-fn-new.one)[^new.one]\n\n[^1]: __1__\n\n[^new.one]: 2\n\n\n***\n"
      )
    })
  )

  it.effect("a paragraph more has blank lines around it on a page that has few", () =>
    Effect.gen(function* () {
      const text = "# Odd\nA __b__\n- c\n"
      assert.strictEqual(yield* edited(text, (markdown) => `${markdown}\nMore\n`), `${text}\nMore\n`)
    })
  )

  it.effect("annotations that were made apart from each other have labels of their own", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder("-  [a](#user-content-fn-1)[^1]\n\n[^1]: b\n"))
        const { id } = yield* pageAt(space, "odd")
        const document = yield* documentAt(space, "odd")
        const more = written("[c](#user-content-fn-1)[^1]\n\n[^1]: d\n").nodes.map((block) => ({
          ...block,
          key: "more"
        }))
        yield* edit(space, (editor) =>
          editor.setDocument(id, fold({ ...document, nodes: [...document.nodes, ...more] }))
        )
        const { files, problems } = yield* exportFolder(space)
        assert.deepStrictEqual(problems, [])
        assert.strictEqual(
          decoder.decode(files["odd.md"]),
          "-  [a](#user-content-fn-1)[^1]\n\n[c](#user-content-fn-2)[^2]\n\n[^1]: b\n\n[^2]: d\n"
        )
      })
    )
  )

  it.effect("links whose definition is gone have their targets in place", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder("- ![a][f]\n-   [b][f]\n\n[f]: /g 'H'\n\nAn *i*\n"))
        const { id } = yield* pageAt(space, "odd")
        const document = yield* documentAt(space, "odd")
        const nodes = document.nodes.filter(({ type }) => type !== "definition")
        yield* edit(space, (editor) => editor.setDocument(id, fold({ ...document, nodes })))
        const { files, problems } = yield* exportFolder(space)
        assert.deepStrictEqual(problems, [])
        assert.strictEqual(decoder.decode(files["odd.md"]), `- ![a](/g "H")\n-   [b](/g "H")\n\nAn *i*\n`)
      })
    )
  )

  it.effect("a title changes the heading, and metadata the front matter", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, { "a.md": "A\n=\n\n- one\n" })
        const { id } = yield* pageAt(space, "a")
        yield* edit(space, (editor) => editor.updatePage(id, { description: "Of a" }))
        const { files } = yield* exportFolder(space)
        assert.strictEqual(decoder.decode(files["a.md"]), "---\ndescription: Of a\n---\n\nA\n=\n\n- one\n")
        yield* edit(space, (editor) => editor.updatePage(id, { description: undefined, title: "B" }))
        assert.strictEqual(decoder.decode((yield* exportFolder(space)).files["a.md"]), "B\n=\n\n- one\n")
        yield* assertLaws(space)
      })
    )
  )

  it.effect("a page that a table of contents left out stays out of it; shown, it is an entry of it", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, {
          ...folder(page),
          "plain.md": "- a\n",
          "said.md": "---\nx:   1\n---\n- a\n"
        })
        const { files } = yield* exportFolder(space)
        assert.strictEqual(decoder.decode(files["plain.md"]), "- a\n")
        assert.strictEqual(decoder.decode(files["said.md"]), "---\nx:   1\n---\n- a\n")
        yield* assertLaws(space)
        const { id } = yield* pageAt(space, "plain")
        yield* edit(space, (editor) => editor.updatePage(id, { hidden: undefined }))
        const shown = (yield* exportFolder(space)).files
        assert.strictEqual(decoder.decode(shown["plain.md"]), "- a\n")
        assert.strictEqual(decoder.decode(shown["said.md"]), "---\nx:   1\n---\n- a\n")
        assert.strictEqual(
          decoder.decode(shown["SUMMARY.md"]),
          "# Table of contents\n\n* [Odd](odd.md)\n* [Other](other.md)\n* [Plain](plain.md)\n"
        )
        yield* assertLaws(space)
      })
    )
  )

  it.effect("destinations whose targets moved are exchanged, and nothing else of their blocks", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const text = `- [*other*](  other.md 'T' ), __and__ [again](<other.md#a>)
  and <a href='other.md' class='button primary'>more</a>, [labelled][1] <!-- 'other.md' -->

| A |  B |
|---|----|
| [o](other.md) | x |

Say \`](other.md)\` and other.md.

{% content-ref url='other.md' %}
[other.md](other.md)
{% endcontent-ref %}

[1]:   other.md   (T)
`
        yield* importFiles(space, folder(text))
        const other = yield* pageAt(space, "other")
        // A page that was made here has the path that its place gives it.
        yield* edit(space, (editor) => editor.updatePage(other.id, { git: undefined, slug: "moved" }))
        const { files } = yield* exportFolder(space)
        assert.strictEqual(
          decoder.decode(files["odd.md"]),
          text.replaceAll(/(?<=[(<]|\(  |=')other\.md(?!\)`)|(?<=]: {3})other\.md/g, "moved.md")
        )
        yield* assertLaws(space)
        yield* edit(space, (editor) => editor.updatePage(other.id, { slug: "again" }))
        const again = decoder.decode((yield* exportFolder(space)).files["odd.md"])
        assert.strictEqual(again, decoder.decode(files["odd.md"]).replaceAll("moved.md", "again.md"))
      })
    )
  )
})

describe("a block that goes, of two that would flow into one another", () => {
  const beginning = "# Odd\n\nA line  \nthat *goes* on __so__\n\n"
  const end = "\n\n***\n\nLast __line__"
  const cases: ReadonlyArray<readonly [name: string, above: string, below: string, after: string]> = [
    ["bullets", "* a\n* b", "* c\n\n  more\n* d\n  * e", "+ c\n\n  more\n+ d\n  * e"],
    ["hyphens", "- a", "- __c__\n-  d", "+ __c__\n+  d"],
    ["plus signs", "+ a", "+ c", "- c"],
    ["numbers", "1) a\n1) b", "4) c\n5) d", "4. c\n5. d"],
    ["tasks", "- [ ] a", "- [x] c", "+ [x] c"],
    ["other bullets", "* a", "- c", "- c"],
    ["quotes", "> a\nb", "> c", "> c"],
    ["indented code", "    a\n    b", "    c", "```\nc\n```"]
  ]
  for (const [name, above, below, after] of cases) {
    it.effect(`leaves the one above as it was, and both apart: ${name}`, () =>
      Effect.gen(function* () {
        const text = `${beginning}${above}\n\nBetween\n\n${below}${end}`
        assert.strictEqual(yield* without(text, "Between"), `${beginning}${above}\n\n${after}${end}`)
      })
    )
  }
})
