/**
 * Runs programs with events, and records each event with its log. Events that need a response are recorded in groups,
 * shortly after (see `IntegrationRecords`).
 *
 * Limit: 1 MiB of the most recently sealed payloads are cached unsealed.
 */
import { Context, Effect, type Scope, Stream, Layer } from "effect"
import { Ids } from "../identity/Ids.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { Timestamp } from "../schema/Text.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { BlobStore } from "../storage/BlobStore.ts"
import { unfenced } from "../storage/Fence.ts"
import { LruCache } from "../storage/LruCache.ts"
import { Storage, StorageError } from "../storage/Storage.ts"
import { makeDevelopmentTermination } from "./DevelopmentTermination.ts"
import { makeEventPayloads } from "./EventPayloads.ts"
import { type IntegrationRow, IntegrationTable } from "./Integration.ts"
import { makeIntegrationEnvironments, type RunTarget } from "./IntegrationEnvironments.ts"
import {
  IntegrationEventId,
  type IntegrationEventRow,
  IntegrationEventTable,
  type IntegrationPayload
} from "./IntegrationEvent.ts"
import { type ProcessedEvent, IntegrationRecords } from "./IntegrationRecords.ts"
import {
  type Delivery,
  type EventResult,
  IntegrationRuntime,
  logsAt,
  type Program,
  type CapacityCallbacks,
  type RunResponse,
  RunFailed,
  unloggedFailure,
  bufferedRun,
  type BufferedResponse
} from "./IntegrationRuntime.ts"
import type { RunLog } from "./RunLog.ts"

const maxCachedCharacters = 1024 * 1024

/** Passes an event to a program and returns the outcome. */
type RunMethod<A, R> = (program: Program, delivery: Delivery) => Effect.Effect<A, RunFailed | StorageError, R>

/** An event to be processed by a program. */
interface RunInput {
  readonly setting: RunTarget
  readonly id: IntegrationEventId
  /** Payload as JSON. */
  readonly json: string
}

/** Returns true for an error. An endpoint may respond with 404, but a component cannot render from any error status. */
const isError = (type: IntegrationPayload["type"], status: number): boolean =>
  status >= (type.startsWith("fetch") ? 500 : 400)

/** An event that was queued. */
export interface QueuedEvent {
  readonly setting: RunTarget
  readonly id: IntegrationEventId
  readonly payload: IntegrationPayload
}

/** Returns the row of an event without its sealed fields. */
const rowOf = (
  { integration, installation, about }: RunTarget,
  id: IntegrationEventId,
  receiver: string,
  state: IntegrationEventRow["state"],
  createdAt: Timestamp
): ProcessedEvent["row"] => ({
  id,
  integration: integration.key,
  ...(installation && { organization: installation.organization, installation: installation.id }),
  receiver,
  ...(about && { about }),
  state,
  createdAt
})

/** Returns the log of a run that failed now. */
export const logsOf = (failure: RunFailed) => Effect.map(Timestamps.now, (now) => logsAt(failure, now))

/**
 * Returns the result of a response, and records the event: `done` receives the failure if the response could not be
 * read.
 */
const recordedResult = <A, E, R>(
  result: Effect.Effect<A, RunFailed | E, R>,
  done: (failure: RunFailed | undefined) => Effect.Effect<void>
): Effect.Effect<A, RunFailed | E, R> =>
  Effect.flatMap(
    Effect.tapError(result, (error) => (error instanceof RunFailed ? done(error) : Effect.void)),
    (value) => Effect.as(done(undefined), value)
  )

export class IntegrationRuns extends Context.Service<
  IntegrationRuns,
  {
    /** True if a runtime is available. */
    readonly isAvailable: boolean
    /**
     * Runs a program with an event that needs a response. The event is recorded when the scope closes, after the body
     * was read. If too many records are pending, the caller waits.
     */
    readonly request: (
      setting: RunTarget,
      payload: IntegrationPayload,
      body?: Uint8Array
    ) => Effect.Effect<RunResponse, RunFailed | StorageError, Scope.Scope>
    /**
     * Runs a program and parses its response. A response that cannot be parsed is recorded as failed, with the reason.
     */
    readonly requestParsed: <A, E>(
      setting: RunTarget,
      payload: IntegrationPayload,
      read: (response: RunResponse) => Effect.Effect<A, RunFailed | E>
    ) => Effect.Effect<A, RunFailed | StorageError | E>
    /** Runs a program and parses its response body of at most `maxBytes` bytes. */
    readonly requestBuffered: <A, E>(
      setting: RunTarget,
      payload: IntegrationPayload,
      maxBytes: number,
      read: (response: BufferedResponse & { readonly body: Uint8Array }) => Effect.Effect<A, RunFailed | E>
    ) => Effect.Effect<A, RunFailed | StorageError | E>
    /** Delivers a queued event. Waits until the program has finished it, including work after its response. */
    readonly deliver: (
      event: QueuedEvent,
      queued: CapacityCallbacks
    ) => Effect.Effect<EventResult, RunFailed | StorageError>
    /** Returns the row to insert for a queued event of a receiver. */
    readonly record: (
      setting: RunTarget,
      receiver: string,
      id: IntegrationEventId,
      payload: IntegrationPayload
    ) => Effect.Effect<IntegrationEventRow>
    /** Returns the payload of a row. Payloads that were sealed recently are cached. */
    readonly payload: (row: IntegrationEventRow) => Effect.Effect<IntegrationPayload, StorageError>
    /** Returns the fields of a record that store the outcome of an event. */
    readonly outcome: (
      id: IntegrationEventId,
      state: IntegrationEventRow["state"],
      logs: ReadonlyArray<RunLog>
    ) => Effect.Effect<Pick<IntegrationEventRow, "state" | "logs">>
  }
