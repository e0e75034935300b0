/** Work of the thread of `Backups`. Whoever imports `effect` as a whole has all of it in memory, not what it uses. */
import { type BackupOptions, make } from "@lectern/adapter-sqlite/backup/Backup"
import { Effect } from "effect"
import type { Made } from "./Backups.ts"

export const made = (options: BackupOptions): Promise<Made> =>
  make(options).pipe(
    Effect.map(({ lost = [], inData }) => ({ lost, inData })),
    Effect.catchTag("BackupFailed", ({ message }) => Effect.succeed({ failed: message })),
    Effect.runPromise
  )
