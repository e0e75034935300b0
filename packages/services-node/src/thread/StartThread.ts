/** Starts threads from the files of their modules. A bundle that holds no files puts another module in its place. */
import { extname } from "node:path"
import { Worker, type WorkerOptions } from "node:worker_threads"

/** `module`: its name without ending, beside the module whose `import.meta.url` is `from`. */
export const startThread = (from: string, module: string, options: WorkerOptions): Worker =>
  new Worker(new URL(`./${module}${extname(from)}`, from), options)
