/** Exports of an imported page that was edited: all that the edit leaves is as it was written. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { importFiles, newSpace, onInstance, pageAt } from "../import/Imports.ts"
import { assertLaws, exportFolder } from "./Exports.ts"
import { edit, written } from "./RandomContents.ts"
import { changedWithoutLaws, decoder, edited, folder, page, without } from "./OddPage.ts"

describe("an edit changes the lines of what it edits", () => {
  const changes: ReadonlyArray<readonly [string, readonly [string, string], readonly [string, string]]> = [
    ["a word of a paragraph", ["A line", "One line"], ["A line", "One line"]],
    ["an item", ["* one", "* eins"], ["- one", "- eins"]],
    ["an item in an item", ["* two", "* zwei"], ["   - two", "   - zwei"]],
    ["a box", ["+ [ ] plus", "+ [x] plus"], ["+ [ ] plus", "+ [x] plus"]],
    ["an item more", ["* three", "* three\n* four"], ["- three", "- three\n- four"]],
    ["a row", ["| Tea | 1 |", "| Tea | 3 |"], ["| Tea    |  1    |", "| Tea    |  3    |"]],
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

  const besideWords = [
    "[[Notes]] and ![[p.png]] say",
    "$x$ and [x](/api/y)",
    '[x](./x.md "t")',
    "<sup>[[1]](#r)</sup> is raised",
    "[**a**](b)",
    "[2] t and a\\_b",
    "[t][] and [u][t]",
    "[https://a.b/c](https://a.b/c)",
    "__strong__, *slanted*",
    "| a  |b   |",
    "two blanks  \nbehind it "
  ]
  for (const beside of besideWords) {
    it.effect(`what stands beside an edited word stays as it is: ${JSON.stringify(beside)}`, () =>
      Effect.gen(function* () {
        const row = beside.startsWith("|") ? "|A|B|C|\n|-|-|-|\n" : ""
        const text = `# Odd\n\n${row}${beside} word\n\nMore  \n\n[t]: /t\n\n~~~ js\nlet word\n`
        const both = (markdown: string) => markdown.replaceAll("word", "other")
        assert.strictEqual(yield* edited(text, both), both(text))
      })
    )
  }

  const three = ["Two", "Three"] as const
  const headings: ReadonlyArray<readonly [form: string, was: string, edit: readonly [string, string], is: string]> = [
    ["underlined", "Two words\n---------", three, "Three words\n-----------"],
    ["underlined, of the first depth", "Two *words*\n===========", three, "Three *words*\n============="],
    ["underlined by less, with blanks", "Two words\n---  ", three, "Three words\n---  "],
    ["underlined, in a quote", "> Two words\n> ---------", three, "> Three words\n> -----------"],
    ["underlined, of another depth by now", "Two words\n---------", ["## Two", "### Three"], "### Three words"],
    ["underlined, with a text that would be a list", "Two words\n---------", ["Two", "- Three"], "## - Three words"],
    ["with signs behind it", "## Two words ##", three, "## Three words ##"],
    ["with a tab behind its signs", "###\tTwo words", three, "###\tThree words"],
    ["with a sign in its text", "## Two words C#", three, "## Three words C#"],
    ["with a sign between its words", "## Two # words", three, "## Three # words"],
    ["with an id behind it", "## Two words {#two}", three, "## Three words {#two}"],
    ["with an id and a sign behind it", "## Two words{: #two } #", three, "## Three words{: #two } #"],
    ["with a class behind it", "## Two words {: .no_toc }", three, "## Three words {: .no_toc }"],
    ["with an id on the line below", "## Two words\n{: #two }", three, "## Three words\n{: #two }"],
    ["with a class on the line below", "## Two words\n{: .no_toc }", three, "## Three words\n{: .no_toc }"],
    [
      "with an id behind it, underlined",
      "Two words {#two}\n----------------",
      three,
      "Three words {#two}\n------------------"
    ],
    [
      "with another id by now",
      "## Two words {#two}",
      ['"#two" id="two"', '"#three" id="three"'],
      '## Two words <a href="#three" id="three"></a>'
    ],
    ["with a sign between its words, and behind it", "## Two # words #", three, "## Three # words #"]
  ]
  for (const [form, was, [from, to], is] of headings) {
    it.effect(`a heading: ${form}`, () =>
      Effect.gen(function* () {
        const text = (heading: string) => `# Odd\n\n- a\n\n${heading}\n\nAnd __more__\n`
        assert.strictEqual(yield* edited(text(was), (markdown) => markdown.replace(from, to)), text(is))
      })
    )
  }

  it.effect("a hint that is set in stays one, with its title", () =>
    Effect.gen(function* () {
      const text = '# Odd\n\n!!! warning inline "Mind *it*"\n    Two words\n\n    -  a\nAnd *more*\n'
      const both = (markdown: string) => markdown.replace("Two", "Three").replace("Mind", "Heed")
      assert.strictEqual(yield* edited(text, both), both(text))
      const more = yield* edited(text, (markdown) => markdown.replace("* a", "* a\n\nNew"))
      assert.strictEqual(more, text.replace("-  a", "-  a\n\n    New"))
      const untitled = yield* edited(text, (markdown) => markdown.replace("**Mind _it_**\n\n", ""))
      assert.strictEqual(untitled, text.replace(' "Mind *it*"', ""))
    })
  )

  it.effect("a callout stays one, with its title", () =>
    Effect.gen(function* () {
      const text = "# Odd\n\n> [!faq]- Mind *it*\n> Two words\n>\n> -  a\n\nAnd *more*\n"
      const other = (markdown: string) => markdown.replace("Two", "Three")
      assert.strictEqual(yield* edited(text, other), other(text))
      const more = yield* edited(text, (markdown) => markdown.replace("* a", "* a\n\nNew"))
      assert.strictEqual(more, text.replace("-  a", "-  a\n>\n> New"))
    })
  )

  it.effect("tabs that are set in stay so, with their titles", () =>
    Effect.gen(function* () {
      const text =
        '# Odd\n\n- b\n\n    ===! "One *it*"\n        Two words\n\n        -  a\n\n    === "Two"\n\n        Text\n\nAnd *more*\n'
      const both = (markdown: string) => markdown.replace("Two words", "Words").replace('"Two"', '"A *b*"')
      assert.strictEqual(
        yield* edited(text, both),
        text.replace("Two words", "Words").replace('"Two"', String.raw`"A \*b\*"`)
      )
      const tab = '  {% tab title="Three" %}\n  More\n\n  New\n  {% endtab %}\n'
      const more = yield* edited(text, (markdown) => markdown.replace("  {% endtabs", `${tab}  {% endtabs`))
      assert.strictEqual(more, text.replace("Text\n", 'Text\n\n    === "Three"\n\n        More\n\n        New\n'))
      const icon = yield* edited(text, (markdown) => markdown.replace('"Two"', '"Two" icon="star"'))
      assert.include(icon, '{% tab title="Two" icon="star" %}')
      assert.include(icon, '{% tab title="One it" %}')
    })
  )

  it.effect("attributes stay where they are written, and edited text between them", () =>
    Effect.gen(function* () {
      const text =
        "# Odd\n{: .no_toc }\n\n* TOC\n{:toc}\n\n- a\n{: .b}\n\nTwo *c*\n{: .note }\n\n{: .tip }\n> Two [d](/d){:.e}\n"
      assert.strictEqual(
        yield* edited(text, (markdown) => markdown.replaceAll("Two", "Three")),
        text.replaceAll("Two", "Three")
      )
      const more = yield* edited(text, (markdown) => markdown.replace("* a", "* a\n* more"))
      assert.strictEqual(more, text.replace("- a", "- a\n- more"))
      const gone = yield* edited(text, (markdown) => markdown.replace("* a\n\n", ""))
      assert.strictEqual(gone.includes("- a"), false)
      assert.strictEqual(gone.includes("Two *c*\n{: .note }\n\n{: .tip }\n> Two"), true)
    })
  )

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
    Effect.gen(function* () {
      const more = written("[c](#user-content-fn-1)[^1]\n\n[^1]: d\n").nodes.map((block) => ({ ...block, key: "more" }))
      assert.strictEqual(
        yield* changedWithoutLaws("-  [a](#user-content-fn-1)[^1]\n\n[^1]: b\n", (document) => ({
          ...document,
          nodes: [...document.nodes, ...more]
        })),
        "-  [a](#user-content-fn-1)[^1]\n\n[c](#user-content-fn-2)[^2]\n\n[^1]: b\n\n[^2]: d\n"
      )
    })
  )

  it.effect("links whose definition is gone have their targets in place", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* changedWithoutLaws("- ![a][f]\n-   [b][f]\n\n[f]: /g 'H'\n\nAn *i*\n", (document) => ({
          ...document,
          nodes: document.nodes.filter(({ type }) => type !== "definition")
        })),
        `- ![a](/g "H")\n-   [b](/g "H")\n\nAn *i*\n`
      )
    })
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
