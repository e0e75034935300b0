/**
 * Preloaded into a server by `Heap.ts` and by a test. Collects garbage, then reports memory usage or writes a heap
 * snapshot to a file.
 */
import { setFlagsFromString, writeHeapSnapshot } from "node:v8"
import { runInNewContext } from "node:vm"

/** Request. `snapshot`: path of the snapshot file. Default: none, memory usage only. */
export interface HeapRequest {
  readonly snapshot?: string
}

/** Bytes in use after a garbage collection. */
export interface HeapUse {
  readonly heap: number
  readonly external: number
  readonly resident: number
}

setFlagsFromString("--expose-gc")
const collect = runInNewContext("gc") as () => void

process.on("message", ({ snapshot }: HeapRequest) => {
  // Weak references that were read in this turn keep their targets alive until the next turn.
  setTimeout(() => {
    collect()
    collect()
    if (snapshot !== undefined) writeHeapSnapshot(snapshot)
    const { heapUsed, external, rss } = process.memoryUsage()
    process.send?.({ heap: heapUsed, external, resident: rss } satisfies HeapUse)
  }, 100)
})
