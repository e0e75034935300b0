/** The schema of `site.yaml`: what it accepts and refuses, with positions, and its form for editors. */
import { assert, describe, it } from "@effect/vitest"
import { Ajv2020 } from "ajv/dist/2020.js"
import { Result } from "effect"
import * as FolderParts from "../../src/site-folder/FolderParts.ts"
import * as SiteFile from "../../src/site-folder/SiteFile.ts"

const parsed = (text: string): SiteFile.SiteFile => Result.getOrThrow(SiteFile.parse(text)).file

const problems = (text: string): ReadonlyArray<string> =>
  Result.match(SiteFile.parse(text), {
    onSuccess: () => [],
    onFailure: (found) => found.map(({ line, column, message }) => `${line}:${column} ${message}`)
  })

const valid = `title: Acme
sections:
  - { title: Guide, folder: ./guide/, icon: book, description: Start here }
  - title: Reference
    sections:
      - title: API
        variants:
          - { title: v2, folder: api/v2, path: v2, default: true, language: de }
          - { title: v1, folder: api/v1, condition: visitor.claims.plan == "pro" }
      - { title: Rest, groups: ["", Other] }
customization:
  header: { links: [{ title: X, to: x.md, links: [] }] }
redirects:
  - { source: /old/*, destination: guide, permanent: true, captureWildcard: true }
`

describe("SiteFile", () => {
  it("accepts sections, groups, variants, customization and redirects, as its JSON Schema does", () => {
    const file = parsed(valid)
    assert.deepStrictEqual(
      SiteFile.sectionsOf(file).map(({ section, group, path }) => [section.title, group, path.join(".")]),
      [
        ["Guide", undefined, "sections.0"],
        ["API", 1, "sections.1.sections.0"],
        ["Rest", 1, "sections.1.sections.1"]
      ]
    )
    const validate = new Ajv2020({ strict: false }).compile(SiteFile.jsonSchema())
    assert.isTrue(validate(file), JSON.stringify(validate.errors))
    assert.isFalse(validate({ ...file, tittle: "Acme" }))
    assert.isFalse(validate({ sections: [{ title: "Guide", folder: "guide", icn: "book" }] }))
  })

  it("is valid if it is empty", () => {
    for (const text of ["", "# Nothing\n", "{}"]) assert.deepStrictEqual(problems(text), [])
  })

  it.each([
    ["sections: [{ title: Guide, foldr: guide }]", "1:28 foldr: Unknown field: did you mean folder?"],
    ["sections:\n  - title: Guide", "2:5 sections: Expected folder, groups, variants or sections"],
    ["sections: [{ title: A B, folder: ../x }]", "1:26 folder: Expected a path within the folder"],
    ["title: [", "1:9 "],
    ["- a", "1:1 "],
    ["variants: [{ title: v1 }]\nsections: [{ title: Guide, folder: . }]", "1:1 variants: Expected the variants of"],
    [
      "sections: [{ title: Guide, folder: ., variants: [{ title: v1 }] }]",
      "1:12 sections: Expected the folder and groups"
    ],
    ["sections: [{ title: All, path: x, sections: [{ title: Guide, folder: . }] }]", "1:12 sections: A group has only"],
    ["customization: { themes: { default: blue } }", '1:28 default: Expected "light" | "dark" | "system"'],
    ["redirects: [{ source: old, destination: a.md }]", "1:15 source: Expected a path of 2 to 512 characters"]
  ])("refuses %s with its position", (text, problem) => {
    const [first = ""] = problems(text)
    assert.isTrue(first.startsWith(problem), first)
  })
})

describe("FolderParts", () => {
  it("are the folders of sections and variants, each once, without the folders of other parts", () => {
    const definitions = FolderParts.definitionsOf(parsed(`${valid}`), "Acme")
    assert.deepStrictEqual(
      definitions.map(({ folder, title }) => [folder, title]),
      [
        ["guide", "Guide"],
        ["api/v2", "v2"],
        ["api/v1", "v1"],
        ["", "Rest"]
      ]
    )
    const part = FolderParts.partOf(definitions[3]!, definitions, new Map())
    assert.deepStrictEqual(part.excluded, ["guide", "api/v2", "api/v1"])
    assert.isTrue(part.groups!.hasOthers)
  })

  it("are the whole folder without sections and variants", () => {
    assert.deepStrictEqual(
      FolderParts.definitionsOf({}, "Acme").map(({ folder, title }) => [folder, title]),
      [["", "Acme"]]
    )
  })
})
