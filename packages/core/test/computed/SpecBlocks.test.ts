import { assert, describe, it } from "@effect/vitest"
import * as SpecBlocks from "@lectern/core/computed/SpecBlocks"
import * as Markdown from "@lectern/document/markdown/Markdown"

const parse = (markdown: string) => {
  let key = 0
  return Markdown.parse(markdown, { nextKey: () => `k${key++}` }).document
}

const operation = (path: string) =>
  `{% openapi-operation spec="pets" path="${path}" method="get" %}\n[pets](https://example.com)\n{% endopenapi-operation %}`

describe("SpecBlocks", () => {
  it("leaves out what follows a block of a specification, but headings of other blocks", () => {
    const document = parse(
      [
        "All pets.",
        "# List",
        operation("/pets"),
        "`GET /pets`",
        "## Parameters",
        "Text",
        "# One",
        operation("/pet")
      ].join("\n\n")
    )
    assert.deepStrictEqual(
      SpecBlocks.withoutTables(document).nodes.map(({ type }) => type),
      ["paragraph", "heading-1", "openapi-operation", "heading-1", "openapi-operation"]
    )
  })

  it("keeps a document whose blocks are not rendered, or that has none", () => {
    const document = parse(`# List\n\n${operation("/pets")}\n\nText`)
    assert.strictEqual(
      SpecBlocks.withoutTables(document, () => false),
      document
    )
    const other = parse("# List\n\nText")
    assert.strictEqual(SpecBlocks.withoutTables(other), other)
  })
})
