/**
 * Limits the growth of V8's heap in a server. By default the old space grows to four times its live size before a
 * collection, and the young space to 128 MB: a server with 240 MB of live data used 860 MB under load.
 *
 * Here a collection starts when the old space exceeds its live size by 20 %, and the young space stays at 32 MB, as in a
 * command. A small heap may grow by 64 MB as long as it stays below 160 MB. A server with 90 MB of live data and a limit
 * of 40 % collected garbage after every 2,500 renders, which cost a sixth of the time of the renders.
 *
 * The limit on the old space applies after the start: a start takes one second, creates much garbage, and would take a
 * sixth longer.
 */
import {
  constants,
  type PerformanceEntry,
  PerformanceObserver,
  type PerformanceObserverEntryList
} from "node:perf_hooks"
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"

interface Growth {
  /** Factor by which the young space grows if many of its objects survive. 1 = no growth. */
  readonly young: number
  /** Growth of the old space over its live size that starts a collection, in percent. 0 = V8's default. */
  readonly percent: number
}

/** V8's defaults. */
const v8Defaults: Growth = { young: 2, percent: 0 }
const minPercent = 20
/** Growth in bytes that is allowed while the heap stays below `smallHeap` bytes, up to `maxPercent` of the live size. */
const maxGrowthBytes = 64 * 1024 * 1024
const smallHeap = 160 * 1024 * 1024
const maxPercent = 100

/** Returns the growth limit in percent for a heap with the given live size in bytes. */
export const growthPercent = (liveBytes: number): number =>
  Math.max(
    minPercent,
    Math.min(maxPercent, Math.round((100 * Math.min(maxGrowthBytes, smallHeap - liveBytes)) / liveBytes))
  )

/** Size in bytes from which the young space no longer grows. A growth step at most doubles the size. */
const largeYoungSpace = 16 * 1024 * 1024

/**
 * Key of the current growth in `globalThis`. The state is shared by all copies of this module (the binary has two) and
 * all threads, since V8's flags belong to the process.
 */
const current = Symbol.for("@lectern/server/HeapGrowth")
const globals = globalThis as { [current]?: Int32Array<SharedArrayBuffer> }

/** Returns the current `young` and `percent`. 0 and 0 = V8's defaults. */
const state = () => (globals[current] ??= new Int32Array(new SharedArrayBuffer(8)))

/** Returns the state to pass to a thread, which calls `join`. */
export const sharedState = (): SharedArrayBuffer => state().buffer

/** Makes a thread use the state of the process. */
export const joinProcess = (growth: SharedArrayBuffer) => {
  globals[current] = new Int32Array(growth)
}

const setFlags = ({ young, percent }: Growth) => {
  setFlagsFromString(`--semi-space-growth-factor=${young}`)
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

const setGrowth = (growth: Growth) => {
  state().set([growth.young, growth.percent])
  setFlags(growth)
}

/** Keeps the young space small while modules load. Loading blocks the event loop, so `begin` could not observe it. */
export const keepYoungSpaceSmall = () => setGrowth({ young: 1, percent: v8Defaults.percent })

const isMajor = (entry: PerformanceEntry & { readonly detail?: { readonly kind?: number } }): boolean =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR

/** Returns the growth limit for the heap in use. Right after a collection that is the live size and a few new objects. */
const percentNow = () => growthPercent(getHeapStatistics().used_heap_size)

/** Starts to observe collections: the young space grows with the work, up to `largeYoungSpace`. */
export const observeCollections = () => {
  const update = (list: PerformanceObserverEntryList) => {
    const [youngBefore, percentBefore = 0] = state()
    const isReleased = percentBefore !== v8Defaults.percent
    const percent = isReleased && list.getEntries().some(isMajor) ? percentNow() : percentBefore
    const size = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0
    const young = size < largeYoungSpace ? v8Defaults.young : 1
    if (young !== youngBefore || percent !== percentBefore) setGrowth({ young, percent })
  }
  setGrowth(v8Defaults)
  new PerformanceObserver(update).observe({ entryTypes: ["gc"] })
}

/** Starts to limit the old space. Called after the start of the server. */
export const limitOldSpace = () => setGrowth({ young: state()[0] ?? v8Defaults.young, percent: percentNow() })

/** Runs a function under V8's default flags. V8 requires them to create or accept a code cache. */
export const withV8Defaults = <A>(run: () => A): A => {
  if (state()[0] === 0) return run()
  setFlags(v8Defaults)
  try {
    return run()
  } finally {
    const [young = 0, percent = 0] = state()
    setFlags({ young, percent })
  }
}

type Collect = (options: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" }) => void

/** Collects all garbage: 40 MB after a start, up to 200 MB after large work. Takes 0.1 to 0.3 s. */
export const collectGarbage = () => {
  setFlagsFromString("--expose-gc")
  const collect: Collect = runInNewContext("gc")
  // The flag is reset, since V8 rejects code caches that were created under other flags.
  setFlagsFromString("--no-expose-gc")
  collect({ type: "major", execution: "sync", flavor: "last-resort" })
}
