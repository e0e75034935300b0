/**
 * Interface of the binary for the modules inside of it: its files, its threads, and packages that need a folder. Undefined
 * if the server runs from files.
 */
import type { Worker, WorkerOptions } from "node:worker_threads"

/** Files in the binary, by path. */
export interface Assets {
  /** Descriptor of the file of the binary, shared by all threads. */
  readonly program?: number
  readonly keys: () => ReadonlyArray<string>
  readonly bytes: (key: string) => Uint8Array
  /** Returns the bytes in a shared buffer that is valid until the next call. */
  readonly readShared: (key: string) => Uint8Array
}

export interface Binary extends Assets {
  readonly startThread: (module: string, options: WorkerOptions) => Worker
  /** `require` for packages that need a folder. */
  readonly packages: { (id: string): unknown; readonly resolve: (id: string) => string }
  /** Loads the native addon of SQLite. */
  readonly sqlite: () => object
}

const key = Symbol.for("@lectern/server/binary/CurrentBinary")
const globals = globalThis as { [key]?: Binary }

export const currentBinary = (): Binary | undefined => globals[key]

/** Registers the binary. Called once in each thread, before any other module is loaded. */
export const registerBinary = (binary: Binary): void => {
  globals[key] = binary
}
