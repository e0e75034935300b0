/**
 * Parses the Markdown of a folder in a second thread while the import goes on in the first: the
 * thread begins while the import gets ready, then both take files from the same list, from its two
 * ends. Where the machine has one processor there is none, and the import does it all.
 */
import { MessageChannel, receiveMessageOnPort, type Worker } from "node:worker_threads"
import type { SyntaxAhead } from "@lectern/core/content/import/SyntaxAhead"
import { Effect, type Scope } from "effect"
import * as EarlyThread from "./EarlyThread.ts"
import { type Done, done, free, type Order, taken, type Work } from "./SyntaxWork.ts"

/** Longer than any page takes: then the thread is gone. */
const patience = 20_000

/** A thread that is getting ready, to be given folders: each with the paths that are worth parsing. */
export const make = Effect.map(
  Effect.acquireRelease(Effect.sync(EarlyThread.take), (worker) =>
    Effect.promise(async () => void (await worker?.terminate()))
  ),
  (worker) => worker && ((folder: string, paths: ReadonlyArray<string>) => aheadOf(worker, folder, paths))
)

const aheadOf = (
  worker: Worker,
  folder: string,
  paths: ReadonlyArray<string>
): Effect.Effect<SyntaxAhead, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const { port1, port2 } = new MessageChannel()
      worker.postMessage({ folder, paths, port: port2 } satisfies Work, [port2])
      return port1
    }),
    (port) => Effect.sync(() => port.close())
  ).pipe(
    Effect.map((port): SyntaxAhead => {
      const indexes = new Map<string, number>()
      const waiting = new Map<string, Done>()
      let shared: Int32Array = new Int32Array()

      const receiveAll = () => {
        for (;;) {
          const received = receiveMessageOnPort(port) as { readonly message: Done } | undefined
          if (received === undefined) return
          waiting.set(received.message.path, received.message)
        }
      }

      const receive = (path: string): Done | undefined => {
        if (!waiting.has(path)) receiveAll()
        const received = waiting.get(path)
        waiting.delete(path)
        return received
      }

      return {
        begin: (files) =>
          Effect.sync(() => {
            const paths = files.map(({ path }) => path)
            shared = new Int32Array(new SharedArrayBuffer((paths.length + 1) * Int32Array.BYTES_PER_ELEMENT))
            receiveAll()
            for (const [index, path] of paths.entries()) {
              indexes.set(path, index)
              if (waiting.has(path)) shared[index] = done
            }
            port.postMessage({ paths, shared } satisfies Order)
          }),
        take: ({ path }) =>
          Effect.sync(() => {
            const index = indexes.get(path)
            if (index === undefined) return undefined
            Atomics.store(shared, indexes.size, index)
            Atomics.notify(shared, indexes.size)
            if (Atomics.compareExchange(shared, index, free, taken) === free) return undefined
            Atomics.wait(shared, index, taken, patience)
            return receive(path)?.parsed
          })
      }
    })
  )
