/**
 * Starts the thread of `SyntaxThread`. What it loads takes as long as what the command loads, so
 * `main.ts` starts it before anything else. It imports nothing that would hold it up itself.
 */
import { availableParallelism } from "node:os"
import { extname } from "node:path"
import { Worker } from "node:worker_threads"

const make = (): Worker => {
  // More room for what is young: what a text leaves behind is thrown away when nothing of it is in use.
  const resourceLimits = { maxYoungGenerationSizeMb: 96 }
  const worker = new Worker(new URL(`./SyntaxWorker${extname(import.meta.url)}`, import.meta.url), { resourceLimits })
  worker.unref()
  // Whoever waits for it gives up, and parses the page itself.
  return worker.on("error", () => {})
}

let started: Worker | undefined

export const start = () => {
  if (availableParallelism() > 1) started ??= make()
}

/** The one that was started, or a new one; undefined on a machine with one processor. */
export const take = (): Worker | undefined => {
  start()
  const worker = started
  started = undefined
  return worker
}
