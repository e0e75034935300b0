/**
 * The binary: alone in a folder, on a machine that has nothing else; in the file system of the container's
 * image; and in place of the bundle in the tests that start a server.
 */
import { type ChildProcess, execFile, spawn } from "node:child_process"
import { once } from "node:events"
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { promisify } from "node:util"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { buildBinary } from "../../../bundle/Binary.ts"
import { assertHasAll, markedPage, pictureOf } from "./FirstLook.ts"

const root = resolve(import.meta.dirname, "../../..")
const run = promisify(execFile)

/** Tests of the command and of what threads, fonts and the native part of SQLite are for. */
const ends = {
  usual: ["Serve", "Commands", "Edge", "Jobs", "GitSync", "Integrations"],
  long: ["Pdf.long", "Export.long", "ContentImports.long", "KeyRotationCommand.long"]
}

/** Nobody, where the tests may choose who runs a program. */
const nobody = process.getuid?.() === 0 ? { uid: 65_532, gid: 65_532 } : {}

describe("The binary", () => {
  let folder: string
  let built: string
  const children: Array<ChildProcess> = []

  beforeAll(async () => {
    built = await buildBinary()
    folder = mkdtempSync(join(tmpdir(), "lectern-binary-"))
  })

  afterAll(() => {
    for (const child of children) child.kill("SIGKILL")
    rmSync(folder, { recursive: true, force: true })
  })

  const serve = async (program: string, env: Record<string, string>, as: object = {}) => {
    const child = spawn(program, ["serve", "--port", "0", "--json"], {
      env,
      stdio: ["ignore", "pipe", "pipe"],
      cwd: folder,
      ...as
    })
    children.push(child)
    let said = ""
    child.stderr.on("data", (chunk: Buffer) => (said += chunk))
    const line = await Promise.race([
      once(child.stdout, "data").then(([chunk]) => String(chunk)),
      once(child, "exit").then(() => Promise.reject(new Error(`The server ended: ${said}`)))
    ])
    return { child, ready: JSON.parse(line), said: () => said }
  }

  it("serves where there is nothing but it", async () => {
    const [alone, temporary] = [join(folder, "alone"), join(folder, "temporary")]
    mkdirSync(alone)
    mkdirSync(temporary)
    const program = join(alone, "lectern")
    copyFileSync(built, program)
    const env = { LECTERN_DATA: join(folder, "data"), TMPDIR: temporary }
    assert.match((await run(program, ["--version"], { env })).stdout, /\d+\.\d+\.\d+/)
    assert.include((await run(program, ["--help"], { env })).stdout, "serve")

    const { child, ready, said } = await serve(program, env)
    assert.match(said(), /workerd is missing next to/)
    if (process.platform === "linux") {
      // Begun again as the same process, since glibc reads its settings before a program runs.
      assert.include(readFileSync(`/proc/${child.pid}/environ`, "latin1"), "MALLOC_ARENA_MAX=2")
    }
    await assertHasAll(ready)
    if (process.platform === "linux") {
      // A second SQLite, in the thread that brings the log of the first start into the database, would not know its locks.
      const mapped = readFileSync(`/proc/${child.pid}/maps`, "latin1").split("\n")
      const files = mapped.filter((line) => line.includes("better_sqlite3.node")).map((line) => line.split(/ +/)[4])
      assert.lengthOf(new Set(files), 1)
    }
    const openapi = await fetch(`${ready.url}/openapi.json`)
    assert.strictEqual(openapi.status, 200)
    await openapi.arrayBuffer()
    const { port } = new URL(ready.url)
    assert.include((await run(program, ["health", "--port", port], { env })).stdout, "healthy")
    const { stdout } = await run(program, ["catalogue", "--json"], { env })
    assert.isAbove(JSON.parse(stdout).integrations.length, 0)

    // A thread that needs the native part of SQLite as well.
    await run(program, ["backup", join(folder, "backup")], { env })
    assert.include(readdirSync(join(folder, "backup")), "manifest.json")

    child.kill("SIGTERM")
    assert.deepStrictEqual(await once(child, "exit"), [0, null])
    assert.deepStrictEqual(readdirSync(temporary), [])
    const late = await run(program, ["health", "--port", port], { env }).catch(
      (error: { readonly code: number }) => error
    )
    assert.strictEqual("code" in late ? late.code : 0, 1)
  })

  it("runs in the image of the container, which can't be written to, as nobody", async () => {
    const image = join(folder, "image")
    await run(join(root, "deploy/image.sh"), [image])
    // As nobody finds it there; the way to it is the machine's, and not the image's.
    chmodSync(folder, 0o755)
    chmodSync(join(image, "usr/bin"), 0o555)
    const env = { LECTERN_DATA: join(image, "volume/data"), TMPDIR: join(image, "there-is-none") }
    const program = join(image, "usr/bin/lectern")
    const { child, ready, said } = await serve(program, env, nobody)
    // Grammars are not unpacked; what is says why it can't be, but to the operator alone.
    assert.strictEqual((await pictureOf(await markedPage(ready))).status, 404)
    assert.match(said(), /Nothing of the kind .*picture/)
    const { port } = new URL(ready.url)
    assert.include(
      (await run(program, ["health"], { env: { ...env, LECTERN_PORT: port }, ...nobody })).stdout,
      "healthy"
    )
    child.kill("SIGTERM")
    assert.deepStrictEqual(await once(child, "exit"), [0, null])
  })

  it.each(["usual", "long"] as const)("passes the %s tests of what starts a server", async (which) => {
    const files = ends[which].map((name) => `apps/server/test/${name}.test.ts`)
    const { LECTERN_TEST: _, ...others } = process.env
    const env = { ...others, ...(which === "long" && { LECTERN_TEST: "all" }), LECTERN_PROGRAM: built, NO_COLOR: "1" }
    const vitest = [join(root, "node_modules/vitest/vitest.mjs"), "run", "--maxWorkers=1", ...files]
    const { stdout } = await run(process.execPath, vitest, { cwd: root, env, maxBuffer: 64 * 1024 * 1024 }).catch(
      (error: { readonly stdout?: string; readonly stderr?: string }) => {
        throw new Error(`${error.stdout}\n${error.stderr}`)
      }
    )
    assert.match(stdout, new RegExp(`Test Files +${files.length} passed`))
  })
})
