/**
 * Pushes that are interrupted, and pushes of real documentation: a pull returns the bytes of each pushed file. Tests of
 * corpora are skipped if these are missing.
 */
import { randomFillSync } from "node:crypto"
import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { afterAll, assert, describe, it } from "vitest"
import {
  begunServer,
  cleanUp,
  type Server,
  serve,
  start,
  temporaryFolder
} from "../../../server/test/LecternProcess.ts"
import { filesIn, folderOnBranch, newSpace, proxy, runWell } from "./PushSteps.ts"

const corpus = resolve(import.meta.dirname, "../../../../../shared/corpus")
const corpora = ["brighter", "adobe-aep"].map((name) => join(corpus, name))

/** Folders of other documentation, separated by `:`. */
const others = (process.env["LECTERN_PUSH_FOLDERS"] ?? "").split(":").filter((folder) => folder !== "")

const folders = [...(existsSync(corpus) ? corpora : []), ...others]

afterAll(cleanUp)

const pictureCount = 30

/** Writes a page with pictures of a MiB each, which need several parts. */
const folderWithPictures = (): string => {
  const names = Array.from({ length: pictureCount }, (_, i) => `picture-${i}.png`)
  const folder = folderOnBranch(
    { "README.md": `# Pictures\n\n${names.map((name) => `![](${name})`).join("\n\n")}\n` },
    "main"
  )
  for (const name of names) writeFileSync(join(folder, name), randomFillSync(Buffer.alloc(1024 * 1024)))
  return folder
}

const changeRequestsOf = async (server: Server, space: string) =>
  (await server.call("GET", `/v1/spaces/${space}/change-requests?status=all`)).body.items

describe("a push that is interrupted", () => {
  it("leaves nothing if the client is killed, and continues with the remaining files", async () => {
    const server = await begunServer()
    const space = await newSpace(server)
    const folder = folderWithPictures()
    let uploads = 0
    let isArmed = true
    const front = await proxy(
      () => server.url,
      ({ url }) => {
        if (!isArmed || !url.endsWith("/push/files") || ++uploads < 3) return undefined
        isArmed = false
        client.child.kill("SIGKILL")
        return "cut"
      }
    )
    const client = start(["push", folder, "--server", front.url, "--space", space], { LECTERN_TOKEN: server.token })
    assert.isNull((await client.finished).code)
    assert.deepStrictEqual(await changeRequestsOf(server, space), [])
    const target = { server: { url: front.url, token: server.token }, space }
    const pushed = await runWell("push", folder, target, "--merge")
    assert.isBelow(pushed.uploadedFiles, pictureCount)
    const pulled = temporaryFolder()
    await runWell("pull", pulled, target)
    const { "SUMMARY.md": _, ...files } = filesIn(pulled)
    assert.deepStrictEqual(files, filesIn(folder))
    front.close()
  })

  it.each(["/push/files", "/push", "/merge"])(
    "finishes if the server is killed at %s and started again",
    async (path) => {
      let server = await begunServer()
      const { token } = server
      const { data } = server.ready
      const space = await newSpace(server)
      const folder = folderWithPictures()
      let requests = 0
      let restarted: Promise<void> | undefined
      const front = await proxy(
        () => server.url,
        ({ url }) => {
          if (restarted !== undefined || !url.endsWith(path)) return undefined
          // The second push request is the one with all files.
          if (++requests < (path === "/merge" ? 1 : 2)) return undefined
          const ended = server.signal("SIGKILL")
          restarted = ended.then(async () => {
            server = await serve(data, { token })
          })
          return undefined
        }
      )
      const target = { server: { url: front.url, token }, space }
      const { changeRequest } = await runWell("push", folder, target, "--merge")
      await restarted
      assert.isDefined(restarted)
      const all = await changeRequestsOf(server, space)
      assert.deepStrictEqual(
        all.map(({ id, status }: { readonly id: string; readonly status: string }) => [id, status]),
        [[changeRequest.id, "merged"]]
      )
      const pulled = temporaryFolder()
      await runWell("pull", pulled, target)
      const { "SUMMARY.md": _, ...files } = filesIn(pulled)
      assert.deepStrictEqual(files, filesIn(folder))
      front.close()
    }
  )
})

describe.skipIf(folders.length === 0)("real documentation", () => {
  it.each(folders)("%s is pulled as it was pushed", async (source) => {
    const server = await begunServer()
    const space = await newSpace(server)
    const target = { server, space }
    const folder = temporaryFolder()
    rmSync(folder, { recursive: true })
    cpSync(source, folder, { recursive: true })
    mkdirSync(join(folder, ".git"), { recursive: true })
    writeFileSync(join(folder, ".git/HEAD"), "ref: refs/heads/main\n")
    const pushed = filesIn(folder)
    await runWell("push", folder, target, "--merge")

    const other = temporaryFolder()
    await runWell("pull", other, target)
    const pulled = filesIn(other)
    // An export has a table of contents, also of a folder without one.
    const added = Object.keys(pulled).filter((path) => !(path in pushed))
    assert.isTrue(
      added.every((path) => path.endsWith("SUMMARY.md")),
      added.join(" ")
    )
    for (const path of Object.keys(pulled)) {
      if (path in pushed) assert.isTrue(pulled[path] === pushed[path], `${path} has other bytes`)
    }
    const pages = Object.keys(pulled).filter((path) => /\.(?:md|markdown)$/i.test(path))
    assert.isAbove(pages.length, 10)

    await runWell("pull", folder, target)
    assert.deepStrictEqual(filesIn(folder), { ...pulled, ...pushed })
    const again = await runWell("push", folder, target)
    assert.deepInclude(again, { status: "unchanged", uploadedFiles: again.uploadedFiles })
  })
})
