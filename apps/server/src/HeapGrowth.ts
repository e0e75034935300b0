/**
 * How far V8's heap grows in a server. By itself it takes four times what it holds before it looks for what can go,
 * and up to 128 MB for what is young: under load a server that holds 240 MB took 860. So garbage is looked for once
 * the heap is a fifth larger than what was left of it, and the halves of the young part stay at 32 MB together, as they
 * do in a command. A heap that holds little may grow by 64 MB, as long as it stays below 160 then: by two fifths a
 * server that holds 90 MB looked for garbage after every 2,500 renders, in threads that took a sixth of what those took.
 *
 * A start is over in a second and makes much garbage: to look for it early would take a sixth of its time.
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
  /** Factor by which the young part grows when much of it lives on; 1: not at all. */
  readonly young: number
  /** How much larger than what was left of it the heap may get before garbage is looked for; 0: as V8 thinks. */
  readonly percent: number
}

/** V8's own. */
const usual: Growth = { young: 2, percent: 0 }
const leastPercent = 20
/** It may grow by as much while it stays below `small` (bytes), but to no more than twice of what was left. */
const room = 64 * 1024 * 1024
const small = 160 * 1024 * 1024
const mostPercent = 100

/** How much a heap of which so many bytes were left may grow until garbage is looked for. */
export const percentOf = (left: number): number =>
  Math.max(leastPercent, Math.min(mostPercent, Math.round((100 * Math.min(room, small - left)) / left)))

/** Size in bytes from which the young part grows no more: it was half as large before, at least. */
const largeEnough = 16 * 1024 * 1024

/**
 * Growth that is in force, known to all copies of this module, of which the binary has two, and to its threads: flags
 * are those of the process.
 */
const current = Symbol.for("@lectern/server/HeapGrowth")
const place = globalThis as { [current]?: Int32Array<SharedArrayBuffer> }

/** `young` and `percent` that are in force; 0 and 0 where V8's own are. */
const state = () => (place[current] ??= new Int32Array(new SharedArrayBuffer(8)))

/** It is given to a thread, for `join`. */
export const shared = (): SharedArrayBuffer => state().buffer

/** In a thread: what is in force in the process. */
export const join = (growth: SharedArrayBuffer) => {
  place[current] = new Int32Array(growth)
}

const apply = ({ young, percent }: Growth) => {
  setFlagsFromString(`--semi-space-growth-factor=${young}`)
  setFlagsFromString(`--heap-growing-percent=${percent}`)
}

const grow = (growth: Growth) => {
  state().set([growth.young, growth.percent])
  apply(growth)
}

/** While modules are loaded, which goes on for too long in one go for `begin` to see: what is young stays small. */
export const hold = () => grow({ young: 1, percent: usual.percent })

const isMajor = (entry: PerformanceEntry & { readonly detail?: { readonly kind?: number } }): boolean =>
  entry.detail?.kind === constants.NODE_PERFORMANCE_GC_MAJOR

/** By what is in use: soon after garbage was looked for that is what was left, and a little that is new. */
const percentNow = () => percentOf(getHeapStatistics().used_heap_size)

/** From here on what is young grows with the work there is. */
export const begin = () => {
  const look = (seen: PerformanceObserverEntryList) => {
    const [before, percentBefore = 0] = state()
    const isReleased = percentBefore !== usual.percent
    const percent = isReleased && seen.getEntries().some(isMajor) ? percentNow() : percentBefore
    const size = getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space")?.space_size ?? 0
    const young = size < largeEnough ? usual.young : 1
    if (young !== before || percent !== percentBefore) grow({ young, percent })
  }
  grow(usual)
  new PerformanceObserver(look).observe({ entryTypes: ["gc"] })
}

/** From here on garbage is looked for early: a start is over before it matters. */
export const release = () => grow({ young: state()[0] ?? usual.young, percent: percentNow() })

/** Runs something under V8's own flags, as it wants them where it makes code to keep, or takes it. */
export const usually = <A>(run: () => A): A => {
  if (state()[0] === 0) return run()
  apply(usual)
  try {
    return run()
  } finally {
    const [young = 0, percent = 0] = state()
    apply({ young, percent })
  }
}

type Collect = (options: { readonly type: "major"; readonly execution: "sync"; readonly flavor: "last-resort" }) => void

/** Gives back what V8 keeps otherwise: 40 MB of a start, 200 MB after large work. Takes 0.1 to 0.3 s. */
export const giveBack = () => {
  setFlagsFromString("--expose-gc")
  const collect: Collect = runInNewContext("gc")
  // Under another flag V8 would take no code that was compiled before.
  setFlagsFromString("--no-expose-gc")
  collect({ type: "major", execution: "sync", flavor: "last-resort" })
}
