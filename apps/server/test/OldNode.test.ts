/** Tests the command on a Node.js that is too old, limited to the entry file, which is read first. */
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { promisify } from "node:util"
import { assert, describe, inject, it } from "vitest"

const main = inject("bundledServer")

describe("The file of the command that Node.js reads first", () => {
  it("imports nothing before it has looked at the version", () => {
    const text = readFileSync(main!, "utf8")
    assert.match(text, /^#!\/usr\/bin\/env node\n/)
    assert.notMatch(text, /^import\b(?!\()/m)
    assert.notMatch(text, /^export\b.*\bfrom\b/m)
  })

  it("says which one is needed, and ends with 1", async () => {
    const older = `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } }); await import(${JSON.stringify(main)})`
    const failure = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", older]).then(
      () => undefined,
      (error: { readonly code: number; readonly stderr: string }) => error
    )
    assert.strictEqual(failure?.code, 1)
    assert.match(failure!.stderr, /^Lectern needs Node\.js 24 or newer, and this is v\d.*\n$/)
  })
})
