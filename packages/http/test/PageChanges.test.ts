/** Changes of one page as a reviewer sees them: block by block, word by word. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { answers, Harness, has, onEachAdapter, refused } from "./Harness.ts"
import * as Shapes from "./Shapes.ts"
import { createSpace, insertPage, merge, openChangeRequest, publish, spaceWith, write } from "./Steps.ts"

const before = "What comes first of all\n\nSecond has some words\n\n* one\n* two\n\nWhat comes last of all"
const after = "What comes last of all\n\nWhat comes first of all\n\nSecond has **other** words\n\nNew"

const said = (changes: typeof Shapes.PageChanges.Type) =>
  changes.changes.map(({ type, block, text }) => [
    type,
    block?.type ?? text?.map(({ kind, text }) => `${kind}: ${text}`).join(" | ")
  ])

/** With the text of a link in a cell, and the style of a figure. */
const details =
  '<table><thead><tr><th data-type="content-ref">P</th><th data-type="files">F</th></tr></thead><tbody><tr><td><a href="https://a.b/">Our site</a></td><td><a href="https://a.b/c">Prices</a></td></tr></tbody></table>\n\n<figure style="width: 1em"><img src="https://a.b/d.png" alt=""><figcaption></figcaption></figure>\n'

const expected = [
  ["block_moved", "paragraph"],
  ["block_edited", "equal: Second has | deleted:  some | inserted:  other | equal:  words"],
  ["block_added", "paragraph"],
  ["block_removed", "list-unordered"]
]

