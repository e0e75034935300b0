/** Starts threads from inside the binary: it takes the place of `thread/StartThread.ts` there. */
import type { Worker, WorkerOptions } from "node:worker_threads"
import { inside } from "./Inside.ts"

export const startThread = (_: string, module: string, options: WorkerOptions): Worker =>
  inside()!.startThread(module, options)
