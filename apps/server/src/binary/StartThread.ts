/** Starts threads from the binary. Replaces `thread/StartThread.ts` there. */
import type { Worker, WorkerOptions } from "node:worker_threads"
import { currentBinary } from "./CurrentBinary.ts"

export const startThread = (_: string, module: string, options: WorkerOptions): Worker =>
  currentBinary()!.startThread(module, options)
