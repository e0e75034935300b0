import { assert, describe, it } from "@effect/vitest"
import * as Summary from "@lectern/exchange/import/Summary"
import { Effect } from "effect"

const lines = (entries: ReadonlyArray<Summary.SummaryEntry>, depth = 0): Array<string> =>
  entries.flatMap((entry) => [
    `${"  ".repeat(depth)}${entry.type} ${entry.title} -> ${
      entry.type === "page" ? entry.path : entry.type === "link" ? entry.url : (entry.slug ?? "")
    }`,
    ...(entry.type === "link" ? [] : lines(entry.children, depth + 1))
  ])

describe("Summary", () => {
  it.effect("groups in lists, and what a comment says of an entry", () =>
    Effect.gen(function* () {
      const { entries, problems } = yield* Summary.parse(
        [
          '* Start <a id="start"></a> <!--{"emoji":"🚀"}-->',
          "  * [A](a.md)",
          '  * [To a](a.md) <!--{"link":"reference"}-->',
          '* Empty <a id="empty"></a>',
          "* [B](b.md) <!-- a remark -->",
          '* [C](c.md) <!--{"slug":1}-->',
          '* [D](d.md) <!--{"link":"reference","slug":"","icon":3}-->'
        ].join("\n")
      )
      assert.deepStrictEqual(problems, [
        { line: 6, message: "What an export wrote here can't be read, and is left out: slug" },
        { line: 7, message: "What an export wrote here can't be read, and is left out: slug, icon" }
      ])
      assert.deepStrictEqual(lines(entries), [
        "group Start -> start",
        "  page A -> a.md",
        "  link To a -> a.md",
        "group Empty -> empty",
        "page B -> b.md",
        "page C -> c.md",
        "link D -> d.md"
      ])
      assert.deepInclude(entries[0], { fields: { emoji: "🚀" }, isListed: true })
    })
  )

  it.effect("entries without a link, into pages, of generated pages, with labels, and groups that a divider ends", () =>
    Effect.gen(function* () {
      const { entries, problems } = yield* Summary.parse(
        [
          "## Group",
          "* Unlinked",
          '  * [A](a.md "Called  so")',
          "  * [No file]()",
          "* [Part](a.md#part)",
          "* ```yaml",
          "  type: builtin:openapi",
          "  props:",
          "    models: true",
          "  dependencies:",
          "    spec:",
          "      ref:",
          "        kind: openapi",
          "        spec: petstore",
          "  ```",
          "",
          "***",
          "",
          "* [B](b.md)"
        ].join("\n")
      )
      assert.deepStrictEqual(problems, [])
      assert.deepStrictEqual(lines(entries), [
        "group Group -> ",
        "  group Unlinked -> ",
        "    page A -> a.md",
        "    group No file -> ",
        "  link Part -> a.md#part",
        "  link petstore -> /openapi/petstore",
        "page B -> b.md"
      ])
      const [group] = entries
      assert.deepInclude(group?.type === "group" && group.children[0], {
        range: { from: 1, to: 2, indent: 0, title: { from: 2, to: 10 } }
      })
      const [, , generated] = group?.type === "group" ? group.children : []
      assert.deepInclude(generated, { range: { from: 5, to: 15, indent: 0 } })
      assert.deepNestedInclude(generated, { "fields.computed.props": { models: true } })
    })
  )

  it.effect("groups, nested pages, links, titles and escapes", () =>
    Effect.gen(function* () {
      const { entries, problems } = yield* Summary.parse(
        [
          "# Table of contents",
          "",
          "* [Home](README.md)",
          '* [Set **up** `it`](set%20up/README.md "Link title")',
          "  * [Deep](set%20up/deep.md)",
          "    * [Deeper](<set up/deeper.md>)",
          "* [Elsewhere](https://example.com/x)",
          "",
          '## Guides <a href="#how-to" id="how-to"></a>',
          "",
          "- [One](guides/one.md)",
          "",
          "### Inner",
          "",
          "1. [Two](/guides/two.md)",
          "",
          "## Last",
          "* [A\\_b](a_b.md)"
        ].join("\n")
      )
      assert.deepStrictEqual(lines(entries), [
        "page Home -> README.md",
        "page Set up it -> set up/README.md",
        "  page Deep -> set up/deep.md",
        "    page Deeper -> set up/deeper.md",
        "link Elsewhere -> https://example.com/x",
        "group Guides -> how-to",
        "  page One -> guides/one.md",
        "  group Inner -> ",
        "    page Two -> /guides/two.md",
        "group Last -> ",
        "  page A_b -> a_b.md"
      ])
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("lines that are a link outside a list, and parts with headings of the first depth", () =>
    Effect.gen(function* () {
      const { entries, problems } = yield* Summary.parse(
        [
          "# The book",
          "",
          "[Title page](title.md)",
          " [Foreword](foreword.md) ",
          "",
          "[Introduction](intro.md)",
          "",
          "# Part one",
          "- [One](one.md)",
          "  - [In one](in.md)",
          "",
          "# Part two",
          "- [Two](two.md)",
          "",
          "---",
          "",
          "[Appendix](appendix.md)",
          "",
          "[![badge](badge.svg)](https://example.com)",
          "",
          "[English](en.md) [Deutsch](de.md)",
          "",
          "[part](one.md#part)"
        ].join("\n")
      )
      assert.deepStrictEqual(lines(entries), [
        "page Title page -> title.md",
        "page Foreword -> foreword.md",
        "page Introduction -> intro.md",
        "group Part one -> ",
        "  page One -> one.md",
        "    page In one -> in.md",
        "group Part two -> ",
        "  page Two -> two.md",
        "page Appendix -> appendix.md"
      ])
      assert.deepStrictEqual(
        entries.slice(0, 3).map(({ range }) => range),
        [
          { from: 2, to: 3, indent: 0, isBare: true, title: { from: 1, to: 11 }, link: { from: 0, to: 22 } },
          { from: 3, to: 4, indent: 1, isBare: true, title: { from: 2, to: 10 }, link: { from: 1, to: 24 } },
          { from: 5, to: 6, indent: 0, isBare: true, title: { from: 1, to: 13 }, link: { from: 0, to: 24 } }
        ]
      )
      assert.deepStrictEqual(
        problems.map(({ line }) => line),
        [19, 21, 23]
      )
    })
  )

  it.effect("what is no entry is reported with its line, and what is below it moves up", () =>
    Effect.gen(function* () {
      const { entries, problems } = yield* Summary.parse(
        [
          "See [outside](outside.md)",
          "",
          '* <a id="nothing"></a>',
          "  * [Kept](kept.md)",
          "* ```yaml",
          "  type: other",
          "  ```",
          "* [Script](javascript:alert)",
          "* [Good](good.md)",
          "        * [Indented](indented.md)",
          "* [Two](two.md) [three](three.md)",
          "",
          "      * [code](code.md)"
        ].join("\n")
      )
      assert.deepStrictEqual(lines(entries), ["page Kept -> kept.md", "page Good -> good.md", "page Two -> two.md"])
      assert.deepStrictEqual(
        problems.map(({ line }) => line).sort((a, b) => a - b),
        [1, 3, 5, 8, 10, 11, 13]
      )
    })
  )

  it.effect("reads a long one in pieces, to the same entries and lines", () =>
    Effect.gen(function* () {
      const count = 3000
      const text = Array.from({ length: count }, (_, i) => `* [Page ${i}](p${i}.md)\n  * [Child ${i}](c${i}.md)`).join(
        "\n"
      )
      const { entries } = yield* Summary.parse(text)
      assert.strictEqual(entries.length, count)
      for (const [i, entry] of entries.entries()) {
        assert.strictEqual(entry.line, i * 2 + 1)
        assert.deepStrictEqual(lines([entry]), [`page Page ${i} -> p${i}.md`, `  page Child ${i} -> c${i}.md`])
      }
    })
  )

  it.effect("entries in a remark are none, however long it is", () =>
    Effect.gen(function* () {
      const remark = Array.from({ length: 3000 }, (_, i) => `# No\n* [No ${i}](n${i}.md)`).join("\n")
      const { entries, problems } = yield* Summary.parse(`* [A](a.md)\n\n<!--\n${remark}\n-->\n\n* [B](b.md)\n`)
      assert.deepStrictEqual(lines(entries), ["page A -> a.md", "page B -> b.md"])
      assert.deepStrictEqual(problems, [])
    })
  )

  it.effect("a long nested list reads the same in pieces, and what is left out in it is reported once", () =>
    Effect.gen(function* () {
      const count = 500
      const text = ["* [Top](top.md)", "  * [Script](javascript:a)", "    * [Inner](inner.md)"]
      for (let i = 0; i < count; i++) text.push(`      * [Page ${i}](p${i}.md)`)
      const { entries, problems } = yield* Summary.parse(text.join("\n"))
      assert.deepStrictEqual(lines(entries), [
        "page Top -> top.md",
        "  page Inner -> inner.md",
        ...Array.from({ length: count }, (_, i) => `    page Page ${i} -> p${i}.md`)
      ])
      assert.deepStrictEqual(
        problems.map(({ line }) => line),
        [2]
      )
    })
  )

  it.effect("hostile text takes no time out of proportion", () =>
    Effect.gen(function* () {
      const texts = [
        Array.from({ length: 4000 }, (_, i) => `${" ".repeat(i)}* [P](p.md)`).join("\n"),
        `* ${"[".repeat(200_000)}`,
        "* [a](".repeat(20_000),
        "word ".repeat(20_000),
        "> ".repeat(2000),
        "* ".repeat(2000)
      ]
      for (const text of texts) {
        const { entries } = yield* Summary.parse(text)
        assert.isBelow(entries.length, 100)
      }
    })
  )

  it.effect("nothing at all is an empty table of contents", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* Summary.parse(""), { entries: [], problems: [] })
    })
  )
})
