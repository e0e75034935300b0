/**
 * A thread that starts with the first message, and again with the next message after it was lost. It ends with the
 * scope, or after an idle time.
 *
 * Default: it ends only with the scope.
 */
import { Duration, Effect, type Scope } from "effect"
import { BoundedThread, type BoundedThreadOptions, type ThreadLost } from "./BoundedThread.ts"

export interface ThreadOnDemandOptions extends BoundedThreadOptions {
  /** Idle time after which the thread ends. Default: none. */
  readonly idle?: Duration.Input
}

/** Sends a message to the thread (see `BoundedThread.ask`). */
export type SendMessage<Takes, Gives> = (message: Takes, timeout?: Duration.Input) => Effect.Effect<Gives, ThreadLost>

/**
 * Returns a function that sends messages to the thread. `module` is a file name without its extension, next to the
 * module whose `import.meta.url` is `from`.
 */
export const make = <Takes, Gives>(
  from: string,
  module: string,
  { idle = Duration.infinity, ...options }: ThreadOnDemandOptions = {}
): Effect.Effect<SendMessage<Takes, Gives>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const idleDuration = Duration.fromInputUnsafe(idle)
    let thread: BoundedThread<Takes, Gives> | undefined
    let pendingCount = 0
    let idleTimer: NodeJS.Timeout | undefined
    const end = async () => thread?.end()
    yield* Effect.addFinalizer(() => Effect.promise(end))

    const acquire = () => {
      pendingCount++
      clearTimeout(idleTimer)
      if (thread === undefined || thread.isLost) thread = new BoundedThread(from, module, options)
      return thread
    }
    const release = () => {
      pendingCount--
      if (pendingCount === 0 && Duration.isFinite(idleDuration))
        idleTimer = setTimeout(() => void end(), Duration.toMillis(idleDuration)).unref()
    }
    return (message, timeout) =>
      Effect.acquireUseRelease(
        Effect.sync(acquire),
        (thread) => thread.request(message, timeout),
        () => Effect.sync(release)
      )
  })
