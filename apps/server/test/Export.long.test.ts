import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, lectern, lecternJson, temporaryFolder } from "./LecternProcess.ts"

const source = {
  "SUMMARY.md": "# Table of contents\n\n* [Home](README.md)\n* [Next](next.md)\n",
  "README.md": "# Home\n\n[next](next.md) ![a](images/a.gif)\n",
  "next.md": "# Next\n\ntext\n",
  "images/a.gif": "GIF89a"
}

const read = (folder: string): Record<string, string> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, "utf8")] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1))
  )

const imported = async (data: string) => {
  const folder = temporaryFolder()
  for (const [path, text] of Object.entries(source)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  return lecternJson(["import", folder, "--data", data])
}

describe("lectern export", () => {
  afterEach(cleanUp)

  it("writes what import reads, while the server runs", async () => {
    const server = await begunServer()
    const { data } = server.ready
    const { space, revision } = await imported(data)
    const folder = join(temporaryFolder(), "new", "out")
    const answer = await lecternJson(["export", space.id, folder, "--data", data])
    assert.deepInclude(answer, {
      revision,
      folder,
      pages: 2,
      files: 1,
      reusableContents: 0,
      variables: 0,
      problems: []
    })
    assert.deepStrictEqual(read(folder), source)
    assert.deepStrictEqual(readdirSync(dirname(folder)), ["out"])

    const copy = await lecternJson(["import", folder, "--data", data, "--title", "Copy"])
    assert.deepStrictEqual(copy.problems, [])
    const empty = temporaryFolder()
    const said = await lectern(["export", copy.space.id, empty, "--data", data])
    assert.strictEqual(said.code, 0)
    assert.include(said.stdout, 'Exported the space "Copy"')
    assert.deepStrictEqual(read(empty), read(folder))
    assert.strictEqual((await server.call("GET", `/v1/spaces/${space.id}`)).status, 200)

    const first = await server.call("GET", `/v1/spaces/${space.id}/content`)
    assert.strictEqual(first.body.id, revision)
    const before = first.body.parents[0]
    const old = join(temporaryFolder(), "old")
    await lecternJson(["export", space.id, old, "--revision", before, "--data", data])
    assert.deepStrictEqual(read(old), { "SUMMARY.md": "# Table of contents\n" })
  })

  it("refuses what it can't do, and writes nothing then", async () => {
    const data = temporaryFolder()
    await lecternJson(["organization", "create", "--title", "Acme", "--email", "a@example.com", "--data", data])
    const { space } = await imported(data)
    const filled = temporaryFolder()
    writeFileSync(join(filled, "mine.txt"), "mine")
    const missing = join(temporaryFolder(), "missing")
    const refused: ReadonlyArray<readonly [args: ReadonlyArray<string>, about: string]> = [
      [[space.id, filled], "is not empty"],
      [[space.id, join(filled, "mine.txt")], "a file has its name"],
      [["none", missing], "none"],
      [[space.id, missing, "--revision", "none"], "There is no revision none"]
    ]
    for (const [args, about] of refused) {
      const { code, stdout } = await lectern(["export", ...args, "--data", data, "--json"])
      assert.strictEqual(code, 1, about)
      const answer = JSON.parse(stdout)
      assert.deepStrictEqual(Object.keys(answer), ["error"])
      assert.include(answer.error.message, about)
    }
    assert.deepStrictEqual(read(filled), { "mine.txt": "mine" })
    assert.isFalse(existsSync(missing))
    assert.deepStrictEqual(readdirSync(dirname(missing)), [])
  })
})
