/**
 * `SpecParser` in a thread of its own for each spec, so that a large one holds up nobody, and one
 * that takes too much is ended without harm.
 *
 * Defaults: 60 seconds, 512 MiB of memory: enough for 20 MiB of JSON, or about 10 MiB of YAML.
 */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { type ParsedSpec, SpecParser, SpecRefused } from "@lectern/core/openapi/SpecParser"
import { Duration, Effect, Layer } from "effect"
import * as ThreadMemory from "../ThreadMemory.ts"
import type { SpecAnswer } from "./SpecWork.ts"

export interface NodeSpecParserOptions {
  /** Default: 60 seconds. */
  readonly timeout?: Duration.Input
  /** Of the thread, in MiB. Default: 512. */
  readonly maxMemory?: number
}

const layer = (options: NodeSpecParserOptions = {}) =>
  Layer.succeed(SpecParser, SpecParser.of({ parse: (bytes) => inThread(bytes, options) }))

export const NodeSpecParser = { layer }

const refused = (message: string) => new SpecRefused({ messages: [message], count: 1 })

const inThread = (
  bytes: Uint8Array,
  { timeout = Duration.seconds(60), maxMemory = 512 }: NodeSpecParserOptions
): Effect.Effect<ParsedSpec, SpecRefused> =>
  Effect.acquireUseRelease(
    Effect.sync(
      () =>
        new Worker(new URL(`./SpecWorker${extname(import.meta.url)}`, import.meta.url), {
          workerData: bytes,
          resourceLimits: ThreadMemory.limitedTo(maxMemory),
          // What is wrong with a text is told by the answer, and nothing by the way.
          stdout: true,
          stderr: true
        })
    ),
    (worker) => answerOf(worker),
    (worker) => Effect.promise(async () => void (await worker.terminate()))
  ).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          refused(`It took longer than ${Duration.format(Duration.fromInputUnsafe(timeout))} to read the spec`)
        )
    })
  )

const answerOf = (worker: Worker): Effect.Effect<ParsedSpec, SpecRefused> =>
  Effect.callback((resume) => {
    worker.once("message", (answer: SpecAnswer) =>
      resume("parsed" in answer ? Effect.succeed(answer.parsed) : Effect.fail(new SpecRefused(answer.problems)))
    )
    worker.once("error", (error) =>
      resume(
        "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
          ? Effect.fail(refused("It took more memory than there is for it to read the spec"))
          : Effect.die(error)
      )
    )
    worker.once("exit", (code) => resume(Effect.die(new Error(`The thread that reads specs ended with ${code}`))))
  })
