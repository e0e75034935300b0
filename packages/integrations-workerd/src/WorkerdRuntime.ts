/**
 * `IntegrationRuntime` on `workerd`: a process for each integration that has something to do, started
 * with its first event and ended a while after its last, or for another (see `Places`). A process that does not answer in time is
 * ended, and the next event starts another.
 */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import {
  responseTimeout,
  type Delivery,
  type EventResult,
  IntegrationRuntime,
  backgroundTimeout,
  maxResponseBytes,
  type Program,
  RunFailed,
  type RunTrace,
  tooLarge,
  bufferedRun,
  type BufferedResponse
} from "@lectern/core/integration/IntegrationRuntime"
import type { StorageError } from "@lectern/core/storage/Storage"
import { guardedRequest } from "@lectern/services-node/fetch/GuardedRequest"
import { type Context, Duration, Effect, Layer, Stream } from "effect"
import type { Answered, Outcome } from "./Answered.ts"
import { type Asked, formOf } from "./EventForms.ts"
import * as Misbehaviour from "./Misbehaviour.ts"
import { ProcessPool, type ProcessPoolOptions, type Wanted } from "./ProcessPool.ts"
import { bodyOf, type Whole } from "./ProgramAnswer.ts"
import { failed } from "./ProgramRuns.ts"
import type { WholeBody } from "./TogetherAnswer.ts"
import { binary } from "./WorkerdBinary.ts"

export interface WorkerdRuntimeOptions extends ProcessPoolOptions {
  /** Path of `workerd`. Default: as the package of that name brings it. */
  readonly program?: string
  /** How long an answer may take to begin, and to end where all of it is waited for. Default: 30 seconds. */
  readonly answerTimeout?: Duration.Input
}

/** Status of the tunnels that developers use when there is nobody at their other end. */
const tunnelGone = 530

/** Asks a developer's tunnel in place of a process. What it logs stays there. */
const tunnelled = (
  tunnelUrl: string,
  allowed: AllowedHosts,
  { contentType, body, size }: Asked,
  patience: number,
  signal: AbortSignal
) =>
  new Promise<Answered & { readonly done: Promise<RunTrace> }>((answer, fail) => {
    const url = new URL(tunnelUrl)
    const unreached = (why: string) => fail(failed("unreachable", `The tunnel can't be reached: ${why}`))
    const objection = allowed.objection(url)
    if (objection !== undefined) return unreached(objection)
    const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.concat(body)
    const asking = guardedRequest(url, allowed, {
      method: "POST",
      headers: { "content-type": contentType, "content-length": size },
      signal
    })
    const late = () =>
      fail(failed("timed-out", `It did not answer within ${Duration.format(Duration.millis(patience))}`))
    const timer = setTimeout(() => {
      late()
      asking.destroy()
    }, patience)
    asking.on("close", () => clearTimeout(timer))
    asking.on("error", (error) => unreached(error.message))
    asking.on("response", (response) => {
      clearTimeout(timer)
      if (response.statusCode === tunnelGone) {
        asking.destroy()
        return unreached("nothing is at its other end")
      }
      answer({
        status: response.statusCode ?? 502,
        rawHeaders: response.rawHeaders,
        body: bodyOf(response),
        cancel: () => response.destroy(),
        isDone: true,
        done: Promise.resolve({ logs: [], exceededLimit: false })
      })
    })
    asking.end(bytes)
  })

const headersOf = (raw: ReadonlyArray<string>) => {
  const headers: Array<readonly [string, string]> = []
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i]!.toLowerCase(), raw[i + 1]!])
  return headers
}

const cutOff = () => failed("crashed", "Its answer ended in the middle")

const wholeOf = (read: Whole, maxBytes: number): Uint8Array | RunFailed =>
  read === "too large" ? tooLarge(maxBytes) : read === "cut off" ? cutOff() : read

/**
 * All of an answer: without a stream, which takes longer than most programs do. It has to be there within `patience`
 * (ms) of its beginning: a body that never ends would hold whoever asked.
 */
const readWhole = (
  { body, cancel }: Answered<WholeBody>,
  maxBytes: number,
  patience: number,
  done: (read: Uint8Array | RunFailed) => void
): void => {
  let isDone = false
  const settle = (read: Uint8Array | RunFailed) => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    done(read)
  }
  let timer: NodeJS.Timeout | undefined
  body.whole(maxBytes, (read) => settle(wholeOf(read, maxBytes)))
  if (isDone) return
  timer = setTimeout(() => {
    settle(failed("timed-out", `Its answer did not end within ${Duration.format(Duration.millis(patience))}`))
    cancel()
  }, patience).unref()
}

const bytesOf = (answered: Answered, patience: number) => (maxBytes: number) =>
  Effect.callback<Uint8Array, RunFailed>((resume) =>
    readWhole(answered, maxBytes, patience, (read) =>
      resume(read instanceof RunFailed ? Effect.fail(read) : Effect.succeed(read))
    )
  )

/** The part of an answer that is known before its body is there. */
const answerOf = ({ status, rawHeaders, isDone, done }: Exclude<Outcome<WholeBody>, RunFailed>) => ({
  status,
  headers: headersOf(rawHeaders),
  isDone,
  trace: isDone ? nothingLogged : Effect.promise(() => done)
})

const streamOf = (answered: Answered) => {
  let size = 0
  return Stream.suspend(() =>
    Stream.fromAsyncIterable<Uint8Array, RunFailed>(answered.body.stream(), cutOff).pipe(
      Stream.mapEffect((chunk) => {
        size += chunk.byteLength
        return size > maxResponseBytes
          ? Effect.fail(failed("too-large", `It answers more than ${maxResponseBytes / 1024 / 1024} MiB`))
          : Effect.succeed(chunk)
      })
    )
  )
}

