/** Folders that are made, with those that they are in. */
import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, it } from "@effect/vitest"
import { makeFolder } from "../src/NewFolder.ts"

it("a folder is made for its owner alone, with those that it is in, and may be there", async () => {
  const root = mkdtempSync(join(tmpdir(), "lectern-folder-"))
  try {
    const folder = join(root, "one", "two", "three")
    const made = await Promise.all([makeFolder(folder), makeFolder(folder)])
    const all = [join(root, "one"), join(root, "one", "two"), folder]
    assert.deepStrictEqual(made.flat().sort(), all)
    assert.deepStrictEqual(await makeFolder(folder), [])
    assert.strictEqual(statSync(join(root, "one")).mode & 0o777, 0o700)
    assert.strictEqual(statSync(folder).mode & 0o777, 0o700)
  } finally {
    rmSync(root, { recursive: true })
  }
})

it.runIf(existsSync("/proc"))("a folder that none can be made in is told of", async () => {
  const code = await makeFolder("/proc/one/two").catch((thrown: NodeJS.ErrnoException) => thrown.code)
  assert.strictEqual(code, "ENOENT")
})
