/** A process that is bound to this one ends with it, also where whoever watches was told to end before. */
import { once } from "node:events"
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawnBound } from "@lectern/integrations-workerd/BoundProcess"

const read = (path: string) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    return ""
  }
}

/** Signals that a process does not heed, as the system tells. */
const ignored = (id: string) => BigInt(`0x${/^SigIgn:\s*(\w+)/m.exec(read(`/proc/${id}/status`))?.[1] ?? "0"}`)

const term = 1n << 14n

/** Asks again with each turn of the event loop. */
const turned = async <A>(ask: () => A | undefined): Promise<A> => {
  for (;;) {
    const answer = ask()
    if (answer !== undefined) return answer
    await new Promise((done) => setImmediate(done))
  }
}

const hasChildren = existsSync(`/proc/${process.pid}/task/${process.pid}/children`)

describe("A process that is bound to this one", () => {
  it.live.skipIf(!hasChildren)("ends with it after all of a group were told to end", () =>
    Effect.promise(async () => {
      const child = spawnBound("/bin/sh", ["-c", 'trap "" TERM; echo here; while :; do :; done'], tmpdir())
      try {
        await once(child.stdout!, "data")
        const { pid } = child
        const watcher = await turned(() => {
          const found = read(`/proc/${pid}/task/${pid}/children`).trim()
          return found !== "" && (ignored(found) & term) !== 0n ? found : undefined
        })
        process.kill(Number(watcher), "SIGTERM")
        process.kill(pid!, "SIGTERM")
        const ended = once(child, "exit")
        // The system does the same when this process is no more.
        child.stdio[3]!.destroy()
        assert.deepStrictEqual(await ended, [null, "SIGKILL"])
      } finally {
        child.kill("SIGKILL")
      }
    })
  )

  it.live.skipIf(!existsSync("/bin/sh"))("leaves no files of it behind, and nothing else is removed", () =>
    Effect.promise(async () => {
      const folders = [mkdtempSync(join(tmpdir(), "lectern-bound-")), mkdtempSync(join(tmpdir(), "lectern-bound-"))]
      const [own, shared] = folders as [string, string]
      for (const folder of folders) writeFileSync(join(folder, "mine"), "")
      writeFileSync(join(shared, "another's"), "")
      const children = folders.map((folder) => spawnBound("/bin/sh", ["-c", "echo here; sleep 60"], folder, ["mine"]))
      try {
        for (const child of children) {
          await once(child.stdout!, "data")
          child.stdio[3]!.destroy()
        }
        await turned(() => (existsSync(own) || existsSync(join(shared, "mine")) ? undefined : true))
        assert.isTrue(existsSync(join(shared, "another's")))
      } finally {
        for (const child of children) child.kill("SIGKILL")
        for (const folder of folders) rmSync(folder, { recursive: true, force: true })
      }
    })
  )
})
