/**
 * How much memory a thread may take that reads what strangers wrote. Where it takes more, Node ends
 * the thread and allows it 16 MiB to end in; what is young must fit into that, or the whole process
 * ends. So the young part of its heap is small.
 */
import type { ResourceLimits } from "node:worker_threads"

/** `maxMemory` in MiB. */
export const limitedTo = (maxMemory: number): ResourceLimits => ({
  maxOldGenerationSizeMb: maxMemory,
  maxYoungGenerationSizeMb: 32
})
