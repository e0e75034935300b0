/**
 * Preloaded into a server by `Stalls.ts` and by a test. Measures how long its event loop is blocked: the processor time
 * of the main thread between two ticks of a timer, so that other processes have no effect. Major garbage collections
 * and commits are subtracted and reported separately.
 *
 * The message `start` starts a measurement. `stop` ends it, and returns the longest block since.
 */
import { PerformanceObserver } from "node:perf_hooks"
import Database from "better-sqlite3"

export interface Held {
  /**
   * Longest block (ms of processor time), without commits and major collections. `commit`, `collection`: the longest of
   * each (ms).
   */
  readonly longest: number
  readonly commit: number
  readonly collection: number
  /** Processor time of all threads during the measurement (ms). */
  readonly total: number
}

/** Work of the main thread between two ticks (ms; times are values of `performance.now`). */
interface LoopTurn {
  readonly startedAt: number
  readonly ended: number
  readonly used: number
  readonly committed: number
}

interface Collection {
  readonly startedAt: number
  readonly took: number
}

/** Minimum processor time of a recorded turn (ms). Shorter turns do not affect the result. */
const minTurn = 1

let commitTime = 0
let recorded:
  | { readonly loopTurns: Array<LoopTurn>; readonly collections: Array<Collection>; commit: number }
  | undefined
let startedAt = process.cpuUsage()

const major = 4

new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) {
    const { kind } = (entry as unknown as { readonly detail: { readonly kind: number } }).detail
    if (kind === major) recorded?.collections.push({ startedAt: entry.startTime, took: entry.duration })
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
    const duration = performance.now() - start
    commitTime += duration
    if (recorded !== undefined) recorded.commit = Math.max(recorded.commit, duration)
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
  const now = used()
  const nowTick = performance.now()
  if (now - last >= minTurn)
    recorded?.loopTurns.push({ startedAt: lastTick, ended: nowTick, used: now - last, committed: commitTime })
  last = now
  lastTick = nowTick
  commitTime = 0
  setTimeout(tick, 1)
}
tick()

/**
 * Returns the longest turn (ms). Collections are reported some turns late, so each is subtracted from the turn in which
 * it started.
 */
const longestTurn = ({ loopTurns, collections }: NonNullable<typeof recorded>): number => {
  let result = 0
  for (const turn of loopTurns) {
    const turnCollections = collections.filter(
      (collection) => collection.startedAt >= turn.startedAt && collection.startedAt < turn.ended
    )
    const collected = turnCollections.reduce((sum, { took }) => sum + took, 0)
    // Collections and commits have only wall-clock times. Their share of processor time is assumed to equal that of the
    // whole turn.
    const otherShare = Math.min(1, (collected + turn.committed) / (turn.ended - turn.startedAt))
    result = Math.max(result, turn.used * (1 - otherShare))
  }
  return result
}

process.on("message", (message) => {
  if (message === "start") {
    recorded = { loopTurns: [], collections: [], commit: 0 }
    last = used()
    lastTick = performance.now()
    startedAt = process.cpuUsage()
    process.send?.("started")
  } else if (message === "stop") {
    // The message can arrive in the turn to measure, so the response waits for the end of that turn.
    setTimeout(() => {
      const { user, system } = process.cpuUsage(startedAt)
      process.send?.(
        recorded &&
          ({
            longest: longestTurn(recorded),
            commit: recorded.commit,
            collection: Math.max(0, ...recorded.collections.map(({ took }) => took)),
            total: (user + system) / 1000
          } satisfies Held)
      )
      recorded = undefined
    }, 50)
  }
})
