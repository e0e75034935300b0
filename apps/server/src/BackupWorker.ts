/** The thread of `Backups`: makes one. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import type { BackupOptions } from "@lectern/adapter-sqlite/backup/Backup"

enableCompileCache()
const [{ make }, { Effect }] = await Promise.all([import("@lectern/adapter-sqlite/backup/Backup"), import("effect")])

parentPort?.once("message", (options: BackupOptions) => {
  const made = make(options).pipe(
    Effect.as({}),
    Effect.catchTag("BackupFailed", ({ message }) => Effect.succeed({ failed: message }))
  )
  void Effect.runPromise(made).then((said) => parentPort?.postMessage(said, []))
})