onEachAdapter("Changes of a page", (it) => {
  it.effect("are said by block and word, of a change request and of the revision that it becomes", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Page: before, Other: "" })
      const { id } = yield* openChangeRequest(space)
      const path = `/v1/spaces/${space}/change-requests/${id}/changes/page/${idOf("Page")}`
      assert.deepStrictEqual((yield* call("read", "GET", path).pipe(answers(200, Shapes.PageChanges))).changes, [])
      yield* write(space, id, [
        { operation: "update_page", page: idOf("Page"), title: "Renamed", document: { markdown: after } }
      ])
      // What comes to main meanwhile is none of its changes.
      yield* publish(space, [
        { operation: "update_page", page: idOf("Page"), document: { markdown: `${before}\n\nFrom main` } }
      ])
      const changes = yield* call("read", "GET", path).pipe(answers(200, Shapes.PageChanges))
      assert.strictEqual(changes.title, "Renamed")
      assert.deepStrictEqual(said(changes), expected)
      const first = yield* call("read", "GET", `${path}?limit=1`).pipe(answers(200, Shapes.PageChanges))
      assert.deepStrictEqual([said(first), first.more], [expected.slice(0, 1), expected.length - 1])

      yield* call("admin", "POST", `/v1/spaces/${space}/change-requests/${id}/update`).pipe(has(200))
      const merged = yield* merge(space, id)
      const revision = `/v1/spaces/${space}/revisions/${merged.revision}/changes/page/${idOf("Page")}`
      const seen = yield* call("read", "GET", revision).pipe(has(200))
      assert.deepStrictEqual(said(JSON.parse(seen.text)), expected)
      yield* call("read", "GET", revision, undefined, { "if-none-match": seen.headers.get("etag") ?? "" }).pipe(
        has(304)
      )
    })
  )

  it.effect("are none where a page is written back, title and all", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { id: space } = yield* createSpace()
      const { idOf } = yield* publish(space, [
        { operation: "insert_page", ref: "named", title: "A *b* & c", document: { markdown: "Text" } },
        { operation: "insert_page", ref: "untitled", document: { markdown: "# From text\n\n# Second" } },
        { operation: "insert_page", ref: "empty", title: "Empty" },
        { operation: "insert_page", ref: "details", title: "Details", document: { markdown: details } },
        { operation: "insert_page", ref: "other", title: "Other", document: { markdown: "# Heading\n\nText" } },
        {
          operation: "insert_page",
          ref: "linked",
          title: "Linked",
          document: { markdown: "# Linked [x](https://a.b)" }
        }
      ])
      const read = (page: string) =>
        Effect.map(
          call("read", "GET", `/v1/spaces/${space}/content/page/${idOf(page)}`).pipe(answers(200, Shapes.Page)),
          ({ title, markdown }) => [title, markdown]
        )
      const texts = [
        ["named", "A *b* & c", "# A \\*b\\* & c\n\nText\n"],
        ["untitled", "From text", "# From text\n\n# Second\n"],
        ["empty", "Empty", "# Empty\n"],
        ["details", "Details", `# Details\n\n${details}`],
        ["other", "Other", "# Other\n\n# Heading\n\nText\n"],
        ["linked", "Linked", "# Linked\n\n# Linked [x](https://a.b)\n"]
      ] as const
      for (const [page, title, markdown] of texts) {
        assert.deepStrictEqual(yield* read(page), [title, markdown])
        yield* publish(space, [{ operation: "update_page", page: idOf(page), document: { markdown } }])
        assert.deepStrictEqual(yield* read(page), [title, markdown])
      }
      // Whoever renames a page may write either title.
      for (const heading of ["Other", "Another"]) {
        const document = { markdown: `# ${heading}\n\nText` }
        yield* publish(space, [{ operation: "update_page", page: idOf("other"), title: "Another", document }])
        assert.deepStrictEqual(yield* read("other"), ["Another", "# Another\n\nText\n"])
      }
    })
  )

  it.effect("are the rows of a table, the lines of code and the tabs that changed, and where they stand", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const page = (...[price, line, tab, row]: ReadonlyArray<string>) =>
        [
          `| Name | Price |\n| --- | --- |\n| apple | 1 euro |\n| banana | ${price} |\n${row}`,
          `\n\n{% tabs %}\n{% tab title="${tab}" %}\n\`\`\`js\nlet a = 1\n${line}\n\`\`\`\n{% endtab %}\n{% endtabs %}`
        ].join("")
      const { space, idOf } = yield* spaceWith({ Page: page("2 euro", "let b = 2", "Node", "") })
      const { id } = yield* openChangeRequest(space)
      const markdown = page("4 euro", "let b = 3", "Deno", "| cherry | 3 euro |")
      yield* write(space, id, [{ operation: "update_page", page: idOf("Page"), document: { markdown } }])
      const path = `/v1/spaces/${space}/change-requests/${id}/changes/page/${idOf("Page")}`
      const { changes } = yield* call("read", "GET", path).pipe(answers(200, Shapes.PageChanges))
      assert.deepStrictEqual(
        changes.map(({ after, block, inside, row, text, type }) => [
          type,
          row === undefined ? after?.type : "row",
          block?.type ?? text?.map(({ kind, text }) => `${kind}: ${text}`).join(" | "),
          inside?.map(({ title, type }) => title ?? type).join(" > ")
        ]),
        [
          ["block_edited", "row", "equal: banana |  | deleted: 2 | inserted: 4 | equal:  euro", undefined],
          ["block_added", "row", "table", undefined],
          ["block_edited", "tabs-item", "", "tabs"],
          ["block_edited", "code-line", "equal: let b = | deleted:  2 | inserted:  3", "tabs > Deno > code"]
        ]
      )
    })
  )

  it.effect("are all of its blocks where the page came or went; of a page that is nowhere there are none", () =>
    Effect.gen(function* () {
      const { call } = yield* Harness
      const { space, idOf } = yield* spaceWith({ Old: "One\n\nTwo" })
      const { id } = yield* openChangeRequest(space)
      const update = yield* write(space, id, [
        { operation: "delete_page", page: idOf("Old") },
        { ...insertPage("New", "Three"), ref: "new" }
      ])
      const path = `/v1/spaces/${space}/change-requests/${id}/changes/page`
      const changesOf = (page: string) => call("read", "GET", `${path}/${page}`).pipe(answers(200, Shapes.PageChanges))
      assert.deepStrictEqual(said(yield* changesOf(idOf("Old"))), [
        ["block_removed", "paragraph"],
        ["block_removed", "paragraph"]
      ])
      assert.deepStrictEqual(said(yield* changesOf(update.idOf("new"))), [["block_added", "paragraph"]])
      yield* call("read", "GET", `${path}/nothing`).pipe(refused(404))
      yield* call("outsider", "GET", `${path}/${idOf("Old")}`).pipe(refused(404))
    })
  )
})
