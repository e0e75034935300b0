/**
 * Work of the thread of `Backups`. The worker loads this module with a dynamic import, which bundles it separately: a
 * direct import of `effect` would keep all of `effect` in memory.
 */
import { type BackupOptions, make } from "@lectern/adapter-sqlite/durability/Backup"
import { Effect } from "effect"
import type { BackupResult } from "./Backups.ts"

export const makeBackup = (options: BackupOptions): Promise<BackupResult> =>
  make(options).pipe(
    Effect.map(({ lost = [], inData }) => ({ lost, lostInData: inData })),
    Effect.catchTag("BackupFailed", ({ message }) => Effect.succeed({ failed: message })),
    Effect.runPromise
  )
