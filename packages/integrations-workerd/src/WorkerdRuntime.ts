/**
 * `IntegrationRuntime` on `workerd`: a process for each integration that has something to do, started
 * with its first event and ended a while after its last. A process that does not answer in time is
 * ended, and the next event starts another.
 *
 * Defaults: 20 processes at once, of which one that rests gives way; ended after 5 minutes without an
 * event.
 */
import { randomUUID } from "node:crypto"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import {
  answerTimeout,
  type Delivery,
  IntegrationRuntime,
  lingerTimeout,
  maxAnswerBytes,
  type Program,
  RunFailed,
  type RunTrace,
  tooLarge,
  whole,
  type WholeAnswer
} from "@lectern/core/integration/IntegrationRuntime"
import { guardedRequest } from "@lectern/services-node/fetch/GuardedRequest"
import { type Context, Duration, Effect, Layer, Stream } from "effect"
import type { OutsideDoorOptions } from "./OutsideDoor.ts"
import { bodyOf, type Whole } from "./ProgramAnswer.ts"
import { type Answered, type Asked, binary, type Outcome, WorkerdProcess } from "./WorkerdProcess.ts"

export interface WorkerdRuntimeOptions extends OutsideDoorOptions {
  /** Path of `workerd`. Default: as the package of that name brings it. */
  readonly program?: string
  /** Default: 20. */
  readonly maxProcesses?: number
  /** After how long without an event a process ends. Default: 5 minutes. */
  readonly idleTimeout?: Duration.Input
  /** How long an answer may take to begin, and to end where all of it is waited for. Default: 30 seconds. */
  readonly answerTimeout?: Duration.Input
}

const failed = (reason: RunFailed["reason"], message: string) => new RunFailed({ reason, message, logs: [] })

interface Kept {
  readonly version: number
  readonly process: Promise<WorkerdProcess>
  /** The same once it is there. */
  started?: WorkerdProcess
  rest: NodeJS.Timeout | undefined
}

/** The processes there are, by integration: the one used last at the end. */
class Pool {
  readonly #kept = new Map<string, Kept>()
  readonly #program: string
  readonly #options: WorkerdRuntimeOptions
  /** Milliseconds. */
  readonly #idleTimeout: number

  constructor(program: string, options: WorkerdRuntimeOptions) {
    this.#program = program
    this.#options = options
    this.#idleTimeout = Duration.toMillis(options.idleTimeout ?? Duration.minutes(5))
  }

  /** The process of this version, where it is there already. */
  find({ integration, version }: Program): WorkerdProcess | undefined {
    const known = this.#kept.get(integration)
    const process = known?.version === version ? known.started : undefined
    if (known === undefined || process === undefined || process.isOver) return undefined
    clearTimeout(known.rest)
    this.#kept.delete(integration)
    this.#kept.set(integration, known)
    return process
  }

