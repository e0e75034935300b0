/**
 * Releases the memory of the start and of large work while the server is idle. V8 does not: without allocations it never
 * collects garbage. Cached documents keep one of their three forms.
 *
 * Polls every 3 seconds. Memory is released if the event loop was idle since the last poll and resident memory exceeds its
 * minimum since the last release by 32 MiB. Memory right after a release is a poor reference, since it may include threads
 * that have exited since.
 */
import { performance } from "node:perf_hooks"
import { clearPrepared } from "@lectern/core/content/documents/StoredDocument"
import { Effect } from "effect"
import * as HeapGrowth from "@lectern/cli/HeapGrowth"

const pollInterval = "3 seconds"
/** Maximum utilization of the event loop of an idle server, from 0 to 1. */
const idleUtilization = 0.05
const growthThreshold = 32 * 1024 * 1024

export const releaseWhenIdle = Effect.gen(function* () {
  for (let lowest = 0; ;) {
    const utilizationBefore = performance.eventLoopUtilization()
    yield* Effect.sleep(pollInterval)
    const { utilization } = performance.eventLoopUtilization(utilizationBefore)
    const residentSize = process.memoryUsage.rss()
    lowest = Math.min(lowest, residentSize)
    if (utilization > idleUtilization || residentSize < lowest + growthThreshold) continue
    clearPrepared()
    HeapGrowth.collectGarbage()
    lowest = process.memoryUsage.rss()
  }
})
