/**
 * A thread of Node for what strangers wrote, or what takes long: one that takes more memory or time
 * than it may ends, and harms nobody else. It answers one message after another.
 *
 * Defaults: 512 MiB of memory. A process waits for a thread only while something is asked of it.
 */
import type { Worker } from "node:worker_threads"
import { Data, type Duration, Effect, type Scope, Semaphore } from "effect"
import { startThread } from "./StartThread.ts"

export interface BoundedThreadOptions {
  /** In MiB. Default: 512. */
  readonly maxMemory?: number
  /**
   * How much of it may be young, in MiB. Node ends a thread that takes more than it may, and allows
   * it 16 MiB to end in; what is young must fit into that, or the whole process ends. Default: 32.
   */
  readonly maxYoungMemory?: number
}

/** Failure of a thread that answers no more: it took too much memory or time, failed by `cause`, or ended. */
export class ThreadLost extends Data.TaggedError("ThreadLost")<{
  readonly reason: "memory" | "time" | "failed" | "ended"
  readonly cause?: unknown
}> {}

export interface Listener<Gives> {
  readonly said: (message: Gives) => void
  /** Called once; the thread says nothing after that. */
  readonly lost: (lost: ThreadLost) => void
}

export class BoundedThread<Takes, Gives> {
  readonly #worker: Worker
  readonly #turns = Semaphore.makeUnsafe(1)
  #listener: Listener<Gives> | undefined
  #lost: ThreadLost | undefined

  /** `module`: its name without ending, beside the module whose `import.meta.url` is `from`. */
  constructor(from: string, module: string, { maxMemory = 512, maxYoungMemory = 32 }: BoundedThreadOptions = {}) {
    this.#worker = startThread(from, module, {
      resourceLimits: { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: maxYoungMemory },
      // What libraries have to say by the way is for nobody: the answer tells what is wrong.
      stdout: true,
      stderr: true
    })
    this.#worker
      .on("message", (message: Gives) => this.#listener?.said(message))
      .on("error", (cause) =>
        this.#lose(new ThreadLost(isOutOfMemory(cause) ? { reason: "memory" } : { reason: "failed", cause }))
      )
      .on("exit", () => this.#lose(ended))
  }

  /** A thread that ends with the scope. */
  static readonly open = <Takes, Gives>(
    ...given: ConstructorParameters<typeof BoundedThread>
  ): Effect.Effect<BoundedThread<Takes, Gives>, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => new BoundedThread<Takes, Gives>(...given)),
      (thread) => Effect.promise(() => thread.end())
    )

  get isLost(): boolean {
    return this.#lost !== undefined
  }

  /**
   * Sends a message when those before it are answered, and gives what the thread says next. A message that is
   * not answered in time, or that nobody waits for any more, ends the thread, which is still at it.
   */
  ask(message: Takes, timeout?: Duration.Input): Effect.Effect<Gives, ThreadLost> {
    const answer = Effect.callback<Gives, ThreadLost>((resume) => {
      if (this.#lost !== undefined) return resume(Effect.fail(this.#lost))
      const stop = this.listen({
        said: (answer) => {
          stop()
          this.rest()
          resume(Effect.succeed(answer))
        },
        lost: (lost) => resume(Effect.fail(lost))
      })
      this.send(message)
      return Effect.promise(() => this.end())
    })
    const inTime =
      timeout === undefined
        ? answer
        : Effect.timeoutOrElse(answer, {
            duration: timeout,
            orElse: () => Effect.fail(new ThreadLost({ reason: "time" }))
          })
    return this.#turns.withPermit(inTime)
  }

  /** Hears all that the thread says, for callers that mind turns and time themselves. There is one listener at a time. */
  listen(listener: Listener<Gives>): () => void {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }

  /** Sends a message, for whose answer the process is kept until the thread rests. */
  send(message: Takes): void {
    this.#worker.ref()
    this.#worker.postMessage(message, [])
  }

  /** Lets the process end, until the thread is sent something again. */
  rest(): void {
    this.#worker.unref()
  }

  async end(): Promise<void> {
    this.#lose(ended)
    await this.#worker.terminate()
  }

  #lose(lost: ThreadLost): void {
    if (this.#lost !== undefined) return
    this.#lost = lost
    const listener = this.#listener
    this.#listener = undefined
    listener?.lost(lost)
  }
}

const ended = new ThreadLost({ reason: "ended" })

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
