/**
 * Loaded into a server by `Stalls.ts`, and by a test: measures how long its event loop is held, by the processor
 * time of its main thread between two ticks of a timer, so that other processes count for nothing.
 * Major garbage collections are taken off, and commits: both are reported apart.
 *
 * `start` begins a measurement, `stop` answers with what was the longest since.
 */
import { PerformanceObserver } from "node:perf_hooks"
import Database from "better-sqlite3"

export interface Held {
  /** The longest (ms of processor time), without what follows. */
  readonly longest: number
  readonly commit: number
  readonly collection: number
  /** Processor time of all threads meanwhile. */
  readonly total: number
}

let collected = 0
let committed = 0
let held: { longest: number; commit: number; collection: number } | undefined
let begun = process.cpuUsage()

const major = 4

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { duration } = entry
    const { kind } = (entry as unknown as { readonly detail: { readonly kind: number } }).detail
    if (kind !== major || held === undefined) continue
    collected += duration
    held.collection = Math.max(held.collection, duration)
  }
}).observe({ entryTypes: ["gc"] })

const { prepare } = Database.prototype
Database.prototype.prepare = function (this: Database.Database, sql: string) {
  const statement = prepare.call(this, sql)
  if (sql !== "COMMIT") return statement
  const { run } = statement
  statement.run = (() => {
    const start = performance.now()
    const result = run.call(statement, [])
    const took = performance.now() - start
    committed += took
    if (held !== undefined) held.commit = Math.max(held.commit, took)
    return result
  }) as typeof run
  return statement
} as typeof prepare

const used = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

let last = used()
let lastTick = performance.now()
const tick = () => {
  // The observer tells of collections after the turn they were in.
  setImmediate(() => {
    const now = used()
    const nowTick = performance.now()
    // They are known by the clock alone: they had as much of the processor as all of the turn had.
    const other = Math.min(1, (collected + committed) / (nowTick - lastTick))
    if (held !== undefined) held.longest = Math.max(held.longest, (now - last) * (1 - other))
    last = now
    lastTick = nowTick
    collected = committed = 0
    setTimeout(tick, 1)
  })
}
tick()

process.on("message", (message) => {
  if (message === "start") {
    held = { longest: 0, commit: 0, collection: 0 }
    last = used()
    lastTick = performance.now()
    begun = process.cpuUsage()
    process.send?.("started")
  } else if (message === "stop") {
    // The turn that it comes in may be the one that is measured.
    setTimeout(() => {
      const { user, system } = process.cpuUsage(begun)
      process.send?.(held && ({ ...held, total: (user + system) / 1000 } satisfies Held))
      held = undefined
    }, 50)
  }
})
