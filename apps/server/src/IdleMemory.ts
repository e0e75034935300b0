/**
 * Gives back what a start took once nobody waits for the server: V8 keeps it otherwise, since an idle server
 * gives it no reason to look.
 *
 * Looks every 3 seconds until the server did next to nothing in them, and does it that once.
 */
import { performance } from "node:perf_hooks"
import { Effect } from "effect"
import * as HeapGrowth from "./HeapGrowth.ts"

const every = "3 seconds"
/** Share of the time that an idle server is at work. */
const idle = 0.05

export const giveBackOnce = Effect.gen(function* () {
  for (let utilization = 1; utilization > idle;) {
    const before = performance.eventLoopUtilization()
    yield* Effect.sleep(every)
    utilization = performance.eventLoopUtilization(before).utilization
  }
  HeapGrowth.giveBack()
})
