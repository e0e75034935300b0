/**
 * Limits that all callers of a server process share: turns of the event loop (see `fairScheduler`) and the memory of
 * work in flight (see `MemoryBudget`).
 *
 * Default: 1/16 of V8's heap limit for work in flight, at least 64 MiB and at most 128 MiB.
 */
import { getHeapStatistics } from "node:v8"
import { fairScheduler } from "@lectern/core/thread/FairScheduler"
import * as MemoryBudget from "@lectern/core/thread/MemoryBudget"
import { Context, Scheduler } from "effect"

const mebibyte = 1024 * 1024

const budgetBytes = () =>
  Math.min(128 * mebibyte, Math.max(64 * mebibyte, Math.floor(getHeapStatistics().heap_size_limit / 16)))

/** Returns the services that set these limits for all fibers that a server starts. */
export const make = (): Context.Context<never> =>
  Context.make(Scheduler.Scheduler, fairScheduler).pipe(
    Context.add(MemoryBudget.MemoryBudget, MemoryBudget.budgetOf(budgetBytes()))
  )