  /** The process of this version; `script` is asked for where there is none yet. */
  async get(program: Program, script: () => Promise<string>): Promise<WorkerdProcess> {
    const known = this.#kept.get(program.integration)
    if (known !== undefined) {
      clearTimeout(known.rest)
      const process = known.version === program.version ? await known.process.catch(() => undefined) : undefined
      if (process !== undefined && !process.isOver) {
        this.#kept.delete(program.integration)
        this.#kept.set(program.integration, known)
        return process
      }
      this.end(program.integration)
    }
    this.#makeRoom()
    const process = script().then((text) => WorkerdProcess.start(this.#program, text, program.runtime, this.#options))
    const kept: Kept = { version: program.version, process, rest: undefined }
    this.#kept.set(program.integration, kept)
    process.then(
      (started) => {
        kept.started = started
      },
      () => this.#forget(program.integration, process)
    )
    return process
  }

  /** Ends a process that has had nothing to do for a while. */
  rest(integration: string): void {
    const kept = this.#kept.get(integration)
    if (kept === undefined || (kept.started?.underWay ?? 0) > 0) return
    clearTimeout(kept.rest)
    kept.rest = setTimeout(() => {
      void kept.process.then(
        (process) => process.underWay === 0 && this.#kept.get(integration) === kept && this.end(integration),
        () => {}
      )
    }, this.#idleTimeout).unref()
  }

  end(integration: string): void {
    const kept = this.#kept.get(integration)
    if (kept === undefined) return
    this.#kept.delete(integration)
    clearTimeout(kept.rest)
    void kept.process.then(
      (process) => this.#retire(process),
      () => {}
    )
  }

  async endAll(): Promise<void> {
    const all = [...this.#kept.values()]
    this.#kept.clear()
    for (const { process, rest } of all) {
      clearTimeout(rest)
      await process.then(
        (process) => process.end(),
        () => {}
      )
    }
  }

  /** Retires a process that is replaced: it ends once its running events are done. */
  #retire(process: WorkerdProcess): void {
    if (process.underWay === 0) return process.end()
    setTimeout(() => process.end(), Duration.toMillis(lingerTimeout)).unref()
  }

  #makeRoom(): void {
    const [oldest] = this.#kept.keys()
    if (this.#kept.size >= (this.#options.maxProcesses ?? 20) && oldest !== undefined) this.end(oldest)
  }

  #forget(integration: string, process: Promise<WorkerdProcess>): void {
    if (this.#kept.get(integration)?.process === process) this.#kept.delete(integration)
  }
}

/**
 * An event as programs take it: a form with the event, what is around it, and the body that it is about.
 * Nobody can know the boundary, so nothing in the parts can be one.
 */
const formOf = ({ event, environment, body }: Delivery): Asked => {
  const boundary = `----lectern-${randomUUID()}`
  const contentType = `multipart/form-data; boundary=${boundary}`
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
  const [first, second] = [`${part("event")}\r\n\r\n`, `\r\n${part("environment")}\r\n\r\n`]
  const end = `\r\n--${boundary}--\r\n`
  const texts = first + event + second + environment
  const size = first.length + Buffer.byteLength(event) + second.length + Buffer.byteLength(environment) + end.length
  if (body === undefined) return { contentType, body: texts + end, size }
  const third = `\r\n${part("fetch-body")}; filename="blob"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return {
    contentType,
    body: [Buffer.from(texts + third), body, Buffer.from(end)],
    size: size + third.length + body.byteLength
  }
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
        done: Promise.resolve({ logs: [], overstepped: false })
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
  { body, cancel }: Answered,
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
const answerOf = ({ status, rawHeaders, isDone, done }: Exclude<Outcome, RunFailed>) => ({
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
        return size > maxAnswerBytes
          ? Effect.fail(failed("too-large", `It answers more than ${maxAnswerBytes / 1024 / 1024} MiB`))
          : Effect.succeed(chunk)
      })
    )
  )
}

type Settle = (outcome: Outcome) => void

const nothingLogged = Effect.succeed<RunTrace>({ logs: [], overstepped: false })

const asFailure = (error: unknown) => (error instanceof RunFailed ? error : failed("unreachable", String(error)))

/** `undefined` where this machine has no `workerd`. */
export const make = (options: WorkerdRuntimeOptions = {}) =>
  Effect.gen(function* () {
    const program = options.program ?? binary()
    if (program === undefined) return undefined
    const allowed = AllowedHosts.of(options.allowedPrivateHosts)
    const bounds = {
      patience: Duration.toMillis(Duration.fromInputUnsafe(options.answerTimeout ?? answerTimeout)),
      linger: Duration.toMillis(lingerTimeout)
    }
    const pool = yield* Effect.acquireRelease(
      Effect.sync(() => new Pool(program, options)),
      (pool) => Effect.promise(() => pool.endAll())
    )

    /** Asks the process of a program, which is started where there is none; what comes of it is to be cancelled. */
    const ask = (wanted: Program, delivery: Delivery, context: Context.Context<never>, settle: Settle) => {
      const form = formOf(delivery)
      const fail = (error: unknown) => settle(asFailure(error))
      const askIt = (process: WorkerdProcess) => process.ask(form, bounds, settle, () => pool.rest(wanted.integration))
      const known = pool.find(wanted)
      if (known !== undefined) askIt(known)
      else pool.get(wanted, () => Effect.runPromiseWith(context)(wanted.script)).then(askIt, fail)
    }

    const run = Effect.fnUntraced(function* (wanted: Program, delivery: Delivery) {
      const context = yield* Effect.context<never>()
      const answered = yield* wanted.tunnelUrl === undefined
        ? Effect.callback<Exclude<Outcome, RunFailed>, RunFailed>((resume) => {
            let isGivenUp = false
            ask(wanted, delivery, context, (outcome) => {
              if (outcome instanceof RunFailed) return resume(Effect.fail(outcome))
              // Nobody reads the answer of what was given up meanwhile.
              if (isGivenUp) outcome.cancel()
              resume(Effect.succeed(outcome))
            })
            return Effect.sync(() => {
              isGivenUp = true
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
    const runWhole = (wanted: Program, delivery: Delivery, maxBytes: number) =>
      wanted.tunnelUrl !== undefined
        ? whole({ run })(wanted, delivery, maxBytes)
        : Effect.withFiber<WholeAnswer, RunFailed>(({ context }) =>
            Effect.callback((resume) => {
              let isGivenUp = false
              let cancel = () => {}
              ask(wanted, delivery, context as Context.Context<never>, (outcome) => {
                if (outcome instanceof RunFailed) return resume(Effect.fail(outcome))
                if (isGivenUp) return outcome.cancel()
                cancel = outcome.cancel
                readWhole(outcome, maxBytes, bounds.patience, (body) =>
                  resume(Effect.succeed({ ...answerOf(outcome), body }))
                )
              })
              return Effect.sync(() => {
                isGivenUp = true
                cancel()
              })
            })
          )

    return IntegrationRuntime.of({
      isThere: true,
      run,
      runWhole,

      end: (integration) => Effect.sync(() => pool.end(integration))
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
