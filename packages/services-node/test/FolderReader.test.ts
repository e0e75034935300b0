import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFolder } from "@lectern/services-node/folder/FolderReader"

const folders: Array<string> = []

const temporaryFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-test-"))
  folders.push(folder)
  return folder
}

const cleanUp = () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
}

describe("readFolder", () => {
  afterEach(cleanUp)

  it.effect("reads files in order, follows links within the folder, and none that lead elsewhere", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      const outside = temporaryFolder()
      writeFileSync(join(outside, "secret.md"), "secret")
      for (const path of ["sub", ".git", "node_modules", ".gitbook"]) mkdirSync(join(folder, path))
      writeFileSync(join(folder, "b.md"), "b")
      writeFileSync(join(folder, "sub/a.md"), "a")
      writeFileSync(join(folder, ".git/config"), "x")
      writeFileSync(join(folder, "node_modules/x.md"), "x")
      writeFileSync(join(folder, ".gitbook/vars.yaml"), "a: b")
      symlinkSync("sub/a.md", join(folder, "inside.md"))
      symlinkSync(join(outside, "secret.md"), join(folder, "outside.md"))
      symlinkSync(outside, join(folder, "outside"))
      symlinkSync("..", join(folder, "sub/loop"))
      symlinkSync("nothing", join(folder, "dangling.md"))
      symlinkSync(".git/config", join(folder, "git.md"))

      const { files, problems } = yield* readFolder(folder)
      assert.deepStrictEqual(
        files.map(({ path }) => path),
        [".gitbook/vars.yaml", "b.md", "inside.md", "sub/a.md"]
      )
      assert.sameMembers(
        problems.map(({ path }) => path),
        ["outside.md", "outside", "sub/loop", "dangling.md", "git.md"]
      )
      assert.strictEqual(new TextDecoder().decode(yield* files[2]!.bytes()), "a")
    })
  )

  it.effect("a folder that is not there, or is none, is said", () =>
    Effect.gen(function* () {
      const folder = temporaryFolder()
      writeFileSync(join(folder, "file"), "")
      assert.include((yield* Effect.flip(readFolder(join(folder, "nowhere")))).message, "no such folder")
      assert.include((yield* Effect.flip(readFolder(join(folder, "file")))).message, "no folder")
    })
  )
})
