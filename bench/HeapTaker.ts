/**
 * Loaded into a server by `Heap.ts`, and by a test: collects garbage and reports what is left, or writes a snapshot of the
 * heap to a file.
 */
import { setFlagsFromString, writeHeapSnapshot } from "node:v8"
import { runInNewContext } from "node:vm"

/** Request: `snapshot` is the path of the file to write; without it the use of memory is reported. */
export interface HeapRequest {
  readonly snapshot?: string
}

/** Bytes that are in use after a collection. */
export interface HeapUse {
  readonly heap: number
  readonly external: number
  readonly resident: number
}

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

process.on("message", ({ snapshot }: HeapRequest) => {
  // Weak references that were read in this turn are held until the next one.
  setTimeout(() => {
    collect()
    collect()
    if (snapshot !== undefined) writeHeapSnapshot(snapshot)
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send?.({ heap: heapUsed, external, resident: rss } satisfies HeapUse)
  }, 100)
})
