/**
 * `IntegrationRuntime` on `workerd`: a process for each active integration. It starts with the first event and ends
 * some time after the last event, or earlier to free its slot (see `ProcessSlots`). A process that does not respond in
 * time is killed, and the next event starts another.
 */
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import {
  responseTimeout,
  type Delivery,
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
import { checkOptions, type OptionNames } from "@lectern/core/schema/OptionNames"
import { type DurationLike, durationNames } from "@lectern/core/time/DurationLike"
import { type Context, Duration, Effect, Layer, Stream } from "effect"
import type { EventResponse, Outcome } from "./EventResponse.ts"
import { type EventRequest, formOf } from "./EventRequests.ts"
import * as Misbehaviour from "./Misbehaviour.ts"
import { ProcessPool, type ProcessPoolOptions, type PoolRequest } from "./ProcessPool.ts"
import { bodyOf, type BodyResult } from "./ProgramResponse.ts"
import { failed } from "./ProgramRuns.ts"
import type { BufferedBody } from "./BatchResponse.ts"
import { binary } from "./WorkerdBinary.ts"

export interface WorkerdRuntimeOptions extends ProcessPoolOptions {
  /** Path of `workerd`. Default: the program of the npm package. */
  readonly program?: string
  /** Timeout until a response starts, and for a buffered response until it ends. Default: 30 seconds. */
  readonly responseTimeout?: DurationLike
}

const optionNames: OptionNames<WorkerdRuntimeOptions> = {
  program: true,
  responseTimeout: durationNames,
  maxProcesses: true,
  queueTimeout: durationNames,
  idleTimeout: durationNames,
  api: { url: true, at: { host: true, port: true, socketPath: true, isSecure: true } },
  allowedPrivateHosts: true
}

/** Status of a developer's tunnel without a client at its other end. */
const tunnelClosed = 530

/** Sends an event to a developer's tunnel instead of a process. Logs stay with the developer. */
const sendThroughTunnel = (
  tunnelUrl: string,
  allowedHosts: AllowedHosts,
  { contentType, body, size }: EventRequest,
  timeout: number,
  signal: AbortSignal
) =>
  new Promise<EventResponse & { readonly done: Promise<RunTrace> }>((resolve, fail) => {
    const url = new URL(tunnelUrl)
    const failUnreachable = (why: string) => fail(failed("unreachable", `The tunnel can't be reached: ${why}`))
    const objection = allowedHosts.objection(url)
    if (objection !== undefined) return failUnreachable(objection)
    const bytes = typeof body === "string" ? Buffer.from(body) : Buffer.concat(body)
    const outgoing = guardedRequest(url, allowedHosts, {
      method: "POST",
      headers: { "content-type": contentType, "content-length": size },
      signal
    })
    const timeoutFailure = () =>
      fail(failed("timed-out", `It did not answer within ${Duration.format(Duration.millis(timeout))}`))
    const timer = setTimeout(() => {
      timeoutFailure()
      outgoing.destroy()
    }, timeout)
    outgoing.on("close", () => clearTimeout(timer))
    outgoing.on("error", (error) => failUnreachable(error.message))
    outgoing.on("response", (response) => {
      clearTimeout(timer)
      if (response.statusCode === tunnelClosed) {
        outgoing.destroy()
        return failUnreachable("nothing is at its other end")
      }
      resolve({
        status: response.statusCode ?? 502,
        rawHeaders: response.rawHeaders,
        body: bodyOf(response),
        cancel: () => response.destroy(),
        isDone: true,
        done: Promise.resolve({ logs: [], exceededLimit: false })
      })
    })
    outgoing.end(bytes)
  })

const headersOf = (raw: ReadonlyArray<string>) => {
  const headers: Array<readonly [string, string]> = []
  for (let i = 0; i + 1 < raw.length; i += 2) headers.push([raw[i]!.toLowerCase(), raw[i + 1]!])
  return headers
}

const cutOffFailure = () => failed("crashed", "Its answer ended in the middle")

const bodyOrFailure = (read: BodyResult, maxBytes: number): Uint8Array | RunFailed =>
  read === "too large" ? tooLarge(maxBytes) : read === "cut off" ? cutOffFailure() : read

/**
 * Reads the whole body of a response without a stream, since creating a stream takes longer than most programs run.
 * Fails after `timeout` ms, since a body that never ends would block the caller.
 */
const readBody = (
  { body, cancel }: EventResponse<BufferedBody>,
  maxBytes: number,
  timeout: number,
  done: (read: Uint8Array | RunFailed) => void
): void => {
  let isDone = false
  const complete = (read: Uint8Array | RunFailed) => {
    if (isDone) return
    isDone = true
    clearTimeout(timer)
    done(read)
  }
  let timer: NodeJS.Timeout | undefined
  body.readAll(maxBytes, (read) => complete(bodyOrFailure(read, maxBytes)))
  if (isDone) return
  timer = setTimeout(() => {
    complete(failed("timed-out", `Its answer did not end within ${Duration.format(Duration.millis(timeout))}`))
    cancel()
  }, timeout).unref()
}

const bytesOf = (eventResponse: EventResponse, timeout: number) => (maxBytes: number) =>
  Effect.callback<Uint8Array, RunFailed>((resume) =>
    readBody(eventResponse, maxBytes, timeout, (read) =>
      resume(read instanceof RunFailed ? Effect.fail(read) : Effect.succeed(read))
    )
  )

/** Returns the parts of a response that are available before its body. */
const bufferedResponse = ({ status, rawHeaders, isDone, done }: Exclude<Outcome<BufferedBody>, RunFailed>) => ({
  status,
  headers: headersOf(rawHeaders),
  isDone,
  trace: isDone ? nothingLogged : Effect.promise(() => done)
})

const streamOf = (eventResponse: EventResponse) => {
  let size = 0
  return Stream.suspend(() =>
    Stream.fromAsyncIterable<Uint8Array, RunFailed>(eventResponse.body.stream(), cutOffFailure).pipe(
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

/** Creates the runtime, or returns undefined if `workerd` is not available on this machine. */
export const make = (options: WorkerdRuntimeOptions = {}) =>
  Effect.gen(function* () {
    checkOptions(optionNames, options)
    const binaryPath = options.program ?? binary()
    if (binaryPath === undefined) return undefined
    const allowedHosts = AllowedHosts.from(options.allowedPrivateHosts)
    const bounds = {
      responseTimeout: Duration.toMillis(Duration.fromInputUnsafe(options.responseTimeout ?? responseTimeout)),
      backgroundTimeout: Duration.toMillis(backgroundTimeout)
    }
    const reportMisbehaviour = yield* Misbehaviour.makeReport
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new ProcessPool(binaryPath, options, reportMisbehaviour)),
      (pool) => Effect.promise(() => pool.endAll())
    )

    /** Passes work to the process of a program. Returns a function that cancels the work while it waits. */
    const passToProcess = (
      program: Program,
      { queued }: Pick<Delivery, "queued">,
      context: Context.Context<never>,
      start: PoolRequest["start"],
      fail: PoolRequest["fail"]
    ) => {
      const script = () => Effect.runPromiseWith(context)(program.script)
      return pool.enter({ program, queued, script, start, fail })
    }

    const run = Effect.fnUntraced(function* (program: Program, delivery: Delivery) {
      const context = yield* Effect.context<never>()
      const eventResponse = yield* program.tunnelUrl === undefined
        ? Effect.callback<Exclude<Outcome, RunFailed>, RunFailed | StorageError>((resume) => {
            let isCancelled = false
            const fail = (failure: RunFailed | StorageError) => resume(Effect.fail(failure))
            const complete = (outcome: Outcome) => {
              if (outcome instanceof RunFailed) return fail(outcome)
              // The event was cancelled, so its response is not read.
              if (isCancelled) outcome.cancel()
              resume(Effect.succeed(outcome))
            }
            const form = formOf(delivery)
            const cancelWork = passToProcess(
              program,
              delivery,
              context,
              (process, over) => process.send(form, bounds, complete, over),
              fail
            )
            return Effect.sync(() => {
              isCancelled = true
              cancelWork()
            })
          })
        : Effect.tryPromise({
            try: (signal) =>
              sendThroughTunnel(program.tunnelUrl!, allowedHosts, formOf(delivery), bounds.responseTimeout, signal),
            catch: asFailure
          })
      yield* Effect.addFinalizer(() => Effect.sync(() => eventResponse.cancel()))
      return {
        ...bufferedResponse(eventResponse),
        body: streamOf(eventResponse),
        bytes: bytesOf(eventResponse, bounds.responseTimeout)
      }
    })

    /** Runs an event with one callback and without a scope, whose cost would exceed that of most programs. */
    const runBuffered = (program: Program, delivery: Delivery, maxBytes: number) =>
      program.tunnelUrl !== undefined
        ? bufferedRun({ run })(program, delivery, maxBytes)
        : Effect.withFiber<BufferedResponse, RunFailed | StorageError>(({ context }) =>
            Effect.callback((resume) => {
              let isCancelled = false
              let cancel = () => {}
              const fail = (failure: RunFailed | StorageError) => resume(Effect.fail(failure))
              const complete = (outcome: Outcome<BufferedBody>) => {
                if (outcome instanceof RunFailed) return fail(outcome)
                if (isCancelled) return outcome.cancel()
                cancel = outcome.cancel
                readBody(outcome, maxBytes, bounds.responseTimeout, (body) =>
                  resume(Effect.succeed({ ...bufferedResponse(outcome), body }))
                )
              }
              const cancelWork = passToProcess(
                program,
                delivery,
                context as Context.Context<never>,
                (process, over) => process.sendBuffered(delivery, bounds, maxBytes, complete, over),
                fail
              )
              return Effect.sync(() => {
                isCancelled = true
                cancelWork()
                cancel()
              })
            })
          )

    return IntegrationRuntime.of({
      isAvailable: true,
      run,
      runBuffered,
      stop: (integration) => Effect.sync(() => pool.end(integration))
    })
  })

/** Provides the runtime. If `workerd` is not available, integrations do not run and a warning is logged. */
const layer = (options: WorkerdRuntimeOptions = {}) =>
  Layer.effect(
    IntegrationRuntime,
    Effect.gen(function* () {
      const runtime = yield* make(options)
      if (runtime !== undefined) return runtime
      yield* Effect.logWarning(
        "Integrations do not run: workerd was not found. With npm, install it by: npm install workerd"
      )
      return yield* Effect.provide(IntegrationRuntime, IntegrationRuntime.layer)
    })
  )

export const WorkerdRuntime = { layer }