>()("@lectern/core/integration/IntegrationRuns") {
  static readonly layer = Layer.effect(
    IntegrationRuns,
    Effect.gen(function* () {
      const storage = yield* Storage
      const blobs = yield* BlobStore
      const ids = yield* Ids
      const secrets = yield* Secrets
      const payloads = yield* makeEventPayloads
      const environments = yield* makeIntegrationEnvironments
      const runtime = yield* IntegrationRuntime
      const runWhole = bufferedRun(runtime)
      const records = yield* IntegrationRecords
      const termination = yield* makeDevelopmentTermination
      const integrations = storage.repository(IntegrationTable)
      const layerScope = yield* Effect.scope
      const sealedPayloads = new LruCache<
        IntegrationEventId,
        { readonly sealed: string; readonly payload: IntegrationPayload }
      >(maxCachedCharacters)

      const scriptOf = Effect.fnUntraced(function* ({ script }: IntegrationRow) {
        const bytes = yield* blobs.get(script)
        if (bytes === undefined) return yield* new StorageError({ reason: "failed", message: "A script is missing" })
        return new TextDecoder().decode(bytes)
      })

      /** Returns the program to run: the published one, or that of its developer in development mode. */
      const programOf = Effect.fnUntraced(function* ({ integration, installation }: RunTarget) {
        const { development, organization, key, version, runtime } = integration
        const isDeveloped =
          development !== undefined &&
          development.endsAt > (yield* Timestamps.now) &&
          (development.all || installation === undefined || installation.organization === organization)
        const tunnelUrl = isDeveloped ? yield* secrets.open(IntegrationTable, integration, "tunnelUrl") : undefined
        const script = Effect.suspend(() => scriptOf(integration))
        const program: Program = {
          integration: key,
          version,
          organization,
          runtime,
          script,
          ...(tunnelUrl !== undefined && { tunnelUrl })
        }
        return program
      })

      /**
       * Ends a development mode with an unreachable tunnel, unless it was started again. The published program receives
       * the remaining events.
       */
      const endDevelopment = ({ key, tunnelUrl }: IntegrationRow) =>
        storage.transaction(
          Effect.gen(function* () {
            const integration = yield* integrations.get({ key })
            if (integration !== undefined && integration.tunnelUrl === tunnelUrl)
              yield* termination.end(integration, "unreachable")
          })
        )

      const deliveryOf = ({ setting, id, json }: RunInput) =>
        Effect.map(environments.make(setting), (environment): Delivery => ({
          event: `{"eventId":"${id}",${json.slice(1)}`,
          environment
        }))

      /** Runs a program. Ends the development mode if its tunnel is unreachable. */
      const fromProgram = <A, R>(
        { tunnelUrl }: Program,
        integration: IntegrationRow,
        response: Effect.Effect<A, RunFailed | StorageError, R>
      ) =>
        tunnelUrl === undefined
          ? response
          : Effect.tapError(response, (error) =>
              error._tag === "RunFailed" && error.reason === "unreachable" ? endDevelopment(integration) : Effect.void
            )

      /** Runs a program with an event by a method of the runtime. */
      const run = Effect.fnUntraced(function* <A, R>(input: RunInput, method: RunMethod<A, R>) {
        const program = yield* programOf(input.setting)
        const delivery = yield* deliveryOf(input)
        return yield* fromProgram(program, input.setting.integration, method(program, delivery))
      })

      const outcome = Effect.fnUntraced(function* (
        id: IntegrationEventId,
        state: IntegrationEventRow["state"],
        logs: ReadonlyArray<RunLog>
      ) {
        return {
          state,
          ...(logs.length > 0 && { logs: yield* secrets.seal(IntegrationEventTable, { id }, "logs", logs) })
        }
      })

      const record = (
        { setting, id, json }: RunInput,
        state: IntegrationEventRow["state"],
        logs: ReadonlyArray<RunLog>
      ) =>
        Effect.flatMap(Timestamps.now, (createdAt) =>
          records.add({ row: rowOf(setting, id, setting.integration.key, state, createdAt), json, logs })
        )

      /**
       * Records an event after its log is complete. An unreadable response or an error status adds a line to the log.
       */
      const finish = (
        input: RunInput,
        type: IntegrationPayload["type"],
        { status, trace }: Pick<RunResponse, "status" | "trace">,
        failure: RunFailed | undefined
      ): Effect.Effect<void> =>
        Effect.flatMap(trace, ({ logs, exceededLimit }) => {
          const isErrorStatus = isError(type, status)
          const state = failure !== undefined || exceededLimit || isErrorStatus ? "failed" : "success"
          const cause = failure ?? (isErrorStatus ? unloggedFailure(status, logs) : undefined)
          return cause === undefined
            ? record(input, state, logs)
            : Effect.flatMap(logsOf(cause), (failureLogs) => record(input, state, [...logs, ...failureLogs]))
        })

      /** Runs a program with an event. `done` records the event. */
      const start = Effect.fnUntraced(function* <A extends Pick<RunResponse, "status" | "isDone" | "trace">, R>(
        setting: RunTarget,
        payload: IntegrationPayload,
        method: RunMethod<A, R>
      ) {
        const id = IntegrationEventId.make(yield* ids.next)
        const input: RunInput = { setting, id, json: JSON.stringify(payload) }
        const response = yield* Effect.tapError(run(input, method), (error) =>
          error._tag === "RunFailed"
            ? Effect.flatMap(logsOf(error), (logs) => record(input, "failed", logs))
            : Effect.void
        )
        const done = (failure: RunFailed | undefined) =>
          response.isDone
            ? finish(input, payload.type, response, failure)
            : Effect.asVoid(
                Effect.forkIn(unfenced(finish(input, payload.type, response, failure)), layerScope, {
                  startImmediately: true
                })
              )
        return { answer: response, done }
      })

      return IntegrationRuns.of({
        isAvailable: runtime.isAvailable,
        outcome,

        record: Effect.fnUntraced(function* (setting, receiver, id, payload) {
          const row = rowOf(setting, id, receiver, "queued", yield* Timestamps.now)
          const sealedPayload = yield* secrets.sealJson(
            IntegrationEventTable,
            { id },
            "payload",
            JSON.stringify(payload)
          )
          sealedPayloads.set(id, { sealed: sealedPayload, payload }, sealedPayload.length)
          return { ...row, payload: sealedPayload }
        }),

        payload: (row) => {
          const cachedPayload = sealedPayloads.get(row.id)
          return cachedPayload !== undefined && cachedPayload.sealed === row.payload
            ? Effect.succeed(cachedPayload.payload)
            : payloads.open(row)
        },

        request: Effect.fnUntraced(function* (setting, payload, body) {
          const { answer, done } = yield* start(setting, payload, (program, delivery) =>
            runtime.run(program, body === undefined ? delivery : { ...delivery, body })
          )
          let failure: RunFailed | undefined
          yield* Effect.addFinalizer(() => Effect.suspend(() => done(failure)))
          const storeFailure = (error: RunFailed) => Effect.sync(() => void (failure = error))
          return {
            ...answer,
            body: Stream.tapError(answer.body, storeFailure),
            bytes: (maxBytes) => Effect.tapError(answer.bytes(maxBytes), storeFailure)
          }
        }),

        requestParsed: (setting, payload, read) =>
          Effect.scoped(
            Effect.flatMap(start(setting, payload, runtime.run), ({ answer, done }) =>
              recordedResult(read(answer), done)
            )
          ),

        requestBuffered: (setting, payload, maxBytes, read) =>
          Effect.flatMap(
            start(setting, payload, (program, delivery) => runWhole(program, delivery, maxBytes)),
            ({ answer, done }) => {
              const { body } = answer
              return recordedResult(body instanceof RunFailed ? Effect.fail(body) : read({ ...answer, body }), done)
            }
          ),

        deliver: ({ payload, ...event }, queued) =>
          Effect.scoped(
            run({ ...event, json: JSON.stringify(payload) }, (program, delivery) =>
              Effect.flatMap(runtime.run(program, { ...delivery, queued }), ({ status, trace }) =>
                Effect.map(trace, (trace) => ({ status, ...trace }))
              )
            )
          )
      })
    })
  )
}
