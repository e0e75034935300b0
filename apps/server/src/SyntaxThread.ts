/**
 * Parses the Markdown of a folder in a second thread while the import goes on in the first: both
 * take files from the same list, from its two ends. Where the machine has one processor there is
 * none, and the import does it all.
 */
import { availableParallelism } from "node:os"
import { extname } from "node:path"
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from "node:worker_threads"
import type { SyntaxAhead } from "@lectern/core/content/import/SyntaxAhead"
import { Effect } from "effect"
import { type Done, free, taken, type Work } from "./SyntaxWork.ts"

/** Longer than any page takes: then the thread is gone. */
const patience = 20_000

const start = (): Worker => {
  // More room for what is young: what a text leaves behind is thrown away when nothing of it is in use.
  const resourceLimits = { maxYoungGenerationSizeMb: 96 }
  const worker = new Worker(new URL(`./SyntaxWorker${extname(import.meta.url)}`, import.meta.url), { resourceLimits })
  worker.unref()
  // Whoever waits for it gives up, and parses the page itself.
  return worker.on("error", () => {})
}

/** A thread that is getting ready, to be given a folder. */
export const make = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => (availableParallelism() > 1 ? start() : undefined)),
    (worker) => Effect.promise(async () => void (await worker?.terminate()))
  ),
  (worker) => worker && ((folder: string) => aheadOf(worker, folder))
)

const aheadOf = (worker: Worker, folder: string): SyntaxAhead => {
  const indexes = new Map<string, number>()
  const waiting = new Map<number, Done>()
  let shared: Int32Array = new Int32Array()
  let port: MessagePort | undefined

  const receive = (index: number): Done | undefined => {
    while (!waiting.has(index)) {
      const received = port && (receiveMessageOnPort(port) as { readonly message: Done } | undefined)
      if (received === undefined) break
      waiting.set(received.message.index, received.message)
    }
    const done = waiting.get(index)
    waiting.delete(index)
    return done
  }

  return {
    begin: (files) =>
      Effect.sync(() => {
        for (const [index, { path }] of files.entries()) indexes.set(path, index)
        shared = new Int32Array(new SharedArrayBuffer((files.length + 1) * Int32Array.BYTES_PER_ELEMENT))
        const { port1, port2 } = new MessageChannel()
        port = port1
        const paths = files.map(({ path }) => path)
        worker.postMessage({ folder, paths, shared, port: port2 } satisfies Work, [port2])
      }),
    take: ({ path }) =>
      Effect.sync(() => {
        const index = indexes.get(path)
        if (index === undefined) return undefined
        Atomics.store(shared, indexes.size, index)
        Atomics.notify(shared, indexes.size)
        if (Atomics.compareExchange(shared, index, free, taken) === free) return undefined
        Atomics.wait(shared, index, taken, patience)
        return receive(index)?.parsed
      })
  }
}
