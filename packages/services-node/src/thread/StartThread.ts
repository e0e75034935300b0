/** Starts threads from the files of their modules. A bundle without such files replaces this module. */
import { extname } from "node:path"
import { Worker, type WorkerOptions } from "node:worker_threads"

/**
 * Starts a thread. `module` is a file name without its extension, next to the module whose `import.meta.url` is `from`.
 */
export const startThread = (from: string, module: string, options: WorkerOptions): Worker =>
  new Worker(new URL(`./${module}${extname(from)}`, from), options)
