/** The thread of `Backups`: makes one. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import type { BackupOptions } from "@lectern/adapter-sqlite/backup/Backup"

enableCompileCache()
const loaded = Promise.all([import("@lectern/adapter-sqlite/backup/Backup"), import("effect")])

parentPort?.once("message", async (options: BackupOptions) => {
  const [{ make }, { Effect }] = await loaded
  const made = make(options).pipe(
    Effect.as({}),
    Effect.catchTag("BackupFailed", ({ message }) => Effect.succeed({ failed: message }))
  )
  parentPort?.postMessage(await Effect.runPromise(made), [])
})
