/** Thread of `Backups`: makes one backup. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import type { BackupOptions } from "@lectern/adapter-sqlite/durability/Backup"

enableCompileCache()
const workModule = import("./BackupWork.ts")

parentPort?.once("message", async (options: BackupOptions) => {
  parentPort?.postMessage(await (await workModule).makeBackup(options), [])
})
