/**
 * The binary, as the modules inside of it see it: files that it holds, its threads, and packages that want to
 * lie in a folder. There is none where the server runs from files.
 */
import type { Worker, WorkerOptions } from "node:worker_threads"

/** Files in the binary, by their paths. */
export interface Assets {
  /** The file that they are in, opened: all threads read from the same. */
  readonly program?: number
  readonly keys: () => ReadonlyArray<string>
  readonly bytes: (key: string) => Uint8Array
  /** The same, until the next is lent. */
  readonly lend: (key: string) => Uint8Array
}

export interface Inside extends Assets {
  readonly startThread: (module: string, options: WorkerOptions) => Worker
  /** `require` of packages that lie in a folder. */
  readonly packages: { (id: string): unknown; readonly resolve: (id: string) => string }
  /** The native part of SQLite. */
  readonly sqlite: () => object
}

const key = Symbol.for("@lectern/server/binary/Inside")
const place = globalThis as { [key]?: Inside }

export const inside = (): Inside | undefined => place[key]

/** Once in each thread, before anything else is loaded. */
export const enter = (binary: Inside): void => {
  place[key] = binary
}
