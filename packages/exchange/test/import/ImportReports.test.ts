/** Tests reports of imports: source that stayed text, missing specs, and the messages about both. */
import { assert, describe, it } from "@effect/vitest"
import { FolderImports } from "@lectern/exchange/import/FolderImports"
import * as ImportReports from "@lectern/exchange/import/ImportReports"
import { OpenApiSpecs } from "@lectern/core/openapi/OpenApiSpecs"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect } from "effect"
import { png } from "./ImportedFolder.ts"
import { files, importFiles, newSpace, onInstance } from "./Imports.ts"

const operation = (spec: string, url: string) =>
  `{% openapi-operation spec="${spec}" path="/pets" method="get" %}\n[The spec](${url})\n{% endopenapi-operation %}\n`

describe("the report of an import", () => {
  it.effect("counts markup that stayed text by kind, with its first places", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { report } = yield* importFiles(space, {
          "a.md": `---\ntitle: A\n---\n\n:::custom One\ntext\n:::\n\n{{< figure src="x.png" >}} {{< odd >}} and {{ site.name }}\n\n[[Notes]] ![[p.png]]\n`,
          "b.md":
            "import Tabs from '@theme/Tabs';\n\n<Tabs>\n<TabItem>x</TabItem>\n</Tabs>\n\n:::note\nknown\n:::\n\n" +
            "`{{ code }}` and `[[code]]`\n\n```\n:::no\n{{ no }}\n[[no]]\n<No/>\n```\n",
          "c.md":
            "{% unknown %}\n\n- [[In a list]] <Gadget/> <Thing a={f(1, 2)}>\n\n| [[In]] | a |\n|---|---|\n| {{ cell }} | b |\n",
          "d.md":
            "> [!released]\n> In ==version 2==.\n\n> [!note]\n> Known\n\n* [!own-name]- Folded\n\n" +
            "`==code==` and a == b == c, ==two words==\n"
        })
        const kinds = report.markup.map(({ count, kind, places }) => [
          kind,
          count,
          places.map(({ line, path, text }) => `${path}:${line} ${text}`)
        ])
        assert.deepStrictEqual(kinds, [
          ["directive", 1, ["a.md:5 :::custom One"]],
          ["template", 3, ["a.md:9 {{ site.name }}", "c.md:1 {% unknown %}", "c.md:7 {{ cell }}"]],
          ["wikilink", 4, ["a.md:11 [[Notes]]", "a.md:11 ![[p.png]]", "c.md:3 [[In a list]]", "c.md:5 [[In]]"]],
          ["jsx", 2, ["c.md:3 <Gadget", "c.md:3 <Thing a={"]],
          ["shortcode", 1, ["a.md:9 {{< odd >}}"]],
          ["callout", 2, ["d.md:1 [!released]", "d.md:7 [!own-name]-"]],
          ["highlight", 2, ["d.md:2 ==version 2==", "d.md:9 ==two words=="]]
        ])
        assert.include(report.sentences, "4 wikilinks ([[ ]]) stayed text, first in a.md:11, a.md:11, c.md:3.")
        assert.deepStrictEqual((yield* importFiles(yield* newSpace, { "a.md": "# A\n\nText\n" })).report.markup, [])
      })
    )
  )

  it.effect("names every file that is left out", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const pictures = Array.from({ length: 12 }, (_, i) => `img/${String(i).padStart(2, "0")}.png`)
        const { report } = yield* importFiles(space, {
          "a.md": "# A\n\n![](img/00.png)\n",
          "b.rst": "B\n",
          ...Object.fromEntries(pictures.map((path) => [path, png]))
        })
        assert.deepStrictEqual(report.counts, { pages: 1, files: 1, reusableContents: 0 })
        const named = report.problems.flatMap(({ files, path }) => files ?? [path])
        assert.sameMembers(named, ["b.rst", ...pictures.slice(1)])
        assert.deepStrictEqual(report.sentences, [
          "The import has 1 page, 1 file.",
          "12 files or entries were left out.",
          "2 problems to look at."
        ])
      })
    )
  )

  it.effect("names specs that the organization lacks, and registers them if it is to", () =>
    onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        const { organization } = yield* (yield* Spaces).get(space)
        const specs = yield* OpenApiSpecs
        yield* specs.put(organization, "known", { source: { text: '{"openapi":"3.0.0"}' } })
        const folder = {
          "SUMMARY.md":
            "* [A](a.md)\n* [B](b.md)\n* ```yaml\n  type: builtin:openapi\n  props:\n    models: true\n  dependencies:\n    spec:\n      ref:\n        kind: openapi\n        spec: computed\n  ```\n",
          "a.md": `# A\n\n${operation("petstore", "https://example.com/petstore.yaml")}\n${operation("known", "https://example.com/k.yaml")}\n`,
          "b.md": `# B\n\n${operation("petstore", "#none")}\n${operation("Not a slug", "https://example.com/x.yaml?signature=1")}\n`
        }
        const { report } = yield* importFiles(space, folder)
        assert.sameDeepMembers(
          [...report.specs],
          [
            { spec: "petstore", url: "https://example.com/petstore.yaml", pages: 2 },
            { spec: "Not a slug", url: "https://example.com/x.yaml?signature=1", pages: 1 },
            { spec: "computed", pages: 1 }
          ]
        )
        assert.include(
          report.sentences,
          '1 page names the OpenAPI spec "Not a slug" (https://example.com/x.yaml), which the organization lacks: ' +
            "it shows method and path alone."
        )
        const copy = (yield* (yield* Spaces).create(organization, { title: "Copy" })).id
        const again = yield* (yield* FolderImports).importFolder(
          copy,
          { files: files(folder) },
          { registerSpecs: true }
        )
        const problems = again.report.problems.map(({ message, path }) => `${path}: ${message}`)
        assert.strictEqual(problems.length, 1)
        assert.match(problems[0]!, /^Not a slug: The spec was not registered: /)
        assert.deepInclude(again.report.specs, {
          spec: "petstore",
          url: "https://example.com/petstore.yaml",
          pages: 2,
          registered: true
        })
        const made = yield* specs.get(organization, "petstore")
        assert.deepInclude(made, { slug: "petstore", sourceURL: "https://example.com/petstore.yaml" })
        assert.strictEqual(again.report.specs.length, 3)
      })
    )
  )

  it("is bounded", () => {
    const problems = Array.from({ length: 1_500 }, (_, i) => ({
      path: `${i}`,
      message: "It is left out",
      files: Array.from({ length: 50 }, (_, n) => `${i}/${n}`)
    }))
    const { problemCount, problems: listed } = ImportReports.make({
      counts: { pages: 0, files: 0, reusableContents: 0 },
      problems,
      markup: [],
      specs: []
    })
    assert.strictEqual(problemCount, 1_500)
    assert.strictEqual(listed.length, 1_000)
    assert.strictEqual(
      listed.reduce((sum, { files }) => sum + files!.length, 0),
      10_000
    )
  })
})
