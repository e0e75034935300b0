/** Tests that a page shows its title once if its text begins with the title as a heading. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { onMemory } from "../../http/test/Harness.ts"
import { publishedSite } from "../../http/test/SiteSteps.ts"
import { createSpace, insertPage, publish } from "../../http/test/Steps.ts"
import { asking, hasStatus } from "./SiteHarness.ts"

/** Markdown below the title, and the anchors and texts of all headings of the page. */
const cases: ReadonlyArray<readonly [markdown: string, headings: ReadonlyArray<readonly [string, string]>]> = [
  [
    "## Command list\n\nText\n\n## Options",
    [
      ["command-list", "Command list"],
      ["options", "Options"]
    ]
  ],
  ["#### command **LIST**\n\nText", [["command-list", "Command list"]]],
  ["<!-- generated -->\n\n## Command list\n\nText", [["command-list", "Command list"]]],
  ["## Command list {#old}\n\nText", [["old", "Command list"]]],
  [
    "Text\n\n## Command list",
    [
      ["", "Command list"],
      ["command-list", "Command list"]
    ]
  ],
  [
    "## Command lists\n\nText",
    [
      ["", "Command list"],
      ["command-lists", "Command lists"]
    ]
  ],
  [
    "## [Command list](https://example.com)\n\nText",
    [
      ["", "Command list"],
      ["command-list", "Command list"]
    ]
  ]
]

onMemory("The title of a page", (it) => {
  it.effect("stands once above a text that begins with it", () =>
    Effect.gen(function* () {
      const ask = yield* asking
      const space = yield* createSpace({ title: "Docs" })
      yield* publish(space.id, [
        insertPage("Front", "Text"),
        ...cases.map(([markdown], i) => insertPage("Command list", markdown, { slug: `case-${i}`, ref: `case-${i}` }))
      ])
      const { urls } = yield* publishedSite([space.id])
      for (const [i, [markdown, headings]] of cases.entries()) {
        const { text } = yield* ask(`${urls.published}case-${i}`).pipe(hasStatus(200))
        const found = Array.from(
          text.matchAll(/<h[1-6]([^>]*)>(.*?)<\/h[1-6]>/g),
          ([, attributes = "", inner = ""]) => [
            /id="([^"]*)"/.exec(attributes)?.[1] ?? "",
            inner.replace(/<[^>]*>/g, "")
          ]
        )
        assert.deepStrictEqual(
          found,
          headings.map((each) => [...each]),
          markdown
        )
      }
    })
  )
})
