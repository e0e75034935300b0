/** `lectern lint`: formats and exit codes. */
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { lectern } from "../../../server/test/LecternProcess.ts"
import { folderOf } from "./Folders.ts"

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
    assert.strictEqual(pretty.stdout, `README.md:3:8: ${message} (broken-link)\n1 problem in 1 page\n`)
    assert.deepStrictEqual(JSON.parse(json.stdout), {
      pages: 1,
      problems: [{ path: "README.md", line: 3, column: 8, rule: "broken-link", message }]
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
    assert.deepStrictEqual([fine.code, fine.stdout], [0, "0 problems in 1 page\n"])
    assert.deepStrictEqual([missing.code, missing.stdout], [2, ""])
    assert.match(missing.stderr, /^lectern: \S+gone can't be read: /)
    assert.strictEqual(unknown.code, 2)
  })
})
