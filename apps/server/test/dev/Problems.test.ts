import { assert, describe, it } from "@effect/vitest"
import * as Problems from "../../src/dev/Problems.ts"

describe("Problems", () => {
  it("have a URL that opens the line in an editor", () => {
    const problem = { path: "a b/c.md", line: 7, message: "x" }
    assert.strictEqual(Problems.editorUrl(Problems.vscode, "/docs", problem), "vscode://file/docs/a%20b/c.md:7")
    assert.strictEqual(
      Problems.editorUrl("idea://open?file={path}&line={line}", "/docs", { path: "d.md", message: "x" }),
      "idea://open?file=/docs/d.md&line=1"
    )
  })

  it("are in the order of files and lines, with markup that stayed text and specs", () => {
    const report = {
      added: [],
      changed: [],
      removed: [],
      unchanged: [],
      counts: { pages: 1, files: 0, reusableContents: 0 },
      sentences: [],
      problems: [
        { path: "b.md", line: 9, message: "Nine" },
        { path: "b.md", line: 2, message: "Two" }
      ],
      markup: [{ kind: "jsx" as const, count: 2, places: [{ path: "a.md", line: 3, text: "<Card" }] }],
      specs: [{ spec: "pets", pages: 1 }]
    }
    assert.deepStrictEqual(Problems.inReport(report).map(Problems.lineOf), [
      'Pages name the OpenAPI spec "pets", which does not exist here',
      "a.md:3: The JSX element or statement stays text: <Card (JSX elements and statements: 2 in total)",
      "b.md:2: Two",
      "b.md:9: Nine"
    ])
  })
})
