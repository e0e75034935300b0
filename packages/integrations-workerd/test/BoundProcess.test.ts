/** A process that is bound to this one ends with it, also where whoever watches was told to end before. */
import { once } from "node:events"
import { existsSync, readFileSync } from "node:fs"
import { tmpdir } from "node:os"
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
})
