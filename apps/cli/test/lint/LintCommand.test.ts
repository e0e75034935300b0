/** `lectern lint`: formats and exit codes. The test of SARIF uses the published schema. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"
import { DOMParser } from "@xmldom/xmldom"
import { Ajv } from "ajv"
import formats from "ajv-formats"
import { assert, describe, it } from "vitest"
import * as JUnit from "../../src/lint/JUnit.ts"
import type { LintProblem } from "../../src/lint/Problems.ts"
import * as Sarif from "../../src/lint/Sarif.ts"
import { lectern } from "../../../server/test/LecternProcess.ts"
import { folderOf } from "../dev/Folders.ts"

const problems: ReadonlyArray<LintProblem> = [
  {
    path: "a b/<c>.md",
    line: 3,
    column: 2,
    rule: "broken-link",
    level: "error",
    message: 'No "x" & <y>\n\u0000\uD800 \u{1F600}'
  },
  { path: "d.md", rule: "not-imported", level: "warning", message: "Left out" }
]

describe("SARIF", () => {
  const require = createRequire(import.meta.resolve("@microsoft/jest-sarif/package.json"))
  // The schema names draft 4 of JSON Schema, which the validator lacks. All other keywords also exist in later drafts.
  const {
    $schema: _,
    id,
    ...schema
  } = JSON.parse(readFileSync(require.resolve("./lib/schemas/sarif-2.1.0-rtm.5.json"), "utf8")) as Readonly<
    Record<string, unknown>
  >
  assert.match(String(id), /sarif/)
  const ajv = new Ajv({ strict: false, unicodeRegExp: false })
  formats.default(ajv)
  const validate = ajv.compile(schema)

  it("is valid, with and without problems", () => {
    for (const list of [problems, []]) {
      const log: unknown = JSON.parse(Sarif.serialize(list, process.cwd()))
      assert.isTrue(validate(log), JSON.stringify(validate.errors))
    }
    assert.isFalse(validate({ version: "2.1.0", runs: [{}] }))
  })

  it("has the position, the rule and its page", () => {
    const [run] = JSON.parse(Sarif.serialize(problems, process.cwd())).runs
    const [first, second] = run.results
    assert.deepStrictEqual(first.locations[0].physicalLocation, {
      artifactLocation: { uri: "a%20b/%3Cc%3E.md" },
      region: { startLine: 3, startColumn: 2 }
    })
    assert.deepStrictEqual([first.level, second.level], ["error", "warning"])
    const rule = run.tool.driver.rules[first.ruleIndex]
    assert.deepStrictEqual(
      [rule.id, rule.help.text],
      ["broken-link", "See reference/lint/broken-link.md in the manual of Lectern."]
    )
  })
})

describe("JUnit", () => {
  it("is well-formed, with a failed test for each error", () => {
    const onError = (_: string, message: string) => assert.fail(message)
    const parse = (text: string) => new DOMParser({ errorHandler: onError }).parseFromString(text, "text/xml")
    const root = parse(JUnit.serialize(problems, process.cwd())).documentElement
    const failures = Array.from(root.getElementsByTagName("failure"))
    assert.deepStrictEqual(
      failures.map((one) => [one.getAttribute("type"), one.getAttribute("message")]),
      [["broken-link", 'No "x" & <y>\n\uFFFD\uFFFD \u{1F600}']]
    )
    assert.strictEqual(root.getAttribute("failures"), "1")
    assert.lengthOf(root.getElementsByTagName("testcase"), 2)
    assert.strictEqual(parse(JUnit.serialize([], "")).documentElement.getAttribute("failures"), "0")
  })
})

describe("lectern lint", () => {
  it("prints problems in each format, and exits with 1", async () => {
    const folder = folderOf({ "README.md": "# Home\n\n[Gone](a,b.md)\n" })
    const message = "A link leads to nothing in the folder: a,b.md"
    const [pretty, json, github] = await Promise.all([
      lectern(["lint", folder]),
      lectern(["lint", folder, "--format", "json"]),
      lectern(["lint", folder, "--format", "github"])
    ])
    assert.deepStrictEqual(
      [pretty, json, github].map(({ code, stderr }) => [code, stderr]),
      [
        [1, ""],
        [1, ""],
        [1, ""]
      ]
    )
    assert.strictEqual(pretty.stdout, `README.md:3:8: ${message} (broken-link)\n1 error in 1 page\n`)
    assert.deepStrictEqual(JSON.parse(json.stdout), {
      pages: 1,
      fixed: 0,
      problems: [
        {
          path: "README.md",
          line: 3,
          column: 8,
          rule: "broken-link",
          message,
          level: "error",
          isFixable: false,
          rulePage: "reference/lint/broken-link.md"
        }
      ]
    })
    assert.match(
      github.stdout,
      /^::error file=\S+\/README\.md,line=3,col=8,title=broken-link::A link leads .*a,b\.md\n$/
    )
  })

  it("exits with 0 without problems, and with 2 if it can't run", async () => {
    const folder = folderOf({ "README.md": "# Home\n" })
    const [fine, missing, unknown] = await Promise.all([
      lectern(["lint", folder]),
      lectern(["lint", join(folder, "gone")]),
      lectern(["lint", folder, "--format", "xml"])
    ])
    assert.deepStrictEqual([fine.code, fine.stdout], [0, "0 errors in 1 page\n"])
    assert.deepStrictEqual([missing.code, missing.stdout], [2, ""])
    assert.match(missing.stderr, /^lectern: \S+gone can't be read: /)
    assert.strictEqual(unknown.code, 2)
  })

  it("obeys the settings, exits with 0 if there are only warnings, and with 2 if the settings are invalid", async () => {
    const page = "# Home\n\n![](p.png)\n"
    const settings = '[lint]\nignore = ["drafts/"]\n[lint.rules]\nbroken-link = "off"\n'
    const folder = folderOf({ "README.md": page, "drafts/a.md": page, "lectern.toml": settings })
    const invalid = folderOf({ "README.md": page, "lectern.toml": '[lint.rules]\nbroken-lin = "off"\n' })
    const [warning, refused] = await Promise.all([lectern(["lint", folder]), lectern(["lint", invalid])])
    assert.deepStrictEqual(
      [warning.code, warning.stdout],
      [
        0,
        "README.md:3:1: The picture has no alternative text (warning, missing-alt-text)\n0 errors and 1 warning in 2 pages\n"
      ]
    )
    assert.deepStrictEqual([refused.code, refused.stdout], [2, ""])
    assert.match(
      refused.stderr,
      /^lectern: lint\.rules\.broken-lin in \S+ is not a rule: did you mean broken-link\?\n$/
    )
  })

  it("mends problems with --fix, and reports the rest", async () => {
    const folder = folderOf({ "README.md": "# Home\n\n[A](my page.md) [B](b.md)\n", "my page.md": "# A\n" })
    const { code, stdout } = await lectern(["lint", folder, "--fix", "--format", "json"])
    const { fixed, problems } = JSON.parse(stdout)
    assert.deepStrictEqual([code, fixed, problems.map(({ rule }: LintProblem) => rule)], [1, 1, ["broken-link"]])
    assert.strictEqual(readFileSync(join(folder, "README.md"), "utf8"), "# Home\n\n[A](my%20page.md) [B](b.md)\n")
  })
})
