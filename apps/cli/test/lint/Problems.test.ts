import { assert, describe, it } from "@effect/vitest"
import * as Problems from "../../src/lint/Problems.ts"

describe("Problems", () => {
  it("have a URL that opens the line in an editor", () => {
    const problem = { path: "a b/c.md", line: 7 }
    assert.strictEqual(Problems.editorUrl(Problems.vscode, "/docs", problem), "vscode://file/docs/a%20b/c.md:7")
    assert.strictEqual(
      Problems.editorUrl("idea://open?file={path}&line={line}", "/docs", { path: "d.md" }),
      "idea://open?file=/docs/d.md&line=1"
    )
  })

  it("are in the order of files and lines, with markup that stayed text and specs", () => {
    const report = {
      problems: [
        { path: "b.md", line: 9, message: "Nine" },
        { path: "b.md", line: 2, column: 5, message: "Two" }
      ],
      specs: [{ spec: "pets", pages: 1 }]
    }
    const findings = {
      markup: [{ kind: "jsx" as const, count: 2, locations: [{ line: 3, text: "<Card" }] }],
      specs: [{ spec: "pets" }, { spec: "shops" }]
    }
    const page = { id: "a", targets: new Map(), problems: [], findings, brokenLinks: new Map() }
    assert.deepStrictEqual(Problems.inReport(report, new Map([["a.md", page]])).map(Problems.lineOf), [
      'a.md: The OpenAPI spec "pets" does not exist here',
      "a.md:3: Only the content of an unknown component is displayed: <Card (unknown components: 2 in total)",
      "b.md:2:5: Two",
      "b.md:9: Nine"
    ])
  })
})
