/**
 * Reads a URL continuously over several connections, and counts the responses. The rate in any period can be queried
 * meanwhile. Reads run in a separate thread, so that other requests of the caller do not delay them.
 */
import { once } from "node:events"
import { setTimeout } from "node:timers/promises"
import { isMainThread, Worker, workerData } from "node:worker_threads"
import autocannon from "autocannon"

interface Reading {
  readonly url: string
  readonly connections: number
  readonly headers: Readonly<Record<string, string>>
}

interface Work extends Reading {
  /** Numbers of responses with status 200, and of all others including errors. */
  readonly counts: Int32Array<SharedArrayBuffer>
}

export interface SteadyReads {
  /** Returns the responses per second in the next period (ms). */
  readonly during: (millis: number) => Promise<number>
  readonly stop: () => Promise<void>
}

export const start = async (reading: Reading): Promise<SteadyReads> => {
  const counts = new Int32Array(new SharedArrayBuffer(8))
  const worker = new Worker(new URL(import.meta.url), { workerData: { ...reading, counts } satisfies Work })
  await once(worker, "online")
  const count = () => {
    const failedCount = Atomics.load(counts, 1)
    if (failedCount > 0) throw new Error(`${failedCount} of the reads have failed`)
    return Atomics.load(counts, 0)
  }
  return {
    during: async (millis) => {
      const [startedAt, countBefore] = [performance.now(), count()]
      await setTimeout(millis)
      return ((count() - countBefore) * 1000) / (performance.now() - startedAt)
    },
    stop: async () => {
      await worker.terminate()
    }
  }
}

if (!isMainThread) {
  const { url, connections, headers, counts } = workerData as Work
  const instance = autocannon({ url, connections, headers, duration: 100_000 }, () => {})
  instance.on("response", (_, status) => {
    Atomics.add(counts, status === 200 ? 0 : 1, 1)
  })
  instance.on("reqError", () => {
    Atomics.add(counts, 1, 1)
  })
}
