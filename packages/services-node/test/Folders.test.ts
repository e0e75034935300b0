/** Folders of the disk for hosts without Effect: read lazily, written all at once or not at all. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, assert, beforeEach, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { FolderUnreadable } from "@lectern/exchange/import/Folder"
import * as Folders from "@lectern/services-node/folder/Folders"
import { FolderUnwritable } from "@lectern/services-node/folder/FolderWriter"

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lectern-test-"))
})

afterEach(() => rmSync(folder, { recursive: true, force: true }))

const failure = (promise: Promise<unknown>): Promise<Error> =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error: Error) => error
  )

const withSpace = async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, extensions: [Exchange.extension()] })
  const { id } = await lectern.organizations.create({ title: "Acme" })
  return { lectern, space: (await lectern.spaces.create(id, { title: "Handbook" })).id }
}

it("reads what an import asks for, and writes what an export gives", async () => {
  const [from, to] = [join(folder, "from"), join(folder, "to")]
  mkdirSync(join(from, "sub"), { recursive: true })
  writeFileSync(join(from, "README.md"), "# Home\n\nSee [the guide](sub/guide.md).\n")
  writeFileSync(join(from, "sub/guide.md"), "# Guide\n\nOne step.\n")
  const { lectern, space } = await withSpace()
  const read = await Folders.read(from)
  // Nothing was read so far.
  writeFileSync(join(from, "sub/guide.md"), "# Guide\n\nTwo steps.\n")
  const { report } = await lectern.content.folderImports.importFolder(space, read)
  assert.deepStrictEqual(report.added, ["README.md", "sub/guide.md"])
  mkdirSync(to)
  const { pages } = await Folders.write(to, (into) => lectern.content.folderExports.exportFolder(space, into))
  assert.strictEqual(pages, 3, "and one for the folder in it")
  assert.strictEqual(readFileSync(join(to, "sub/guide.md"), "utf8"), "# Guide\n\nTwo steps.\n")
  assert.sameMembers(readdirSync(folder), ["from", "to"])
  await lectern.close()
})

it("takes files whose bytes are promised, and asks for each when it is needed", async () => {
  const { lectern, space } = await withSpace()
  const asked: Array<string> = []
  const file = (path: string, text: string) => ({
    path,
    size: text.length,
    bytes: async () => {
      asked.push(path)
      return new TextEncoder().encode(text)
    }
  })
  const files = [
    file("README.md", "# Home\n\n![](used.png)\n"),
    file("used.png", "a picture"),
    file("unused.png", "another"),
    file("notes.txt", "No page")
  ]
  await lectern.content.folderImports.importFolder(space, { files })
  assert.include(asked, "README.md")
  assert.notInclude(asked, "notes.txt")

  const gone = { path: "README.md", size: 1, bytes: () => Promise.reject(new Error("The bucket is gone")) }
  assert.deepInclude(await failure(lectern.content.folderImports.importFolder(space, { files: [gone] })), {
    message: "The bucket is gone"
  })
  await lectern.close()
})

it("says what can't be read, and leaves nothing of what was not written to its end", async () => {
  assert.instanceOf(await failure(Folders.read(join(folder, "nowhere"))), FolderUnreadable)
  const full = join(folder, "full")
  mkdirSync(full)
  writeFileSync(join(full, "mine.md"), "")
  const refused = await failure(Folders.write(full, () => Promise.resolve(1)))
  assert.instanceOf(refused, FolderUnwritable)
  assert.include(refused.message, "is not empty")
  const error = new Error("The store is gone")
  const to = join(folder, "to")
  assert.strictEqual(await failure(Folders.write(to, () => Promise.reject(error))), error)
  assert.isFalse(existsSync(to))
  assert.deepStrictEqual(readdirSync(folder), ["full"])
})
