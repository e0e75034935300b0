import { assert, describe, it } from "@effect/vitest"
import * as GitbookYaml from "@lectern/exchange/import/GitbookYaml"
import { Result } from "effect"

describe("GitbookYaml", () => {
  it("reads root, structure and redirects, past invisible characters", () => {
    const { config, problems } = GitbookYaml.parse(
      "root: ./docs/\n\n\u200Bstructure:  \n    readme: Home.md  \n    summary: toc/SUMMARY.md\u200B\n\nredirects:  \n    old/page: new/page.md\n    broken: 4\n"
    )
    assert.deepStrictEqual(config, {
      root: "docs",
      readme: "Home.md",
      summary: "toc/SUMMARY.md",
      redirects: { "old/page": "new/page.md" }
    })
    assert.deepStrictEqual(problems, [])
  })

  it("an empty file says nothing", () => {
    assert.deepStrictEqual(GitbookYaml.parse(""), { config: GitbookYaml.defaults, problems: [] })
  })

  it("a root outside the folder is refused", () => {
    const { config, problems } = GitbookYaml.parse("root: ../../etc\nstructure:\n  summary: [a]\n")
    assert.deepStrictEqual(config, GitbookYaml.defaults)
    assert.strictEqual(problems.length, 2)
  })

  it("what is no YAML, no mapping, too long or a bomb of aliases is reported", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"]
    for (let i = 0; i < 12; i++) {
      const before = String.fromCharCode(97 + i)
      const name = String.fromCharCode(98 + i)
      bomb.push(`${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]`)
    }
    for (const text of ["a: [", "- a", "just text", "x: ".padEnd(300_000, "y"), bomb.join("\n")]) {
      assert.isTrue(Result.isFailure(GitbookYaml.readYaml(text)), text.slice(0, 20))
    }
  })
})
