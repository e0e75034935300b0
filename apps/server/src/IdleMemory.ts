/**
 * Gives back what a start, and what large work took, once nobody waits for the server: V8 keeps it otherwise,
 * since an idle server gives it no reason to look. Documents that were stored are left with one form of three.
 *
 * Looks every 3 seconds, and does it where the server did next to nothing in them and holds 32 MiB more than the least
 * that it held since the last time. What was left then is no measure: threads may have been at work, and have ended.
 */
import { performance } from "node:perf_hooks"
import { forgetMade } from "@lectern/core/content/documents/StoredDocument"
import { Effect } from "effect"
import * as HeapGrowth from "./HeapGrowth.ts"

const every = "3 seconds"
/** Share of the time that an idle server is at work. */
const idle = 0.05
const grown = 32 * 1024 * 1024

export const giveBack = Effect.gen(function* () {
  for (let left = 0; ;) {
    const before = performance.eventLoopUtilization()
    yield* Effect.sleep(every)
    const { utilization } = performance.eventLoopUtilization(before)
    const held = process.memoryUsage.rss()
    left = Math.min(left, held)
    if (utilization > idle || held < left + grown) continue
    forgetMade()
    HeapGrowth.giveBack()
    left = process.memoryUsage.rss()
  }
})