const nothingLogged = Effect.succeed<RunTrace>({ logs: [], exceededLimit: false })

const asFailure = (error: unknown) => (error instanceof RunFailed ? error : failed("unreachable", String(error)))

/** `undefined` where this machine has no `workerd`. */
export const make = (options: WorkerdRuntimeOptions = {}) =>
  Effect.gen(function* () {
    const program = options.program ?? binary()
    if (program === undefined) return undefined
    const allowed = AllowedHosts.of(options.allowedPrivateHosts)
    const bounds = {
      patience: Duration.toMillis(Duration.fromInputUnsafe(options.answerTimeout ?? responseTimeout)),
      linger: Duration.toMillis(backgroundTimeout)
    }
    const misbehaved = yield* Misbehaviour.telling
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new ProcessPool(program, options, misbehaved)),
      (pool) => Effect.promise(() => pool.endAll())
    )

    /** Asks the process of a program, once there is one. The answer gives up what waits for that. */
    const askIts = (
      program: Program,
      { queued }: Pick<Delivery, "queued">,
      context: Context.Context<never>,
      begin: Wanted["begin"],
      fail: Wanted["fail"]
    ) => {
      const script = () => Effect.runPromiseWith(context)(program.script)
      return pool.enter({ program, queued, script, begin, fail })
    }

    const run = Effect.fnUntraced(function* (wanted: Program, delivery: Delivery) {
      const context = yield* Effect.context<never>()
      const answered = yield* wanted.tunnelUrl === undefined
        ? Effect.callback<Exclude<Outcome, RunFailed>, RunFailed | StorageError>((resume) => {
            let isGivenUp = false
            const fail = (failure: RunFailed | StorageError) => resume(Effect.fail(failure))
            const settle = (outcome: Outcome) => {
              if (outcome instanceof RunFailed) return fail(outcome)
              // Nobody reads the answer of what was given up meanwhile.
              if (isGivenUp) outcome.cancel()
              resume(Effect.succeed(outcome))
            }
            const form = formOf(delivery)
            const giveUp = askIts(
              wanted,
              delivery,
              context,
              (process, over) => process.ask(form, bounds, settle, over),
              fail
            )
            return Effect.sync(() => {
              isGivenUp = true
              giveUp()
            })
          })
        : Effect.tryPromise({
            try: (signal) => tunnelled(wanted.tunnelUrl!, allowed, formOf(delivery), bounds.patience, signal),
            catch: asFailure
          })
      yield* Effect.addFinalizer(() => Effect.sync(() => answered.cancel()))
      return { ...answerOf(answered), body: streamOf(answered), bytes: bytesOf(answered, bounds.patience) }
    })

    /** One wait, and no scope: that is what most programs take. */
    const runBuffered = (wanted: Program, delivery: Delivery, maxBytes: number) =>
      wanted.tunnelUrl !== undefined
        ? bufferedRun({ run })(wanted, delivery, maxBytes)
        : Effect.withFiber<BufferedResponse, RunFailed | StorageError>(({ context }) =>
            Effect.callback((resume) => {
              let isGivenUp = false
              let cancel = () => {}
              const fail = (failure: RunFailed | StorageError) => resume(Effect.fail(failure))
              const settle = (outcome: Outcome<WholeBody>) => {
                if (outcome instanceof RunFailed) return fail(outcome)
                if (isGivenUp) return outcome.cancel()
                cancel = outcome.cancel
                readWhole(outcome, maxBytes, bounds.patience, (body) =>
                  resume(Effect.succeed({ ...answerOf(outcome), body }))
                )
              }
              const giveUp = askIts(
                wanted,
                delivery,
                context as Context.Context<never>,
                (process, over) => process.askWhole(delivery, bounds, maxBytes, settle, over),
                fail
              )
              return Effect.sync(() => {
                isGivenUp = true
                giveUp()
                cancel()
              })
            })
          )

    const runBatch = (
      wanted: Program,
      deliveries: ReadonlyArray<Delivery>,
      heard: (answer: EventResult) => void
    ): Effect.Effect<void, RunFailed | StorageError> =>
      Effect.withFiber(({ context }) =>
        Effect.callback((resume) => {
          let isGivenUp = false
          const hear = (answer: EventResult) => {
            if (!isGivenUp) heard(answer)
          }
          const giveUp = askIts(
            wanted,
            deliveries[0] ?? {},
            context as Context.Context<never>,
            (process, over) =>
              process.askInTurn(deliveries, bounds, hear, (failure) => {
                over()
                resume(failure === undefined ? Effect.void : Effect.fail(failure))
              }),
            (failure) => resume(Effect.fail(failure))
          )
          return Effect.sync(() => {
            isGivenUp = true
            giveUp()
          })
        })
      )

    return IntegrationRuntime.of({
      isAvailable: true,
      run,
      runBuffered,
      runBatch,

      stop: (integration) => Effect.sync(() => pool.end(integration))
    })
  })

/** Without `workerd` on this machine nothing is run. */
const layer = (options: WorkerdRuntimeOptions = {}) =>
  Layer.effect(
    IntegrationRuntime,
    Effect.gen(function* () {
      const runtime = yield* make(options)
      if (runtime !== undefined) return runtime
      yield* Effect.logWarning("Integrations are not run: there is no workerd for this machine")
      return yield* Effect.provide(IntegrationRuntime, IntegrationRuntime.layer)
    })
  )

export const WorkerdRuntime = { layer }
