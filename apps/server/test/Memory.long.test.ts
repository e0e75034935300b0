/** Memory of a server returns after large work: a repository in and out, an archive, a PDF of 1,000 pages. */
import { randomBytes } from "node:crypto"
import { readdirSync } from "node:fs"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import parsePrometheus from "parse-prometheus-text-format"
import { gitServer, hasGit } from "../../../packages/services-node/test/GitServer.ts"
import { readPdf } from "../../../packages/services-node/test/PdfReading.ts"
import { zip } from "../../../packages/services-node/test/ZipFiles.ts"
import { serving } from "../../../packages/services-node/test/Servers.ts"
import { begunServer, cleanUp, type Server, temporaryFolder } from "./LecternProcess.ts"

afterEach(cleanUp)

const mebibyte = 1024 * 1024
/** Measured some 8 s after the last of it, once the server has given back: 328 to 360; 425 to 459 until then. */
const most = 400 * mebibyte
const pages = 1_000

const ref = "refs/heads/main"

const words = Array.from({ length: 5_000 }, (_, i) => `word${i.toString(36)}`)

/** Of some 6 KB, with words that other pages have, too. */
const page = (number: number): string => {
  let state = number + 1
  const some = (count: number) =>
    Array.from({ length: count }, () => words[(state = (state * 1103515245 + 12345) & 0x7fffffff) % 5_000]).join(" ")
  const part = (n: number) =>
    `## Part ${n}\n\n${some(60)}\n\n* ${some(8)}\n* ${some(8)}\n\n| a | b |\n| - | - |\n| ${some(3)} | ${some(3)} |\n\n`
  return `# Page ${number}\n\n${Array.from({ length: 8 }, (_, n) => part(n)).join("")}`
}

/** A branch with these files as one stream, which `git fast-import` reads in one go. */
const streamOf = (files: ReadonlyMap<string, Buffer>): Buffer =>
  Buffer.concat([
    Buffer.from(`commit ${ref}\ncommitter Ada <ada@example.com> 1767225600 +0000\ndata 1\n.\n`),
    ...[...files].flatMap(([path, bytes]) => [
      Buffer.from(`M 100644 inline ${path}\ndata ${bytes.length}\n`),
      bytes,
      Buffer.from("\n")
    ])
  ])

const residentIn = async (server: Server): Promise<number> => {
  const families = parsePrometheus(await (await fetch(server.ready.metrics)).text())
  return Number(families.find(({ name }) => name === "process_resident_memory_bytes")!.metrics[0]!.value)
}

const pause = () => new Promise((resolve) => setTimeout(resolve, 250))

/** Asks until the operation is over. */
const over = async (server: Server, space: string): Promise<void> => {
  for (;;) {
    const { operation } = (await server.call("GET", `/v1/spaces/${space}/git/info`)).body
    if (operation.state !== "running") return assert.strictEqual(operation.state, "success", operation.error)
    await pause()
  }
}

const pdfOf = async (server: Server, space: string): Promise<Uint8Array> => {
  const { url } = (await server.call("GET", `/v1/spaces/${space}/pdf`)).body
  for (;;) {
    const answer = await fetch(server.url + new URL(url).pathname + new URL(url).search)
    const bytes = new Uint8Array(await answer.arrayBuffer())
    if (answer.status !== 202) {
      assert.strictEqual(answer.status, 200)
      return bytes
    }
    await pause()
  }
}

describe.skipIf(!hasGit)("The memory of a server", () => {
  it.live("returns after what is large", () =>
    Effect.gen(function* () {
      const git = yield* gitServer()
      const files = new Map<string, Buffer>()
      for (let i = 0; i < pages; i++) files.set(`part-${i % 20}/page-${i}.md`, Buffer.from(page(i)))
      for (let i = 0; i < 120; i++) files.set(`.gitbook/assets/${i}.bin`, randomBytes(500_000 + 3_000 * i))
      git.init("docs.git")
      git.git("docs.git", ["fast-import", "--quiet"], streamOf(files))
      git.init("copy.git")
      const archive = zip(
        Array.from(files)
          .filter(([path], i) => i % 10 === 0 && path.endsWith(".md"))
          .map(([path, bytes]) => ({ path, bytes }))
          .concat(
            Array.from({ length: 30 }, (_, i) => ({
              path: `.gitbook/assets/more-${i}.bin`,
              bytes: randomBytes(mebibyte)
            }))
          )
      )
      const web = yield* serving(({ url }, response) => {
        if (url === "/larger") response.setHeader("content-length", 41 * mebibyte).flushHeaders()
        else response.end(archive)
      })
      const temporary = temporaryFolder()

      yield* Effect.promise(async () => {
        // As deploy/lectern.service and the Dockerfile say it.
        const server = await begunServer({
          env: {
            LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1",
            LECTERN_IMPORT_ARCHIVE: "40",
            LECTERN_METRICS_PORT: "0",
            TMPDIR: temporary,
            MALLOC_ARENA_MAX: "2",
            MALLOC_MMAP_THRESHOLD_: "65536"
          }
        })
        const newSpace = async () =>
          (await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, { title: "Large" })).body.id
        const space = await newSpace()
        await server.call("POST", `/v1/spaces/${space}/git/import`, { url: git.urlOf("docs.git"), ref })
        await over(server, space)
        const copy = { url: git.urlOf("copy.git"), ref, commitMessage: "Copy" }
        await server.call("POST", `/v1/spaces/${space}/git/export`, copy)
        await over(server, space)
        assert.strictEqual(
          git.git("copy.git", ["ls-tree", "-r", "--name-only", "main"]).match(/page-\d+\.md$/gm)?.length,
          pages
        )
        const importing = async (url: string) =>
          server.call("POST", `/v1/spaces/${await newSpace()}/content/import`, { url, source: "zip" })
        assert.match((await importing(`${web.url}/larger`)).body.error.message, /more than 40 MiB/)
        const imported = await importing(web.url)
        assert.deepStrictEqual(
          readdirSync(temporary).filter((name) => name.startsWith("lectern-")),
          []
        )
        assert.strictEqual(imported.body.importedResources, 130)
        const pdf = await readPdf(await pdfOf(server, space))
        assert.isAbove(pdf.pages.length, pages)

        let resident = Infinity
        for (let waits = 0; resident >= most && waits < 240; waits++) {
          await pause()
          resident = await residentIn(server)
        }
        assert.isBelow(resident / mebibyte, most / mebibyte)
      })
    }).pipe(Effect.scoped)
  )
})
