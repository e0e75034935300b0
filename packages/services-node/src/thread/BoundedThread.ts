/**
 * A Node thread for untrusted or long work. A thread that exceeds its limits of memory or time is ended, and no other
 * work is affected. It responds to one message after another.
 *
 * Default: 512 MiB of memory. A thread keeps the process alive only while a response is pending.
 */
import type { Worker } from "node:worker_threads"
import { Data, type Duration, Effect, type Scope, Semaphore } from "effect"
import { startThread } from "./StartThread.ts"

export interface BoundedThreadOptions {
  /** Maximum memory of the thread, in MiB. Default: 512. */
  readonly maxMemory?: number
  /**
   * Maximum memory of the young generation, in MiB. Node allows 16 MiB for ending a thread that exceeds its memory. If
   * the young generation does not fit into that, the whole process ends. Default: 32.
   */
  readonly maxYoungMemory?: number
}

/** The thread responds no more: it exceeded its memory or time, failed with `cause`, or ended. */
export class ThreadLost extends Data.TaggedError("ThreadLost")<{
  readonly reason: "memory" | "time" | "failed" | "ended"
  readonly cause?: unknown
}> {}

export interface Listener<Gives> {
  readonly onMessage: (message: Gives) => void
  /** Called once. The thread sends no messages afterwards. */
  readonly onLost: (lost: ThreadLost) => void
}

export class BoundedThread<Takes, Gives> {
  readonly #worker: Worker
  readonly #lock = Semaphore.makeUnsafe(1)
  #listener: Listener<Gives> | undefined
  #loss: ThreadLost | undefined

  /**
   * Starts a thread. `module` is a file name without its extension, next to the module whose `import.meta.url` is
   * `from`.
   */
  constructor(from: string, module: string, { maxMemory = 512, maxYoungMemory = 32 }: BoundedThreadOptions = {}) {
    this.#worker = startThread(from, module, {
      resourceLimits: { maxOldGenerationSizeMb: maxMemory, maxYoungGenerationSizeMb: maxYoungMemory },
      // Output of libraries is dropped. The response contains the error.
      stdout: true,
      stderr: true
    })
    this.#worker
      .on("message", (message: Gives) => this.#listener?.onMessage(message))
      .on("error", (cause) =>
        this.#lose(new ThreadLost(isOutOfMemory(cause) ? { reason: "memory" } : { reason: "failed", cause }))
      )
      .on("exit", () => this.#lose(endedThread))
  }

  /** Starts a thread that ends when the scope closes. */
  static readonly open = <Takes, Gives>(
    ...options: ConstructorParameters<typeof BoundedThread>
  ): Effect.Effect<BoundedThread<Takes, Gives>, never, Scope.Scope> =>
    Effect.acquireRelease(
      Effect.sync(() => new BoundedThread<Takes, Gives>(...options)),
      (thread) => Effect.promise(() => thread.end())
    )

  get isLost(): boolean {
    return this.#loss !== undefined
  }

  /**
   * Sends a message after the responses to earlier messages, and returns the next message of the thread. The thread is
   * ended if the response takes longer than `timeout`, or if the caller is interrupted.
   */
  request(message: Takes, timeout?: Duration.Input): Effect.Effect<Gives, ThreadLost> {
    const response = Effect.callback<Gives, ThreadLost>((resume) => {
      if (this.#loss !== undefined) return resume(Effect.fail(this.#loss))
      const stop = this.listen({
        onMessage: (message) => {
          stop()
          this.unref()
          resume(Effect.succeed(message))
        },
        onLost: (loss) => resume(Effect.fail(loss))
      })
      this.send(message)
      return Effect.promise(() => this.end())
    })
    const inTime =
      timeout === undefined
        ? response
        : Effect.timeoutOrElse(response, {
            duration: timeout,
            orElse: () => Effect.fail(new ThreadLost({ reason: "time" }))
          })
    return this.#lock.withPermit(inTime)
  }

  /**
   * Receives all messages of the thread, for callers that manage the order and the time of messages. There is one
   * listener at a time. Returns a function that removes the listener.
   */
  listen(listener: Listener<Gives>): () => void {
    this.#listener = listener
    return () => {
      if (this.#listener === listener) this.#listener = undefined
    }
  }

  /** Sends a message. The process stays alive until `rest` is called. */
  send(message: Takes): void {
    this.#worker.ref()
    this.#worker.postMessage(message, [])
  }

  /** Lets the process end until the next message is sent. */
  unref(): void {
    this.#worker.unref()
  }

  async end(): Promise<void> {
    this.#lose(endedThread)
    await this.#worker.terminate()
  }

  #lose(loss: ThreadLost): void {
    if (this.#loss !== undefined) return
    this.#loss = loss
    const listener = this.#listener
    this.#listener = undefined
    listener?.onLost(loss)
  }
}

const endedThread = new ThreadLost({ reason: "ended" })

const isOutOfMemory = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ERR_WORKER_OUT_OF_MEMORY"
