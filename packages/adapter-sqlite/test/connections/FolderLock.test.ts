/** A folder that a server holds: who comes second is told who came first, whose end gives it back. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdirSync } from "node:fs"
import { hostname } from "node:os"
import { dirname, join } from "node:path"
import { lockFolder } from "@lectern/adapter-sqlite/connections/FolderLock"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFile } from "../TemporaryFile.ts"

const place = Effect.map(temporaryFile, dirname)

const source = new URL("../../src/connections/FolderLock.ts", import.meta.url).href

/** Another process that holds it until it is killed. */
const holding = (path: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const script =
        `const { lockFolder } = await import(${JSON.stringify(source)}); globalThis.held = lockFolder(${JSON.stringify(path)}, "killed"); ` +
        `console.log("held"); setInterval(() => {}, 1000)`
      const child = spawn(process.execPath, ["--input-type=module", "-e", script], {
        stdio: ["ignore", "pipe", "inherit"]
      })
      await once(child.stdout, "data")
      return child
    }),
    (child) => Effect.sync(() => child.kill("SIGKILL"))
  )

describe("FolderLock", () => {
  it.effect("tells of another process, and of none once that was killed", () =>
    Effect.gen(function* () {
      const path = yield* place
      const child = yield* holding(path)
      assert.deepStrictEqual(lockFolder(path, "mine").holder, { pid: child.pid!, host: hostname() })
      child.kill("SIGKILL")
      yield* Effect.promise(() => once(child, "exit"))
      const mine = lockFolder(path, "mine")
      assert.isUndefined(mine.holder)
      assert.strictEqual(mine.previousWorker, "killed")
      assert.strictEqual(lockFolder(path, "mine").holder?.pid, process.pid)
      mine.release()
      const next = lockFolder(path, "next")
      assert.isUndefined(next.holder)
      assert.strictEqual(next.previousWorker, "mine")
      next.release()
    })
  )

  it.effect("tells of nobody where the file can't be made", () =>
    Effect.gen(function* () {
      const path = yield* place
      assert.isUndefined(lockFolder(join(path, "none"), "mine").holder)
      mkdirSync(join(path, "server.lock"))
      assert.isUndefined(lockFolder(path, "mine").holder)
    })
  )
})
